"""``clusterwright show``: the resolved cluster in tables and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from clusterwright.cli.show import command
from clusterwright.config.loading import load_cluster
from clusterwright.resolution import resolve
from clusterwright.summary import summarize

if TYPE_CHECKING:
    from pathlib import Path


def test_totals_of_the_main_example(root: Path) -> None:
    result = CliRunner().invoke(command, [str(root / "docs/examples/eks-h200.yaml"), "--format", "json"])
    assert result.exit_code == 0
    summary = json.loads(result.stdout)
    assert summary["zone"] == "use2-az3"
    totals = summary["totals"]
    assert totals["accelerators"] == 32 * 8
    assert totals["nodes"] == 35
    assert totals["efa_tbps"] == pytest.approx(32 * 3.2)
    assert totals["accelerator_memory_tib"] == pytest.approx(256 * 144_384 / 1024**2)
    train = next(pool for pool in summary["pools"] if pool["name"] == "train")
    assert train["interfaces"] == "interface@0/0, efa-only@0/1, efa-only@1-15/0"
    assert train["capacity"] == "h200 (capacity-block)"


def test_tables_name_what_matters(root: Path) -> None:
    result = CliRunner().invoke(command, [str(root / "docs/examples/eks-h200.yaml")], env={"COLUMNS": "160"})
    assert result.exit_code == 0
    for text in ("use2-az3", "p5en.48xlarge", "256 x H200", "3,200", "10.0.0.0/17", "100.64.0.0/16"):
        assert text in result.stdout


def test_every_example_can_be_shown(example: Path) -> None:
    summary = summarize(resolve(load_cluster(example)))
    assert summary.totals.nodes == sum(pool.nodes for pool in summary.pools)
    assert json.loads(json.dumps(summary.as_dict()))["name"] == summary.name


def test_errors_are_findings(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("version: 1\n")
    result = CliRunner().invoke(command, [str(file)])
    assert result.exit_code == 1
    assert "wrong.yaml:" in result.stderr

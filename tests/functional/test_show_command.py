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


def test_tables_in_a_file_are_whole(root: Path) -> None:
    result = CliRunner().invoke(command, [str(root / "docs/examples/eks-h200.yaml")], env={"COLUMNS": "40"})
    assert result.exit_code == 0
    (row,) = [line for line in result.stdout.splitlines() if "│ train" in line]
    assert [cell.strip() for cell in row.split("│")[1:4]] == ["train", "p5en.48xlarge", "32"]
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


STORAGE = """
storage:
  buckets: {datasets: {}}
  lustre:
    fast: {capacity_gib: 19200, throughput_mbps_per_tib: 1000, efa: true}
    deep: {type: intelligent-tiering, throughput_mbps: 8000, mount: /deep}
  home: {kind: openzfs, capacity_gib: 1024, throughput_mbps: 1280}
"""


@pytest.fixture
def stored(tmp_path: Path, root: Path) -> str:
    """The main example with storage."""
    file = tmp_path / "stored.yaml"
    file.write_text((root / "docs/examples/eks-h200.yaml").read_text() + STORAGE)
    return str(file)


def test_storage_adds_up(stored: str) -> None:
    result = CliRunner().invoke(command, [stored, "--format", "json"])
    storage = json.loads(result.stdout)["storage"]
    assert storage["lustre_read_gb_per_s"] == storage["lustre_write_gb_per_s"] == pytest.approx(19.2 + 8)
    assert storage["metadata_iops"] == 12_000 + 6000
    assert storage["home"] == "single-az-ha-2, 1024 GiB, 1280 MB/s"
    assert storage["buckets"] == ["datasets"]


def test_storage_and_checkpoints_in_tables(stored: str) -> None:
    result = CliRunner().invoke(command, [stored, "--model-parameters", "70e9"], env={"COLUMNS": "160"})
    assert result.exit_code == 0
    for text in (
        "27.2 GB/s read",
        "18,000 metadata IOPS",
        "980 GB",
        "lustre fast",
        "local NVMe",
        "every 198 h",
    ):
        assert text in result.stdout


def test_checkpoints_as_json(stored: str) -> None:
    args = [stored, "--format", "json", "--model-parameters", "1e9", "--bytes-per-parameter", "2"]
    plan = json.loads(CliRunner().invoke(command, args).stdout)["checkpoints"]
    assert plan["size_gb"] == 2
    assert {row["tier"]["name"] for row in plan["rows"]} == {"local NVMe", "lustre fast", "lustre deep", "S3"}


@pytest.mark.parametrize("number", ["nan", "inf", "0", "-70e9", "many"])
def test_model_without_a_size_is_refused(stored: str, number: str) -> None:
    result = CliRunner().invoke(command, [stored, "--model-parameters", number])
    assert result.exit_code == 2
    assert "--model-parameters" in result.stderr

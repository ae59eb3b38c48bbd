"""Orchestrators that can be checked, shown and rendered, and not yet deployed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: hyperpod-slurm, controller: head}
software:
  mirror:
    url: s3://sagemaker-atlas-mirror/2026.11
    manifest_sha256: "0000000000000000000000000000000000000000000000000000000000000000"
pools:
  head: {instance_type: m7i.4xlarge, count: 1}
  train: {instance_type: p5.48xlarge, count: 8}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cluster.yaml"
    path.write_text(TEXT)
    return path


def run(*args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clusterwright.cli", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", ["synth", "deploy", "diff", "demo"])
def test_stacks_are_refused_in_one_line(command: str, file: Path) -> None:
    result = run(command, file)
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == (
        "clusterwright: not yet: clusterwright synthesizes eks; hyperpod-slurm can be checked and shown, "
        "and its scripts rendered\n"
    )


@pytest.mark.parametrize("command", ["validate", "show"])
def test_the_rest_works(command: str, file: Path) -> None:
    result = run(command, file)
    assert result.returncode == 0, result.stderr


def test_scripts_hold_the_files_of_slurm(file: Path, tmp_path: Path) -> None:
    result = run("scripts", file, "--output", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    for pool in ("head", "train"):
        assert (tmp_path / "out" / pool / "slurm" / "prolog.sh").exists()
    assert "slurm-controller|" in (tmp_path / "out/head/plan").read_text()

"""``clusterwright synth``: a cloud assembly, whole or not at all."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def h200(root: Path) -> Path:
    return root / "docs" / "examples" / "eks-h200.yaml"


def run(*args: object, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clusterwright.cli", "synth", *map(str, args)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_templates_are_written_and_named(
    h200: Path, root: Path, tmp_path: Path, mask_scripts: Callable[[str], str]
) -> None:
    result = run(h200, "--output", "out", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    names = [
        f"atlas-{part}.template.json"
        for part in ("cluster", "network", "platform", "pool-system", "pool-train")
    ]
    assert result.stdout.splitlines() == [f"out/{name}" for name in names]
    for name in names:
        golden = root / "tests" / "golden" / "eks-h200" / name
        assert mask_scripts((tmp_path / "out" / name).read_text()) == golden.read_text()
    assert len(list((tmp_path / "out").glob("asset.*.tar"))) == 1, "the node scripts, for all pools"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_json_is_all_there_is_on_stdout(h200: Path, tmp_path: Path) -> None:
    result = run(h200, "--format", "json", folder=tmp_path)
    said = json.loads(result.stdout)
    assert said["output"] == "cdk.out"
    assert len(said["templates"]) == 5


def test_an_earlier_assembly_is_replaced(h200: Path, tmp_path: Path) -> None:
    assert run(h200, folder=tmp_path).returncode == 0
    (tmp_path / "cdk.out" / "stale.template.json").write_text("{}")
    assert run(h200, folder=tmp_path).returncode == 0
    assert not (tmp_path / "cdk.out" / "stale.template.json").exists()


def test_errors_leave_the_earlier_assembly_alone(h200: Path, tmp_path: Path) -> None:
    assert run(h200, folder=tmp_path).returncode == 0
    before = sorted(path.name for path in (tmp_path / "cdk.out").iterdir())
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(h200.read_text().replace("p5en.48xlarge", "p5en.48xlarg"))
    result = run(wrong, folder=tmp_path)
    assert result.returncode == 1
    assert "did you mean p5en.48xlarge?" in result.stderr
    assert result.stdout == ""
    assert sorted(path.name for path in (tmp_path / "cdk.out").iterdir()) == before


def test_a_folder_of_other_things_is_not_touched(h200: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("ten years")
    result = run(h200, "--output", "precious", folder=tmp_path)
    assert result.returncode == 1
    assert "no cloud assembly" in result.stderr
    assert (tmp_path / "precious" / "thesis.txt").read_text() == "ten years"


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    result = run("absent.yaml", folder=tmp_path)
    assert result.returncode == 2
    assert "absent.yaml" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_place_that_cannot_be_written_is_one_line(h200: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    result = run(h200, "--output", "file/out", folder=tmp_path)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "file" in result.stderr
    assert len(result.stderr.splitlines()) == 1

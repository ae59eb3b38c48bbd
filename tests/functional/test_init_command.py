"""`clusterwright init` as users run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from clusterwright.checks import check_file
from clusterwright.cli.init import command
from clusterwright.errors import ClusterwrightError
from clusterwright.examples import example_names, example_path

if TYPE_CHECKING:
    from pathlib import Path


def init(*args: str | Path) -> str:
    """Run the command and return what it prints on stdout."""
    return CliRunner().invoke(command, [str(arg) for arg in args], catch_exceptions=False).stdout


def test_default_is_written_to_cluster_yaml_and_validates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert init() == ""
    assert check_file("cluster.yaml").findings == ()
    assert "#" in (tmp_path / "cluster.yaml").read_text()


@pytest.mark.parametrize("preset", example_names())
def test_each_preset_is_its_example(preset: str, tmp_path: Path) -> None:
    init("--preset", preset, "--output", tmp_path / "mine.yaml")
    assert (tmp_path / "mine.yaml").read_text() == example_path(preset).read_text()


def test_presets_are_in_the_help() -> None:
    help_text = init("--help")
    assert all(name in help_text for name in example_names())


def test_dash_prints() -> None:
    assert init("--output", "-") == example_path("eks-h200").read_text()


def test_existing_file_is_kept_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("mine")
    runner = CliRunner()
    error = runner.invoke(command, ["--output", str(path)]).exception
    assert isinstance(error, ClusterwrightError)
    assert "--force" in str(error)
    assert path.read_text() == "mine"
    init("--output", path, "--force")
    assert path.read_text().startswith("# Thirty-two")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("output", ["none/mine.yaml", "."])
def test_unwritable_place_is_one_line(output: str, tmp_path: Path) -> None:
    error = CliRunner().invoke(command, ["--output", str(tmp_path / output)]).exception
    assert isinstance(error, ClusterwrightError)
    assert list(tmp_path.iterdir()) == []


def test_new_file_is_readable_as_others_are(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    init("--output", tmp_path / "mine.yaml")
    assert (tmp_path / "mine.yaml").stat().st_mode == (tmp_path / "other").stat().st_mode

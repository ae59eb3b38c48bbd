"""The whole templates of every example, compared with copies that people review.

``make golden`` writes them anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.config.loading import load_cluster
from clusterwright_stacks.app import build_app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest


def test_templates_are_those_that_were_reviewed(
    example: Path,
    root: Path,
    tmp_path: Path,
    mask_scripts: Callable[[str], str],
    request: pytest.FixtureRequest,
) -> None:
    build_app(load_cluster(example), outdir=str(tmp_path)).synth()
    made = {path.name: mask_scripts(path.read_text()) for path in tmp_path.glob("*.template.json")}
    folder = root / "tests" / "golden" / example.stem
    if request.config.getoption("--rewrite-golden"):
        folder.mkdir(exist_ok=True)
        for path in folder.glob("*.template.json"):
            path.unlink()
        for name, text in made.items():
            (folder / name).write_text(text)
    assert made, "no template was made"
    assert sorted(made) == sorted(path.name for path in folder.glob("*.template.json"))
    for name, text in made.items():
        assert text == (folder / name).read_text(), f"{name} changed: review it, then `make golden`"


def test_every_golden_folder_has_its_example(root: Path) -> None:
    examples = {path.stem for path in (root / "docs" / "examples").glob("*.yaml")}
    folders = {path.name for path in (root / "tests" / "golden").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == examples

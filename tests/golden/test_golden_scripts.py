"""The scripts of every example as they are rendered, compared with copies that people review.

Of each pool only what is its own is kept: the other files are those of the package, the same for all pools.
``make golden`` writes them anew.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from clusterwright.config.loading import load_cluster
from clusterwright.resolution import resolve
from clusterwright.scripts import USER_DATA, render_bundles, render_scripts

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

DIGEST = re.compile(r"(?<=scripts\.tar )[0-9a-f]{64}")
"""That of the shared files: any change of a step changes it, in every example."""


def test_scripts_are_those_that_were_reviewed(
    example: Path, root: Path, request: pytest.FixtureRequest
) -> None:
    cluster = resolve(load_cluster(example))
    own = {f"{pool}/{name}" for pool, bundle in render_bundles(cluster).items() for name in bundle.own}
    made = {
        path: DIGEST.sub("SHA256", text)
        for path, text in render_scripts(cluster).items()
        if path in own or path.endswith(f"/{USER_DATA}")
    }
    folder = root / "tests" / "golden" / example.stem / "scripts"
    if request.config.getoption("--rewrite-golden"):
        shutil.rmtree(folder, ignore_errors=True)
        for path, text in made.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
    stored = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert sorted(made) == sorted(stored)
    for path, text in made.items():
        assert text == (folder / path).read_text(), f"{path} changed: review it, then `make golden`"


def test_shared_files_are_the_same_for_every_pool(example: Path) -> None:
    bundles = render_bundles(resolve(load_cluster(example)))
    first, *others = [bundle.shared for bundle in bundles.values()]
    assert all(shared == first for shared in others)
    assert {"run.sh", "verify_node.py"} <= set(first)


def test_scripts_are_the_same_every_time(example: Path) -> None:
    assert render_scripts(resolve(load_cluster(example))) == render_scripts(resolve(load_cluster(example)))

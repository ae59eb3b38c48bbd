"""The scripts of every example as they are rendered, compared with copies that people review.

Of each pool only what is its own is kept: the other files are those of the package, the same for all pools.
``make golden`` writes them anew.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from email import message_from_string
from pathlib import Path
from typing import TYPE_CHECKING

import clusterwright_lifecycle
from clusterwright.config.loading import load_cluster
from clusterwright.resolution import resolve
from clusterwright.scripts import USER_DATA, render_bundles, render_scripts

if TYPE_CHECKING:
    import pytest

PACKAGED = {path.read_text() for path in Path(clusterwright_lifecycle.__file__).parent.rglob("*.sh")}
"""The scripts that are carried as they are; `make check` runs shellcheck on each."""

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


def find_shell(scripts: dict[str, str]) -> dict[str, str]:
    """What bash reads of the scripts: the files, and the shell part of the user data."""
    shell = {path: text for path, text in scripts.items() if path.endswith((".sh", "/node.env"))}
    for path in (path for path in scripts if path.endswith(f"/{USER_DATA}")):
        for part in message_from_string(scripts[path]).walk():
            if part.get_content_type() == "text/x-shellscript":
                shell[f"{path}.sh"] = str(part.get_payload())
    return shell


def test_bash_and_shellcheck_take_what_is_rendered(example: Path, tmp_path: Path) -> None:
    shell = find_shell(render_scripts(resolve(load_cluster(example))))
    assert any(path.endswith(f"{USER_DATA}.sh") for path in shell)
    files = []
    for text in dict.fromkeys(shell.values()):
        file = tmp_path / f"{len(files)}.sh"
        file.write_text(text)
        files.append(file)
        subprocess.run(["bash", "-n", file], check=True)
    # Each file is checked with its libraries in the package; here only what is rendered is new. SC2034: the
    # variables of node.env are used elsewhere.
    rendered = [file for file in files if file.read_text() not in PACKAGED]
    options = ["--shell=bash", "--exclude=SC2034,SC1091"]
    subprocess.run([Path(sys.executable).parent / "shellcheck", *options, *rendered], check=True)

"""The import rule holds, and each of its contracts fires once it is broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = ("constructs", "stacks", "lifecycle_scripts")
LIBRARY = "constructs/clusterwright"

CONTRACTS = [
    contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
]

OFFENCES = [
    (
        "stacks use the library",
        "lifecycle_scripts/clusterwright_lifecycle/contexts.py",
        "clusterwright.errors",
    ),
    ("stacks use the library", f"{LIBRARY}/resolution.py", "clusterwright_stacks.app"),
    ("inside the library", f"{LIBRARY}/config/base.py", "clusterwright.resolution"),
    ("inside the library", f"{LIBRARY}/hardware/model.py", "clusterwright.config.base"),
    ("inside the library", f"{LIBRARY}/network.py", "clusterwright.orchestrators.eks"),
    ("inside the library", f"{LIBRARY}/a_module_without_a_layer.py", "json"),
    ("only constructs and stacks load the CDK", f"{LIBRARY}/resolution.py", "aws_cdk"),
    ("only constructs and stacks load the CDK", f"{LIBRARY}/checks/__init__.py", "constructs"),
    ("the command line and the embedded AWS", f"{LIBRARY}/cli/validate.py", "clusterwright.network"),
    ("the command line and the embedded AWS", f"{LIBRARY}/localcloud/__init__.py", "jsii"),
    ("only what asks AWS", f"{LIBRARY}/checks/__init__.py", "boto3"),
    ("only what asks AWS", "stacks/clusterwright_stacks/app.py", "moto.server"),
    ("only the command line starts", f"{LIBRARY}/checks/__init__.py", "clusterwright.localcloud"),
]
"""Beginning of a contract's name, the file to spoil, and what it then imports."""


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on a source tree, which is found before the installed one."""
    path = os.pathsep.join(str(tree / each) for each in SOURCE_ROOTS)
    return subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache", "--no-logo"],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the sources."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name in SOURCE_ROOTS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "data"))
    return tmp_path


def test_the_contracts_hold() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in result.stdout


@pytest.mark.parametrize("offence", OFFENCES, ids=lambda offence: f"{Path(offence[1]).stem}-{offence[2]}")
def test_a_broken_contract_is_named(tree: Path, offence: tuple[str, str, str]) -> None:
    beginning, file, module = offence
    (contract,) = [name for name in CONTRACTS if name.startswith(beginning)]
    with (tree / file).open("a") as stream:
        stream.write(f"\nimport {module}\n")
    result = lint(tree)
    assert result.returncode == 1
    assert f"{contract} BROKEN" in result.stdout


def test_each_contract_is_broken_once() -> None:
    unbroken = [name for name in CONTRACTS if not any(name.startswith(each) for each, _, _ in OFFENCES)]
    assert unbroken == []

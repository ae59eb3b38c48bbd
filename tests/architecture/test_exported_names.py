"""The public surface: what each package exports, against a list that changes only on purpose."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import clusterwright

ROOT = Path(__file__).parents[2]
SOURCE_ROOTS = ("constructs", "stacks", "lifecycle_scripts")
STORED = Path(__file__).parent / "exported_names.txt"


def read_exports(init: Path) -> list[str]:
    """The names in a package's ``__all__``, read without importing it: some packages load the CDK."""
    for node in ast.parse(init.read_text()).body:
        if isinstance(node, ast.Assign) and [ast.unparse(each) for each in node.targets] == ["__all__"]:
            names: list[str] = ast.literal_eval(node.value)
            return names
    return []


def collect_exports(root: Path) -> list[str]:
    """Every exported name of every package, in full, sorted."""
    return sorted(
        f"{'.'.join(init.parent.relative_to(root / folder).parts)}.{name}"
        for folder in SOURCE_ROOTS
        for init in (root / folder).rglob("__init__.py")
        for name in read_exports(init)
    )


def test_exported_names_are_those_stored() -> None:
    stored = STORED.read_text().splitlines()
    assert collect_exports(ROOT) == stored, f"a public name came or went: say so in {STORED.name}"


def test_a_new_export_is_noticed(tmp_path: Path) -> None:
    package = tmp_path / "constructs" / "clusterwright"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__all__ = ["surprise"]\n')
    assert collect_exports(tmp_path) == ["clusterwright.surprise"]


@pytest.mark.parametrize("name", STORED.read_text().splitlines())
def test_exported_names_exist(name: str) -> None:
    package, _, attribute = name.rpartition(".")
    assert hasattr(importlib.import_module(package), attribute)


def test_the_facade_lists_its_names() -> None:
    assert set(clusterwright.__all__) <= set(dir(clusterwright))


def test_the_facade_refuses_other_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'load_clusters'"):
        clusterwright.load_clusters  # noqa: B018  the look-up is the test

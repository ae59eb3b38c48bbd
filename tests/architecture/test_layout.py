"""The layout of the source roots, and the size of what is in them."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "constructs": "clusterwright",
    "stacks": "clusterwright_stacks",
    "lifecycle_scripts": "clusterwright_lifecycle",
}
MODULE_LINES = 400
SHORT_FUNCTION_LINES = 30
SHORT_FUNCTIONS = 0.9


def find_layout_faults(root: Path) -> list[str]:
    """What would make a source root importable itself, or put a second package beside ours."""
    faults = []
    for folder, package in PACKAGES.items():
        if (root / folder / "__init__.py").exists():
            faults.append(f"{folder}/__init__.py makes the source root a package")
        entries = {path.name for path in (root / folder).iterdir()} - {"__pycache__", "__init__.py"}
        faults += [f"{folder}/{each} is beside {package}" for each in sorted(entries - {package})]
        if not (root / folder / package / "py.typed").exists():
            faults.append(f"{folder}/{package} is not marked as typed")
    return faults


def find_modules(root: Path) -> list[Path]:
    """Every module of the three packages."""
    return sorted(path for folder in PACKAGES for path in (root / folder).rglob("*.py"))


def find_long_modules(root: Path) -> list[str]:
    """Modules with more lines than a reader takes in."""
    sizes = {path.relative_to(root): len(path.read_text().splitlines()) for path in find_modules(root)}
    return [f"{path} has {size} lines" for path, size in sizes.items() if size > MODULE_LINES]


def measure_functions(root: Path) -> list[int]:
    """Lines of every function and method, from its name to its last statement, docstring included."""
    return [
        node.end_lineno - node.lineno + 1
        for path in find_modules(root)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    ]


def share_of_short(lengths: list[int]) -> float:
    """How many of the functions are short, as a part of one."""
    return sum(length < SHORT_FUNCTION_LINES for length in lengths) / len(lengths)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the sources."""
    for folder in PACKAGES:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_source_roots_hold_one_package_each() -> None:
    assert find_layout_faults(ROOT) == []


@pytest.mark.parametrize("folder", PACKAGES)
def test_an_init_in_a_source_root_is_a_fault(tree: Path, folder: str) -> None:
    (tree / folder / "__init__.py").touch()
    assert find_layout_faults(tree) == [f"{folder}/__init__.py makes the source root a package"]


def test_a_second_package_in_a_source_root_is_a_fault(tree: Path) -> None:
    (tree / "stacks" / "another").mkdir()
    assert find_layout_faults(tree) == ["stacks/another is beside clusterwright_stacks"]


def test_an_untyped_package_is_a_fault(tree: Path) -> None:
    (tree / "constructs" / "clusterwright" / "py.typed").unlink()
    assert find_layout_faults(tree) == ["constructs/clusterwright is not marked as typed"]


def test_modules_are_short() -> None:
    assert find_long_modules(ROOT) == []


def test_a_long_module_is_found(tree: Path) -> None:
    (tree / "stacks" / "clusterwright_stacks" / "long.py").write_text("x = 1\n" * (MODULE_LINES + 1))
    assert find_long_modules(tree) == ["stacks/clusterwright_stacks/long.py has 401 lines"]


def test_nine_functions_in_ten_are_short() -> None:
    lengths = measure_functions(ROOT)
    assert len(lengths) > 100
    assert share_of_short(lengths) >= SHORT_FUNCTIONS


def test_long_functions_are_counted(tmp_path: Path) -> None:
    for folder, package in PACKAGES.items():
        (tmp_path / folder / package).mkdir(parents=True)
    body = "    x = 1\n" * SHORT_FUNCTION_LINES
    module = tmp_path / "stacks" / "clusterwright_stacks" / "app.py"
    module.write_text(f"def long():\n{body}\n\ndef short():\n    x = 1\n")
    assert measure_functions(tmp_path) == [31, 2]
    assert share_of_short([31, 2]) == 0.5

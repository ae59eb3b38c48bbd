"""Ruff's ban on a second way to our packages fires, and every exception to a rule gives its reason."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BANNED_API = "TID251"


def lint(code: str) -> list[str]:
    """The messages that ruff has for the ban, on one file of code inside the checkout."""
    command = [sys.executable, "-m", "ruff", "check", "--select", BANNED_API, "--output-format", "json"]
    result = subprocess.run(
        [*command, "--stdin-filename", str(ROOT / "stacks" / "clusterwright_stacks" / "made_up.py"), "-"],
        input=code,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    return [each["message"] for each in json.loads(result.stdout)]


@pytest.mark.parametrize(
    ("code", "banned"),
    [
        ("from constructs.clusterwright import network\n", "constructs.clusterwright"),
        ("import constructs.clusterwright.network\n", "constructs.clusterwright.network"),
        ("import stacks\n", "stacks"),
        ("from stacks.clusterwright_stacks import app\n", "stacks.clusterwright_stacks"),
        ("from lifecycle_scripts.clusterwright_lifecycle import contexts\n", "lifecycle_scripts"),
    ],
)
def test_the_path_of_a_source_root_is_banned(code: str, banned: str) -> None:
    (message,) = lint(code)
    assert banned.partition(".")[0] in message


@pytest.mark.parametrize(
    "code", ["from constructs import Construct\n", "import clusterwright\n", "import clusterwright_stacks\n"]
)
def test_the_packages_themselves_are_not_banned(code: str) -> None:
    assert lint(code) == []


def find_bare_exceptions(text: str) -> list[str]:
    """Lint and type exceptions without a code, or without a reason after it."""
    lines = [line for line in text.splitlines() if re.search(r"#\s*(noqa|type:\s*ignore)", line)]
    reasoned = re.compile(r"#\s*(noqa:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*|type:\s*ignore\[[\w, -]+\])\s+(#\s*)?\w+")
    return [line.strip() for line in lines if not reasoned.search(line)]


def test_each_exception_in_the_sources_gives_its_reason() -> None:
    folders = ("constructs", "stacks", "lifecycle_scripts", "scripts", "bench")
    bare = {
        str(path.relative_to(ROOT)): lines
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if (lines := find_bare_exceptions(path.read_text()))
    }
    assert bare == {}


@pytest.mark.parametrize(
    ("line", "is_bare"),
    [
        ("import x  # noqa", True),
        ("import x  # noqa: F401", True),
        ("import x  # type: ignore", True),
        ("import x  # type: ignore[import]", True),
        ("import x  # noqa: F401  loaded for its side effect", False),
        ("import x  # type: ignore[import]  # it has no types", False),
    ],
)
def test_a_bare_exception_is_found(line: str, *, is_bare: bool) -> None:
    assert bool(find_bare_exceptions(line)) is is_bare

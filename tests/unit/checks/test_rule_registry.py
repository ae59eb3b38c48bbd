"""One rule is one file, one entry of the registry and one row of the reference."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from clusterwright.checks import rules
from clusterwright.checks.registry import RULES, describe_codes
from clusterwright.config.complaints import CODES

FOLDER = Path(rules.__path__[0])


def test_each_file_holds_one_registered_rule() -> None:
    modules = [path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"]
    found = {import_module(f"clusterwright.checks.rules.{module}").RULE.code for module in modules}
    assert len(found) == len(modules) == len(RULES)
    assert found == {rule.code for rule in RULES}


def test_files_begin_with_their_code() -> None:
    for rule in RULES:
        path = Path(rule.find.__code__.co_filename)
        assert path.read_text().startswith(f'"""{rule.code}: '), path


def test_codes_are_an_area_and_a_number() -> None:
    assert all(re.fullmatch(r"[A-Z]{3}[0-9]{3}", code) for code in describe_codes())
    assert not CODES.keys() & {rule.code for rule in RULES}


def test_titles_are_sentences() -> None:
    assert all(
        title.endswith(".") and title[0] in "`ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for title in describe_codes().values()
    )


def test_reference_has_a_row_for_each_code(root: Path) -> None:
    page = (root / "docs/reference/checks.md").read_text()
    assert re.findall(r"^\| ([A-Z]{3}[0-9]{3}) \|", page, re.MULTILINE) == list(describe_codes())

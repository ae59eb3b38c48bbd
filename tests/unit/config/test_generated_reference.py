"""docs/reference holds what the models and rules say, and no more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clusterwright.checks.reference import render_reference as render_checks
from clusterwright.config.reference import render_reference as render_config
from clusterwright.config.schema import build_schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(("name", "render"), [("config.md", render_config), ("checks.md", render_checks)])
def test_page_is_up_to_date(name: str, render: Callable[[], str], root: Path) -> None:
    page = (root / "docs/reference" / name).read_text(encoding="utf-8")
    assert page == render(), "run scripts/generate_reference.py"


def test_reference_has_each_field_of_each_section() -> None:
    schema = build_schema()
    sections = [schema, *schema["$defs"].values()]
    expected = [name for section in sections for name in section["properties"]]
    documented = re.findall(r"^\| `(\w+)` \|", render_config(), re.MULTILINE)
    assert sorted(documented) == sorted(expected)


def test_reference_tells_types_in_words() -> None:
    page = render_config()
    assert "| `count` | a whole number from 0 to 10000 |" in page
    assert "| `subnets` | a mapping: a zone id to a subnet id," in page
    assert "## `capacity.<name>` of the kind `capacity-block`" in page

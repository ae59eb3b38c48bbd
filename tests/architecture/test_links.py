"""What points to a page points to one that is there; mkdocs sees to the links inside of docs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("*.md"))
SOURCES = sorted(path for folder in ("constructs", "stacks") for path in (ROOT / folder).rglob("*.py"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED_PAGE = re.compile(r'"([^"]+)" in\s+the\s+documentation')


def find_broken_links(page: Path) -> list[str]:
    """Relative links of a page that lead to no file or folder."""
    targets = [link.partition("#")[0] for link in LINK.findall(page.read_text()) if ":" not in link]
    return [target for target in targets if target and not (page.parent / target).exists()]


def list_texts(source: str) -> list[str]:
    """Every text of a module but its own docstring: what may reach a user."""
    module = ast.parse(source)
    own = module.body[0].value if ast.get_docstring(module) and isinstance(module.body[0], ast.Expr) else None
    return [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node is not own
    ]


def test_the_pages_beside_the_readme_are_looked_at() -> None:
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"} <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    assert find_broken_links(page) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text("[a](README.md#part), [b](docs/none.md), [c](https://example.com/none.md), [d](#part)\n")
    assert find_broken_links(page) == ["docs/none.md"]


def test_messages_name_no_file_that_a_wheel_lacks() -> None:
    named = {path.name for path in SOURCES for text in list_texts(path.read_text()) if "docs/" in text}
    assert named == set()


def test_pages_that_messages_name_are_there() -> None:
    titles = {page.read_text().partition("\n")[0].removeprefix("# ") for page in ROOT.glob("docs/**/*.md")}
    texts = [text for path in SOURCES for text in list_texts(path.read_text())]
    named = {title for text in texts for title in NAMED_PAGE.findall(text)}
    assert named
    assert named <= titles

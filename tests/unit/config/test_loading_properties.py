"""Whatever a file holds, reading it ends in a cluster, in findings inside the file, or in our own error."""

from __future__ import annotations

from pathlib import Path

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clusterwright.checks.engine import check_reading
from clusterwright.config.loading import Reading, parse_cluster, read_text
from clusterwright.config.source_map import split_lines
from clusterwright.errors import UnreadableFileError

GOOD = (Path(__file__).parents[3] / "docs" / "examples" / "eks-h200.yaml").read_text(encoding="utf-8")
SNIPPETS = st.sampled_from(
    [":", "- ", "\t", "{", "}", "[", "]", "'", '"', "&a ", "*a", "!!int ", "<<: ", "---\n", "\n"]
)
ENCODABLE = st.characters(exclude_categories=["Cs"])


def check(reading: Reading) -> None:
    """A reading has a cluster or findings, and each finding, those of the rules too, a place in the text."""
    assert (reading.cluster is None) == bool(reading.findings)
    lines = split_lines(reading.text)
    for finding in check_reading(reading).findings:
        assert finding.message
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1


@given(st.text(ENCODABLE) | st.text(st.sampled_from("ab:-[]{}&*!|>'\"#%@` \n\t\u2028\x85"), max_size=60))
@settings(max_examples=400, deadline=None)
@example("---")
@example("a: |\n")
@example("\ufeff")
def test_any_text(text: str) -> None:
    check(parse_cluster(text))


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_bytes(tmp_path_factory: object, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"  # type: ignore[attr-defined]
    path.write_bytes(content)
    try:
        text = read_text(path)
    except UnreadableFileError:
        return
    check(parse_cluster(text))


@given(st.integers(0, len(GOOD)), st.integers(0, 40), SNIPPETS | st.text(ENCODABLE, max_size=4))
@settings(max_examples=400, deadline=None)
def test_damaged_file(start: int, length: int, inserted: str) -> None:
    check(parse_cluster(GOOD[:start] + inserted + GOOD[start + length :]))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(ENCODABLE, max_size=8) | st.datetimes(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(ENCODABLE, max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def rewritten(draw: st.DrawFn) -> str:
    """The good file with one of its values replaced by any other."""
    data = yaml.safe_load(GOOD)
    section, parents = data, []
    while isinstance(section, dict) and section and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(section)))
        parents.append((section, key))
        section = section[key]
    if parents:
        owner, key = parents[-1]
        owner[key] = draw(VALUES)
    text: str = yaml.safe_dump(data, allow_unicode=draw(st.booleans()))
    return text


@given(rewritten())
@settings(max_examples=400, deadline=None)
def test_any_value_in_place_of_another(text: str) -> None:
    check(parse_cluster(text))

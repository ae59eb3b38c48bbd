"""YAML as such: what is read, what is refused, and where."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from clusterwright.config.document import DEPTH_LIMIT, VALUE_LIMIT, parse_document
from clusterwright.config.source_map import Place, clamp, split_lines

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefg", "bcdefgh", strict=True)
)

REFUSED = {
    "empty": ("", "CFG002", "empty", 1, 1),
    "comment only": ("# nothing\n", "CFG002", "empty", 1, 1),
    "a list": ("\n- a\n- b\n", "CFG002", "a list", 2, 1),
    "one word": ("cluster\n", "CFG002", "a single value", 1, 1),
    "tab": ("a:\n\tb: 1\n", "CFG001", "tab", 2, 1),
    "colon in text": ("a: b: c\n", "CFG001", "mapping values are not allowed", 1, 5),
    "open quote": ('a: "b\n', "CFG001", "end of stream", 1, 6),
    "open bracket": ("a: [b\n", "CFG001", "expected ',' or ']'", 1, 6),
    "control character": ("a: b\nc: \x07\n", "CFG001", "U+0007", 2, 4),
    "unknown alias": ("a: *b\n", "CFG001", "undefined alias", 1, 4),
    "duplicate key": ("a: 1\nb: 2\na: 3\n", "CFG003", "first is on line 1", 3, 1),
    "number as key": ("a: 1\n2: b\n", "CFG004", "key 2 is not text", 2, 1),
    "boolean as key": ("on: 1\n", "CFG004", "key on is not text", 1, 1),
    "list as key": ("? [a]\n: 1\n", "CFG006", "no single value", 1, 3),
    "two documents": ("a: 1\n---\nb: 2\n", "CFG005", "second YAML document", 2, 1),
    "tag": ("a: !!python/object:os.system b\n", "CFG006", "python/object", 1, 4),
    "merge key": ("a: &x {b: 1}\nc: {<<: *x}\n", "CFG006", "merge keys", 2, 5),
    "deep nesting": ("[" * 100_000, "CFG006", f"more than {DEPTH_LIMIT} deep", 1, DEPTH_LIMIT + 2),
    "alias in itself": ("a: &x [*x]\n", "CFG006", f"more than {DEPTH_LIMIT} deep", 1, 4),
    "aliases without bounds": (BOMB, "CFG006", f"more than {VALUE_LIMIT} values", 1, 11),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, code, words, line, column = REFUSED[name]
    document = parse_document(text)
    (complaint,) = document.complaints
    assert complaint.code == code
    assert words in complaint.message
    assert complaint.place is not None
    assert clamp(complaint.place, split_lines(text)) == Place(line, column)


def test_values_are_those_of_yaml() -> None:
    text = "i: 3\nf: 1.34\nb: yes\ns: text\nq: '3'\nn:\nt: 2026-12-01T11:30:00Z\nl: [1, a]\nm: {a: {b: c}}\n"
    document = parse_document(text)
    assert document.complaints == []
    assert document.data == {
        "i": 3,
        "f": 1.34,
        "b": True,
        "s": "text",
        "q": "3",
        "n": None,
        "t": datetime(2026, 12, 1, 11, 30, tzinfo=UTC),
        "l": [1, "a"],
        "m": {"a": {"b": "c"}},
    }
    assert document.source_map.unquoted["f",] == "1.34"
    assert ("q",) not in document.source_map.unquoted


@pytest.mark.parametrize("value", ["2026-13-45", "!!int many", "!!bool maybe", "9" * 5000])
def test_what_only_looks_like_a_value_stays_text(value: str) -> None:
    data = parse_document(f"a: {value}\n").data
    assert data == {"a": value.rsplit(" ", 1)[-1]}


def test_alias_repeats_its_anchor() -> None:
    document = parse_document("a: &x [b, c]\nd: *x\n")
    assert document.data == {"a": ["b", "c"], "d": ["b", "c"]}
    assert document.source_map.value(("d", 1)) == Place(1, 11)


def test_places_count_characters() -> None:
    source_map = parse_document("a:\n  é: {ü: «x», b: 1}\n").source_map
    assert source_map.key(("a", "é", "b")) == Place(2, 15)
    assert source_map.value(("a", "é", "b")) == Place(2, 18)


def test_place_of_what_is_absent_is_the_section_around_it() -> None:
    source_map = parse_document("a:\n  b:\n    c: 1\n").source_map
    assert source_map.value(("a", "b", "x")) == Place(2, 3)
    assert source_map.value(("y",)) == Place(1, 1)
    assert source_map.value(("a", "b", "c")) == Place(3, 8)


def test_first_of_two_equal_keys_counts() -> None:
    assert parse_document("a: 1\na: 2\n").data == {"a": 1}

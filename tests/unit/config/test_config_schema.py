"""The JSON Schema: valid itself, and of one mind with the loader on what a single field may hold."""

from __future__ import annotations

from copy import deepcopy
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from clusterwright.config.cluster import LATER_SECTIONS
from clusterwright.config.document import parse_document
from clusterwright.config.schema import build_schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCHEMA = build_schema()
VALIDATOR = Draft202012Validator(SCHEMA)


def read_json(path: Path) -> Any:
    """A YAML file as JSON data: times are text there."""
    return to_json(parse_document(path.read_text()).data)


def to_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: to_json(each) for key, each in value.items()}
    if isinstance(value, list):
        return [to_json(each) for each in value]
    return value.isoformat() if isinstance(value, datetime) else value


def iterate_properties(schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each property of each section of the schema."""
    yield from schema.get("properties", {}).items()
    for section in schema.get("$defs", {}).values():
        yield from iterate_properties(section)


def test_schema_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_schema_accepts_each_example(example: Path) -> None:
    assert list(VALIDATOR.iter_errors(read_json(example))) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("name",), "Atlas"),
        (("frobnicate",), 1),
        (("region",), None),
        (("orchestrator", "version"), 1.34),
        (("orchestrator", "endpoint"), "privat"),
        (("orchestrator", "admins"), "someone"),
        (("network", "cidr"), "not-a-cidr"),
        (("capacity", "h200", "kind"), "spot"),
        (("capacity", "h200", "count"), 0),
        (("capacity", "H200"), {"kind": "spot"}),
        (("pools", "train", "count"), -3),
        (("pools", "train", "count"), "3"),
        (("pools", "train", "taints"), ["team=research"]),
        (("pools", "train", "cuont"), 3),
        (("pools",), {}),
        *(((section,), {}) for section in LATER_SECTIONS),
    ],
)
def test_schema_refuses(path: tuple[str, ...], value: object, root: Path) -> None:
    data = deepcopy(read_json(root / "docs/examples/eks-h200.yaml"))
    section = data
    for part in path[:-1]:
        section = section[part]
    section[path[-1]] = value
    assert not VALIDATOR.is_valid(data)


EFFECTS = {"no interruption", "replaces nodes", "replaces the cluster", "loses data"}


def test_each_property_has_a_description_and_says_what_a_change_does() -> None:
    properties = list(iterate_properties(SCHEMA))
    assert len(properties) > 30
    for name, field in properties:
        assert field.get("description", "").endswith("."), name
        assert field.get("x-on-change") in EFFECTS, name


def test_schema_shows_examples() -> None:
    assert SCHEMA["properties"]["zone"]["examples"] == ["use2-az3"]
    assert "anyOf" not in SCHEMA["properties"]["zone"]

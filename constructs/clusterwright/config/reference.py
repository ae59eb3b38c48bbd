"""The reference of cluster.yaml as Markdown, made from the JSON Schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clusterwright.config.fields import FORMS
from clusterwright.config.schema import build_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]

_HEAD = """\
# cluster.yaml

<!-- Made from the models by scripts/generate_reference.py; `make reference` writes it anew. -->

Everything that a cluster.yaml of this release may hold. *A change* says what changing a field does to a
running cluster. `clusterwright schema` prints the same as JSON Schema, for editors.
"""


def render_reference() -> str:
    """The whole page."""
    schema = build_schema()
    definitions = schema["$defs"]
    parts = {"": _HEAD, "The top": _render_section("The top", schema, definitions)}
    for path, section in _iterate_sections("", schema, definitions):
        kind = section["properties"].get("kind", {}).get("const")
        title = f"`{path}`" + (f" of the kind `{kind}`" if kind else "")
        parts[title] = _render_section(title, section, definitions)  # kinds may share what is below them
    return "\n".join(parts.values())


def _iterate_sections(path: str, schema: Schema, definitions: Schema) -> Iterator[tuple[str, Schema]]:
    """Each section below a section, depth first, with its path."""
    for name, field in schema["properties"].items():
        below = f"{path}.{name}" if path else name
        for suffix, section in _sections_of(field, definitions):
            yield below + suffix, section
            yield from _iterate_sections(below + suffix, section, definitions)


def _sections_of(field: Schema, definitions: Schema) -> Iterator[tuple[str, Schema]]:
    """The sections that a field holds, itself, in a list or by name, each with what to add to the path."""
    if "$ref" in field:
        yield "", definitions[field["$ref"].rsplit("/", 1)[1]]
    for each in field.get("oneOf", ()):
        yield from _sections_of(each, definitions)
    if "items" in field:
        for suffix, section in _sections_of(field["items"], definitions):
            yield f"[]{suffix}", section
    for each in field.get("patternProperties", {}).values():
        for suffix, section in _sections_of(each, definitions):
            yield f".<name>{suffix}", section


def _render_section(title: str, section: Schema, definitions: Schema) -> str:
    required = section.get("required", ())
    rows = [
        f"| `{name}` | {_describe_type(field, definitions)} | {_describe_default(field, name in required)} "
        f"| {field.get('x-on-change', '')} | {field.get('description', '')} |"
        for name, field in section["properties"].items()
    ]
    table = ["| field | takes | if absent | a change | meaning |", "|---|---|---|---|---|", *rows]
    return "\n".join([f"## {title}", "", section["description"], "", *table, ""])


def _describe_default(field: Schema, is_required: bool) -> str:  # noqa: FBT001  called in one place
    if is_required:
        return "required"
    default = field.get("default")
    return f"`{json.dumps(default)}`" if default not in (None, [], {}) else "—"


def _describe_type(field: Schema, definitions: Schema) -> str:
    """What a field takes, in words."""
    if "const" in field or "enum" in field:
        return " or ".join(f"`{value}`" for value in field.get("enum", [field.get("const")]))
    if any(True for _ in _sections_of(field, definitions)):
        if "items" in field:
            return "a list of sections"
        return "sections by your own names" if "patternProperties" in field else "a section"
    if "patternProperties" in field:
        ((key, value),) = field["patternProperties"].items()
        return f"a mapping: {FORMS[key].noun} to {_describe_type(value, definitions)}"
    if field["type"] == "array":
        return f"a list, each item {_describe_type(field['items'], definitions)}"
    return _describe_scalar(field)


def _describe_scalar(field: Schema) -> str:
    if field["type"] == "boolean":
        return "`true` or `false`"
    if field["type"] == "integer":
        return f"a whole number{_describe_bounds(field)}"
    return "a time in UTC" if field.get("format") == "date-time" else _describe_text(field)


def _describe_text(field: Schema) -> str:
    form = FORMS.get(field.get("pattern", ""))
    return f"{form.noun}, such as `{field['examples'][0]}`" if form else "text"


def _describe_bounds(field: Schema) -> str:
    least, most = field.get("minimum"), field.get("maximum")
    if most is not None:
        return f" from {least} to {most}"
    return f", at least {least}" if least is not None else ""

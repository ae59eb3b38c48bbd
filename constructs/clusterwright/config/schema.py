"""The JSON Schema of cluster.yaml, made from the models, for editors and for the reference."""

from __future__ import annotations

from typing import Any

from clusterwright.config.cluster import ClusterConfig

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_NAMED_SCHEMAS = ("properties", "patternProperties", "$defs")
"""Keywords whose value maps names to schemas."""

_PLAIN = ("default", "examples", "enum", "const", "required", "x-on-change")
"""Keywords whose value is data, not a schema."""

_DROPPED = ("title", "discriminator")
"""What pydantic adds for generators of code: names in title case, and OpenAPI's own keyword."""


def build_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of cluster.yaml.

    Each property has a description, and as ``x-on-change`` what a change does to a running cluster.
    It knows what a single field may hold; what fields mean together is for `clusterwright validate`.
    """
    schema = _clean(ClusterConfig.model_json_schema())
    return {"$schema": DIALECT, "title": "cluster.yaml", **schema}


def _clean(schema: Any) -> Any:  # noqa: ANN401  a schema, a list of schemas, or a plain value
    if isinstance(schema, list):
        return [_clean(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    cleaned = {key: _clean_keyword(key, value) for key, value in schema.items() if key not in _DROPPED}
    if "patternProperties" in cleaned:
        cleaned.pop("propertyNames", None)
        cleaned["additionalProperties"] = False
    return _without_null(cleaned)


def _clean_keyword(key: str, value: Any) -> Any:  # noqa: ANN401  as above
    if key in _PLAIN:
        return value
    if key in _NAMED_SCHEMAS:
        return {name: _clean(each) for name, each in value.items()}
    return _clean(value)


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A field that may be absent need not also offer ``null``."""
    choices = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(choices) != 1:
        return schema
    kept = {
        key: value for key, value in schema.items() if key != "anyOf" and (key, value) != ("default", None)
    }
    return {**choices[0], **kept}

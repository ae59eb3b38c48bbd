"""CloudFormation's own schema of each resource type, from the snapshot that cfn-lint ships."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import regex
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER, ResourceNotFoundError
from jsonschema import Draft7Validator, TypeChecker, ValidationError
from jsonschema.validators import extend

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PROPERTIES = "/properties/"

REPLACED_BESIDES: Mapping[str, tuple[str, ...]] = {
    "AWS::FSx::FileSystem": (
        "FileSystemTypeVersion",
        "LustreConfiguration/CopyTagsToBackups",
        "LustreConfiguration/DeploymentType",
        "LustreConfiguration/PerUnitStorageThroughput",
        "OpenZFSConfiguration/DeploymentType",
        "OpenZFSConfiguration/RootVolumeConfiguration",
    ),
}
"""Properties whose change replaces a resource and which the schema does not list as create-only.

CloudFormation's template reference says so ("Update requires: Replacement"), and the CDK CLI's ``diff`` knows
it from there; read 2026-11-20.
"""


@lru_cache(maxsize=256)
def resource_schema(region: str, resource_type: str) -> ResourceSchema | None:
    """The schema of a type in a region, or None where the region does not have the type."""
    try:
        schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(region, resource_type)
    except ResourceNotFoundError:
        return None
    return ResourceSchema(schema, REPLACED_BESIDES.get(resource_type, ()))


class ResourceSchema:
    """What CloudFormation knows of a resource type.

    Args:
        schema: The resource provider schema as cfn-lint holds it, a JSON schema with additions.
        replaced_besides: Paths of properties whose change replaces a resource, beside the schema's own.
    """

    def __init__(self, schema: Any, replaced_besides: Sequence[str] = ()) -> None:  # noqa: ANN401  cfn-lint is untyped here
        self._schema: Mapping[str, Any] = schema.schema
        self._replaced_besides = replaced_besides
        self.attributes: frozenset[str] = frozenset(schema.get_atts)
        """What Fn::GetAtt may ask for, such as ``Arn`` or ``Endpoint.Address``."""

    def problems(self, properties: Mapping[str, Any]) -> list[str]:
        """What is wrong with resolved properties, one line each; empty where nothing is."""
        found = [
            f"{_place(error)}: {error.message}" for error in self._validator.iter_errors(dict(properties))
        ]
        found += [f"#/{name}: is read-only" for name in sorted(self._read_only & set(properties))]
        return found

    def replacing_changes(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
        """The changed properties that CloudFormation cannot change on a resource that exists."""
        return _changed(self.replaced_for, old, new)

    def maybe_replacing_changes(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
        """The changed properties that CloudFormation can change in some cases only."""
        return _changed(self._paths("conditionalCreateOnlyProperties"), old, new)

    @property
    def replaced_for(self) -> list[str]:
        """Paths of the properties whose change replaces a resource."""
        return [*self._paths("createOnlyProperties"), *self._replaced_besides]

    def _paths(self, key: str) -> list[str]:
        return [pointer.removeprefix(PROPERTIES) for pointer in self._schema.get(key, [])]

    @property
    def _read_only(self) -> frozenset[str]:
        pointers = (item.removeprefix(PROPERTIES) for item in self._schema.get("readOnlyProperties", []))
        return frozenset(pointer for pointer in pointers if "/" not in pointer)

    @cached_property
    def _validator(self) -> Any:  # noqa: ANN401  jsonschema builds validator classes at run time
        return CLOUDFORMATION_VALIDATOR(dict(self._schema))


def _changed(paths: list[str], old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [path for path in paths if _values_at(old, path.split("/")) != _values_at(new, path.split("/"))]


def _place(error: ValidationError) -> str:
    return "#/" + "/".join(str(part) for part in error.absolute_path)


def _values_at(value: Any, path: list[str]) -> list[Any]:  # noqa: ANN401  properties are JSON
    """Every value at a schema path, where ``*`` stands for each item of a list."""
    if not path:
        return [value]
    head, *rest = path
    if head == "*":
        return [found for item in value or [] for found in _values_at(item, rest)]
    return _values_at(value[head], rest) if isinstance(value, dict) and head in value else []


def _is_text(_: TypeChecker, value: object) -> bool:
    return isinstance(value, (str, int, float))


def _is_flag(_: TypeChecker, value: object) -> bool:
    return isinstance(value, bool) or value in ("true", "false")


def _is_integer(_: TypeChecker, value: object) -> bool:
    if isinstance(value, str):
        return value.lstrip("-").isdigit()
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(checker: TypeChecker, value: object) -> bool:
    return isinstance(value, float) or _is_integer(checker, value)


def _pattern(_: object, pattern: str, value: object, __: object) -> Iterator[ValidationError]:
    """Match by the ``regex`` package: the schemas use Unicode classes, which ``re`` lacks."""
    if isinstance(value, str) and not regex.search(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


CLOUDFORMATION_VALIDATOR: Any = extend(  # type: ignore[no-untyped-call]  # jsonschema types it partly
    Draft7Validator,
    validators={"pattern": _pattern},
    type_checker=Draft7Validator.TYPE_CHECKER.redefine_many(
        {"string": _is_text, "boolean": _is_flag, "integer": _is_integer, "number": _is_number}
    ),
)
"""JSON Schema draft 7 as CloudFormation reads it: a number or a flag may be written as a string, and back."""

"""What the models allow at each place of the file: which section, which fields."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin

from pydantic import BaseModel

from clusterwright.config.cluster import ClusterConfig
from clusterwright.config.orchestrator import AnyOrchestrator

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from clusterwright.config.source_map import Path


def find_section(path: Path, data: object) -> type[BaseModel] | None:
    """The section that a path leads to, or None where it leads to a plain value or nowhere.

    Args:
        path: Field names, the user's own names and list positions, from the top.
        data: The file's data, whose `kind` fields choose among the sections of a union.
    """
    section = find_annotation(path, data)
    return section if is_model(section) else None


def find_annotation(path: Path, data: object) -> object:
    """What may stand where a path leads: a section or another type, or None where it leads nowhere.

    Args:
        path: Field names, the user's own names and list positions, from the top.
        data: The file's data, whose `kind` fields choose among the sections of a union.
    """
    found: object = ClusterConfig
    for part in path:
        found = _step(found, part)
        data = item(data, part)
        found = choose(found, data)
    return found


def find_kinds(path: Path, data: object) -> tuple[str, ...]:
    """What the field `kind` may hold where a path leads to a choice of sections; empty elsewhere.

    Args:
        path: As for `find_annotation`, of at least one part.
        data: The file's data.
    """
    found = alternatives(_step(find_annotation(path[:-1], data), path[-1]))
    return tuple(kind for each in found if is_model(each) and (kind := kind_of(each)) is not None)


def fields_of(section: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a section, by the names they have in the file, of which Python keeps some for itself."""
    return {field.alias or name: field for name, field in section.model_fields.items()}


def alternatives(annotation: object) -> tuple[Any, ...]:
    """The types that an annotation is made of: its union taken apart, ``None`` and metadata left out."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return alternatives(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        parts = (alternatives(each) for each in get_args(annotation) if each is not NoneType)
        return tuple(each for part in parts for each in part)
    return AnyOrchestrator.alternatives() if annotation is AnyOrchestrator else (annotation,)


def kind_of(section: type[BaseModel]) -> str | None:
    """The value of `kind` that chooses a section, or None where it has no such field."""
    field = section.model_fields.get("kind")
    return str(get_args(field.annotation)[0]) if field else None


def _step(section: object, part: str | int) -> object:
    if is_model(section) and part in (fields := fields_of(section)):
        return fields[str(part)].annotation
    if get_origin(section) is dict:
        return get_args(section)[1]
    if get_origin(section) is tuple:
        return get_args(section)[0]
    return None


def choose(annotation: object, data: object) -> object:
    """The alternative that the data's `kind` names, or else the only one."""
    found = alternatives(annotation)
    if len(found) == 1:
        return found[0]
    kind = data.get("kind") if isinstance(data, dict) else None
    return next((each for each in found if is_model(each) and kind_of(each) == kind), None)


def item(data: object, part: object) -> object:
    """What a mapping or a list holds at a place; None where it holds nothing there."""
    if isinstance(data, dict):
        return data.get(part)
    if isinstance(data, list) and isinstance(part, int) and part < len(data):
        return data[part]
    return None


def is_model(annotation: object) -> TypeGuard[type[BaseModel]]:
    """Whether an annotation is a section."""
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def literals(annotation: object) -> tuple[str, ...]:
    """The values that a field of fixed choices allows; empty for other fields."""
    values: list[str] = []
    for each in alternatives(annotation):
        if get_origin(each) is Literal:
            values.extend(str(value) for value in get_args(each))
    return tuple(values)

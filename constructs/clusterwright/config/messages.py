"""pydantic's errors → words that tell a person what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.config.complaints import Complaint
from clusterwright.config.fields import FORMS
from clusterwright.config.source_map import dotted
from clusterwright.config.spelling import NEAR, find_nearest, find_neighbours, say_nearest, suggest
from clusterwright.config.structure import (
    fields_of,
    find_annotation,
    find_kinds,
    find_section,
    item,
    kind_of,
    literals,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pydantic_core import ErrorDetails

    from clusterwright.config.source_map import Path

    LocatedError = tuple[ErrorDetails, Path]

_SHOWN_CHARACTERS = 60

_WANTED = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "datetime_type": "a time such as 2026-12-01T11:30:00Z",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "tuple_type": "a list",
}
"""What a field takes, by the type of pydantic's error."""


def locate(errors: Iterable[ErrorDetails], data: dict[str, Any]) -> list[LocatedError]:
    """What pydantic found wrong in the file's data, each with its path in the file."""
    return [(error, _locate(error, data)) for error in errors]


def explain(
    located: Sequence[LocatedError], data: dict[str, Any], unquoted: Mapping[Path, str]
) -> list[Complaint]:
    """One complaint for each mistake.

    Args:
        located: What pydantic found wrong in `data`.
        data: The file's data.
        unquoted: How the scalars are spelled that are not in quotes, by path.
    """
    meant = pair_misspelt(located, data)
    complaints = []
    for error, path in located:
        if error["type"] == "extra_forbidden":
            complaints.append(_explain_unknown(path, data, meant.get(path)))
        elif not (error["type"] == "missing" and path in meant.values()):
            explainer = _EXPLAINERS.get(error["type"], _explain_other)
            complaints.append(explainer(error, path, data, unquoted.get(path)))
    return complaints


def show(value: object) -> str:
    """A value as a message quotes it: short."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


def _locate(error: ErrorDetails, data: object) -> Path:
    """The path in the file: pydantic also names the alternative of a union, and marks keys."""
    path: Path = ()
    parts = error["loc"]
    for at, part in enumerate(parts):
        is_alternative = isinstance(data, dict) and part not in data and part == data.get("kind")
        is_missing_field = error["type"] == "missing" and at == len(parts) - 1
        if part == "[key]" or (is_alternative and not is_missing_field):
            continue
        path = (*path, part)
        data = item(data, part)
    field = error.get("ctx", {}).get("field")
    return (*path, field) if field and isinstance(data, dict) else path


def pair_misspelt(
    located: Sequence[LocatedError], data: dict[str, Any], likeness: float = NEAR
) -> dict[Path, Path]:
    """For each unknown field, the field of its section that was probably meant."""
    meant = {}
    for error, path in located:
        section = find_section(path[:-1], data) if error["type"] == "extra_forbidden" else None
        if section is not None:
            near = find_nearest(path[-1], fields_of(section), likeness)
            if near is not None:
                meant[path] = (*path[:-1], near)
    return meant


def _explain_unknown(path: Path, data: dict[str, Any], meant: Path | None) -> Complaint:
    section = find_section(path[:-1], data)
    fields = ", ".join(fields_of(section)) if section else ""
    kind = kind_of(section) if section else None
    where = f" in {dotted(path[:-1])}" if path[:-1] else ""
    where += f", which is of the kind {kind}" if kind else ""
    hint = f"did you mean {meant[-1]}?" if meant else f"the fields here are {fields}"
    name = str(path[-1]) if str(path[-1]).isidentifier() else show(path[-1])
    return Complaint("CFG007", f"there is no field {name}{where}", path, hint, is_about_key=True)


def _explain_missing(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    if path[-1] == "kind" and len(find_kinds(path[:-1], data)) > 1:
        return _explain_kind_missing(error, path, data, raw)
    del error, raw
    section = find_section(path[:-1], data)
    field = fields_of(section).get(str(path[-1])) if section else None
    hint = f"{path[-1]}: {field.description}" if field else ""
    allowed = literals(field.annotation) if field else ()
    hint += f" One of {', '.join(allowed)}." if allowed else ""
    where = dotted(path[:-1]) or "the file"
    return Complaint("CFG008", f"{where} lacks the field {path[-1]}", path, hint)


def _explain_kind_missing(
    error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None
) -> Complaint:
    del raw
    section = path[:-1] if error["type"] == "missing" else path
    *others, last = find_kinds(section, data)
    hint = f"kind: {', '.join(others)} or {last}"
    return Complaint("CFG008", f"{dotted(section)} lacks the field kind", path, hint)


def _explain_kind(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    del data, raw
    allowed = [each.strip(" '") for each in error["ctx"]["expected_tags"].split(",")]
    return _not_allowed((*path, "kind"), error["ctx"]["tag"], allowed)


def _explain_type(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    del data
    value = error["input"]
    wanted = _WANTED[error["type"]]
    if value is None:
        return Complaint("CFG009", f"{dotted(path)} has no value; it takes {wanted}", path)
    message = f"{dotted(path)} takes {wanted}, not {_name_kind(value, raw)}"
    return Complaint("CFG009", message, path, _hint_type(wanted, value, raw))


def _name_kind(value: object, raw: str | None) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    spelled = show(value) if raw is None else raw[:_SHOWN_CHARACTERS]
    if isinstance(value, bool):
        return f"{spelled}, which is {str(value).lower()} for YAML"
    if isinstance(value, int | float):
        return f"the number {spelled}"
    return f"the text {spelled}" if isinstance(value, str) else f"the date {spelled}"


def _hint_type(wanted: str, value: object, raw: str | None) -> str:
    if wanted == "text" and raw is not None:
        return f'put it in quotes: "{raw}"'
    if wanted == "a list" and isinstance(value, str):
        return "begin each item on a line of its own with a hyphen, or write [one, another]"
    if wanted == "a whole number" and isinstance(value, str) and value.isdecimal():
        return "remove the quotes"
    return ""


def _explain_choice(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    return _not_allowed(path, error["input"], literals(find_annotation(path, data)), raw)


def _not_allowed(path: Path, value: object, allowed: Iterable[str], raw: str | None = None) -> Complaint:
    allowed = tuple(allowed)
    message = f"{dotted(path)} cannot be {show(value)}; allowed: {', '.join(allowed)}"
    # Numbers that are spelled alike need not be near each other.
    hint = suggest(value, allowed) if isinstance(value, str) else _nearest_number(value, allowed)
    if value in allowed:
        hint = "remove the quotes"
    elif raw in allowed:
        hint = f'put it in quotes: "{raw}"'
    return Complaint("CFG010", message, path, hint)


def _nearest_number(value: object, allowed: Sequence[str]) -> str:
    """A hint with the allowed numbers next to one, if there is a choice of numbers."""
    numbers = [int(each) for each in allowed if each.isdecimal()]
    if isinstance(value, bool) or not isinstance(value, int | float) or len(numbers) < 2:  # noqa: PLR2004  a choice
        return ""
    return say_nearest(find_neighbours(value, numbers))


def _explain_pattern(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    del data, raw
    form = FORMS[error["ctx"]["pattern"]]
    is_about_key = error["loc"][-1] == "[key]"
    subject = dotted(path[:-1] if is_about_key else path)
    subject = (
        f"the key {show(path[-1])} in {subject}" if is_about_key else f"{subject}: {show(error['input'])}"
    )
    message = f"{subject} is not {form.noun}: {form.rule}"
    return Complaint("CFG011", message, path, f"for example {form.example}", is_about_key=is_about_key)


def _explain_malformed(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    del data
    is_about_key = error["loc"][-1] == "[key]"
    value = show(error["input"]) if raw is None or is_about_key else raw[:_SHOWN_CHARACTERS]
    message = f"{dotted(path)}: {value} is not right: {error['ctx']['words']}"
    return Complaint("CFG011", message, path, is_about_key=is_about_key)


def _explain_range(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    del data, raw
    context = error["ctx"]
    bound = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
    return Complaint("CFG012", f"{dotted(path)} is {show(error['input'])}; it must be {bound}", path)


def _explain_length(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    del data, raw
    context, value = error["ctx"], error["input"]
    is_about_key = error["loc"][-1] == "[key]"
    unit = "characters" if isinstance(value, str) else "entries"
    least, most = context.get("min_length"), context.get("max_length")
    bound = f"at least {least}" if least is not None else f"at most {most}"
    subject = f"the key {show(path[-1])}" if is_about_key else dotted(path)
    message = f"{subject} has {len(value)} {unit}; it must have {bound}"
    return Complaint("CFG012", message, path, is_about_key=is_about_key)


def _explain_contradiction(
    error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None
) -> Complaint:
    del data, raw
    section = path[:-1] if error["ctx"]["field"] else path
    return Complaint("CFG013", f"{dotted(section)}: {error['ctx']['words']}", path)


def _explain_other(error: ErrorDetails, path: Path, data: dict[str, Any], raw: str | None) -> Complaint:
    del data, raw
    return Complaint("CFG009", f"{dotted(path)} cannot be {show(error['input'])}", path)


_EXPLAINERS: dict[str, Callable[[ErrorDetails, Path, dict[str, Any], str | None], Complaint]] = {
    "missing": _explain_missing,
    "union_tag_not_found": _explain_kind_missing,
    "union_tag_invalid": _explain_kind,
    "literal_error": _explain_choice,
    "string_pattern_mismatch": _explain_pattern,
    "malformed": _explain_malformed,
    "contradiction": _explain_contradiction,
    "greater_than_equal": _explain_range,
    "less_than_equal": _explain_range,
    "too_short": _explain_length,
    "too_long": _explain_length,
    "string_too_short": _explain_length,
    "string_too_long": _explain_length,
    **dict.fromkeys(_WANTED, _explain_type),
}

"""What is right of a cluster.yaml that has errors, so that rules can speak of it in the same run.

A partial cluster is made of the sections of a whole one, which lack the fields that the errors are about.
To read such a field raises `UnknownValueError`, so that no conclusion can be drawn from a mistake: a rule
that comes across one has nothing more to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import TypeAdapter

from clusterwright.config.base import UnknownValueError
from clusterwright.config.cluster import ClusterConfig
from clusterwright.config.messages import pair_misspelt
from clusterwright.config.spelling import SURE
from clusterwright.config.structure import choose, fields_of, find_section, is_model, item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pydantic import BaseModel

    from clusterwright.config.complaints import Complaint
    from clusterwright.config.messages import LocatedError
    from clusterwright.config.source_map import Path


def find_unknown(
    located: Sequence[LocatedError], complaints: Iterable[Complaint], data: dict[str, Any]
) -> Iterator[Path]:
    """The path of everything whose value the file leaves unknown.

    Args:
        located: What pydantic found wrong in `data`.
        complaints: What is wrong with the file as YAML.
        data: The file's data.
    """
    meant = pair_misspelt(located, data, likeness=SURE)
    for error, path in located:
        if error["type"] == "extra_forbidden":
            yield path
            yield from [meant[path]] if path in meant else _open(path[:-1], data)
        elif error["type"] == "contradiction":
            yield from _split(path, error["ctx"]["field"], error["ctx"]["among"])
        elif error["loc"][-1] == "[key]":
            yield from _open(path[:-1], data)
        else:
            yield path
    for complaint in complaints:
        is_nameless = complaint.code == "CFG004"
        yield from _open(complaint.path, data) if is_nameless else [complaint.path]


def _open(path: Path, data: dict[str, Any]) -> Iterator[Path]:
    """What may be meant by an entry of a mapping whose name is wrong: any field that the mapping lacks."""
    section = find_section(path, data)
    if section is None:
        yield path
        return
    given: object = data
    for part in path:
        given = item(given, part)
    names = given if isinstance(given, dict) else {}
    yield from ((*path, name) for name in fields_of(section) if name not in names)


def _split(path: Path, field: str, among: tuple[str, ...]) -> list[Path]:
    """The fields that contradict each other, or all of their section."""
    section = path[:-1] if field else path
    return [(*section, name) for name in among] or [section]


def build_partial(data: dict[str, Any], unknown: Iterable[Path]) -> ClusterConfig:
    """The cluster without what is unknown.

    Args:
        data: The file's data.
        unknown: The path of everything that is wrong in it, or lacking and required.
    """
    cluster = _Builder(frozenset(unknown)).build_section(ClusterConfig, data, ())
    assert isinstance(cluster, ClusterConfig)  # noqa: S101  for the type checker
    return cluster


class _Builder:
    """Builds sections from data, and leaves out what is unknown."""

    def __init__(self, unknown: frozenset[Path]) -> None:
        self._unknown = unknown
        self._around = {path[:length] for path in unknown for length in range(len(path) + 1)}

    def build_section(self, section: type[BaseModel], data: object, path: Path) -> BaseModel:
        """A section that lacks the fields which are unknown; all of them where it is itself."""
        given = data if isinstance(data, dict) and path not in self._unknown else None
        values = {}
        said = set()
        unknown = []
        for name, field in section.model_fields.items():
            key, annotation = field.alias or name, field.annotation
            here = (*path, key)
            if given is None or here in self._unknown:
                unknown.append(name)
            elif key in given:
                said.add(name)
                try:
                    values[key] = self._build(annotation, given[key], here)
                except UnknownValueError:
                    unknown.append(name)
            elif not field.is_required():
                values[key] = _coerce(annotation, field.get_default(call_default_factory=True))
        built = section.model_construct(_fields_set=said, **values)
        for name in unknown:
            built.__dict__.pop(name, None)  # its default is not what the file means
        return built

    def _build(self, annotation: Any, data: object, path: Path) -> Any:  # noqa: ANN401  any field's type
        if path not in self._around:
            return _coerce(annotation, data)
        chosen = choose(annotation, data)
        if is_model(chosen):
            return self.build_section(chosen, data, path)
        if get_origin(chosen) is dict and isinstance(data, dict) and path not in self._unknown:
            # Whoever goes through the entries gets through the whole ones before a gap ends the search.
            names = sorted(data, key=lambda name: (*path, name) in self._around)
            return {name: self._build(get_args(chosen)[1], data[name], (*path, name)) for name in names}
        raise UnknownValueError


def _coerce(annotation: Any, value: object) -> Any:  # noqa: ANN401  any field's type
    """A value that is right as a section holds it: a list as a tuple, a mapping as a section."""
    return TypeAdapter(annotation).validate_python(value)

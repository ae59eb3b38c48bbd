"""Version sets: which versions of everything on a node are chosen and upgraded together.

Each set is a file of ``sets``, named after the month that it describes.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clusterwright.errors import UnknownSetError

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = Path(__file__).parent / "sets"

DEFAULT_SET = "2026.11"
"""The set of a cluster that names none."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One component at one version.

    Attributes:
        component: Its name, as in ``software.overrides``.
        version: Its version, as its publisher writes it.
        source: Where the version was read, in words.
        date: ISO day or month of that publication; empty for an override.
        url: Release notes or the publisher's page, or None.
        sha256: Checksum of the one file that it is installed from, where one is published; else None.
        is_verified: False where no publication of the vendor or of AWS confirms the version.
        is_override: Whether cluster.yaml says so, be it what the set says.
    """

    component: str
    version: str
    source: str
    date: str
    url: str | None = None
    sha256: str | None = None
    is_verified: bool = True
    is_override: bool = False


@dataclass(frozen=True, slots=True)
class VersionSet:
    """A set as it ships.

    Attributes:
        name: Year and month.
        title: What it is built around, in words.
        pins: Every component, by name.
    """

    name: str
    title: str
    pins: Mapping[str, Pin]


@cache
def set_names() -> tuple[str, ...]:
    """The names of all sets, oldest first."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))


@cache
def load_set(name: str) -> VersionSet:
    """Read a set.

    Raises:
        UnknownSetError: There is none of this name; the error lists those that are.
    """
    if name not in set_names():
        raise UnknownSetError(name, set_names())
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    pins = {component: _read_pin(component, record) for component, record in data["pins"].items()}
    return VersionSet(name, data["title"], MappingProxyType(pins))


def components() -> tuple[str, ...]:
    """The names of all components that a set may pin, in the order of the newest set."""
    return tuple(load_set(set_names()[-1]).pins)


def _read_pin(component: str, record: dict[str, Any]) -> Pin:
    from clusterwright.software.artifacts import only_checksum  # noqa: PLC0415  it reads pins in its turn

    return Pin(component=component, sha256=only_checksum(component, record["version"]), **record)

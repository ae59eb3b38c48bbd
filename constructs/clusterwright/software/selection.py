"""What a cluster runs: a set, with single pins changed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from clusterwright.errors import UnknownComponentError
from clusterwright.software.releases import bundle_of, published_form
from clusterwright.software.sets import Pin, components, load_set

if TYPE_CHECKING:
    from collections.abc import Mapping

HASH_DIGITS = 16
"""Of the content hash: enough that no two selections share one, short enough for a tag and for a person."""


@dataclass(frozen=True)
class Software:
    """The versions of a cluster.

    Attributes:
        set_name: The set that they come from.
        pins: Every component, overrides among them.
    """

    set_name: str
    pins: Mapping[str, Pin]

    @cached_property
    def versions(self) -> dict[str, str]:
        """The version of each component."""
        return {component: pin.version for component, pin in self.pins.items()}

    @property
    def overrides(self) -> dict[str, str]:
        """The versions that cluster.yaml names, whether or not the set has the same."""
        return {component: pin.version for component, pin in self.pins.items() if pin.is_override}

    @cached_property
    def content_hash(self) -> str:
        """The same for the same versions, whatever set or override they come from, and for nothing else.

        Sources, dates and checksums are left out: a node does not change because more is known of it.
        """
        lines = "".join(f"{component}={self.versions[component]}\n" for component in sorted(self.versions))
        return hashlib.sha256(lines.encode()).hexdigest()[:HASH_DIGITS]


def select(set_name: str, overrides: Mapping[str, str] | None = None) -> Software:
    """The versions of a set, with some replaced. No rule is applied; that is `find_conflicts`.

    What a replaced component brings along comes with it: another EFA installer has another libfabric. Where
    nobody says what a release brings, nothing is pinned in its place.

    Args:
        set_name: A set that ships with this release.
        overrides: Version by component.

    Raises:
        UnknownSetError: There is no such set.
        UnknownComponentError: An override is for something that no set pins.
    """
    pins = dict(load_set(set_name).pins)
    overrides = {component: published_form(component, each) for component, each in (overrides or {}).items()}
    for component, version in overrides.items():
        if component not in components():
            raise UnknownComponentError(component, find_near(component))
        if component in pins and pins[component].version == version:
            continue
        for follower, followed in bundle_of(component, version).items():
            pins.pop(follower, None)
            if followed is not None:
                pins[follower] = _follow(follower, followed, f"{component} {version}")
    for component, version in overrides.items():
        pin = pins.get(component)
        if pin is not None and pin.version == version:
            pins[component] = replace(pin, is_override=True)
        else:
            pins[component] = _override(component, version)
    in_order = sorted(pins.items(), key=lambda entry: components().index(entry[0]))
    return Software(set_name, MappingProxyType(dict(in_order)))


def find_near(component: str) -> list[str]:
    """Components that are spelled like a name, nearest first."""
    from difflib import get_close_matches  # noqa: PLC0415  only mistakes need it

    return get_close_matches(component.lower().replace("_", "-"), components(), n=3)


def _override(component: str, version: str) -> Pin:
    from clusterwright.software.artifacts import only_checksum  # noqa: PLC0415  it reads pins in its turn

    return Pin(
        component,
        version,
        source="software.overrides of cluster.yaml",
        date="",
        sha256=only_checksum(component, version),
        is_override=True,
    )


def _follow(component: str, version: str, leader: str) -> Pin:
    return Pin(component, version, source=f"comes with {leader}", date="")

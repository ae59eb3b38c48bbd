"""POL002: an UltraServer type that the catalogue lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation, find_known, find_ultraserver_spec
from clusterwright.config.capacity import CapacityBlockCapacity
from clusterwright.config.spelling import suggest
from clusterwright.hardware import ultraserver_types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path


def _find(subject: Subject) -> Iterator[Violation]:
    for path, name in find_known(_named_by_capacity(subject), _named_by_pools(subject)):
        if find_ultraserver_spec(name) is None:
            hint = suggest(name, ultraserver_types()) or f"there are {', '.join(ultraserver_types())}"
            yield Violation(path, f"the hardware catalogue lacks the UltraServer type {name}", hint)


def _named_by_capacity(subject: Subject) -> Iterator[tuple[Path, str]]:
    for name, capacity in subject.cluster.capacity.items():
        if isinstance(capacity, CapacityBlockCapacity) and capacity.ultraserver_type is not None:
            yield ("capacity", name, "ultraserver_type"), capacity.ultraserver_type


def _named_by_pools(subject: Subject) -> Iterator[tuple[Path, str]]:
    for name, pool in subject.cluster.pools.items():
        if pool.ultraserver is not None:
            yield ("pools", name, "ultraserver"), pool.ultraserver


RULE = Rule(
    code="POL002",
    severity="error",
    title="An UltraServer type is none that the hardware catalogue has.",
    find=_find,
    source="EC2 User Guide, Capacity Blocks for ML, in the hardware catalogue",
)

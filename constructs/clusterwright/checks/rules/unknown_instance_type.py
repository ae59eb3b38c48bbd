"""POL001: an instance type that the catalogue lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation, find_known, find_spec
from clusterwright.config.spelling import suggest
from clusterwright.hardware import instance_types
from clusterwright.resolution import HeldCapacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path


def _find(subject: Subject) -> Iterator[Violation]:
    for path, name in find_known(_named_by_capacity(subject), _named_by_pools(subject)):
        if find_spec(name) is None:
            hint = suggest(name, instance_types()) or "`clusterwright hardware` lists the types"
            yield Violation(path, f"the hardware catalogue lacks the instance type {name}", hint)


def _named_by_capacity(subject: Subject) -> Iterator[tuple[Path, str]]:
    for name, capacity in subject.cluster.capacity.items():
        if isinstance(capacity, HeldCapacity) and capacity.instance_type is not None:
            yield ("capacity", name, "instance_type"), capacity.instance_type


def _named_by_pools(subject: Subject) -> Iterator[tuple[Path, str]]:
    for name, pool in subject.cluster.pools.items():
        yield ("pools", name, "instance_type"), pool.instance_type


RULE = Rule(
    code="POL001",
    severity="error",
    title="An instance type is none that the hardware catalogue has.",
    find=_find,
    source="EC2 DescribeInstanceTypes, in the hardware catalogue",
)

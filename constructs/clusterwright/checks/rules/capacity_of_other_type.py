"""CAP002: capacity of another instance type, or UltraServer type, than the pool's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation, find_ultraserver_spec
from clusterwright.config.capacity import CapacityBlockCapacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.resolution import HeldCapacity


def _find(subject: Subject) -> Iterator[Violation]:
    for name, pool in subject.cluster.pools.items():
        capacity = subject.held_capacity_of(pool)
        if capacity is None:
            continue
        ultraserver_type = _ultraserver_type(capacity)
        held_type = _instance_type(capacity)
        if held_type is not None and held_type != pool.instance_type:
            message = f"{pool.capacity} holds {held_type}, not {pool.instance_type}"
            yield Violation(("pools", name, "instance_type"), message, "make the two the same")
        elif pool.ultraserver is not None and ultraserver_type not in {None, pool.ultraserver}:
            message = f"{pool.capacity} holds {ultraserver_type}, not {pool.ultraserver}"
            yield Violation(("pools", name, "ultraserver"), message, "make the two the same")


def _ultraserver_type(capacity: HeldCapacity) -> str | None:
    return capacity.ultraserver_type if isinstance(capacity, CapacityBlockCapacity) else None


def _instance_type(capacity: HeldCapacity) -> str | None:
    ultraserver = find_ultraserver_spec(_ultraserver_type(capacity))
    return ultraserver.instance_type if ultraserver else capacity.instance_type


RULE = Rule(
    code="CAP002",
    severity="error",
    title="A pool's capacity holds another instance type, or UltraServer type, than the pool's.",
    find=_find,
)

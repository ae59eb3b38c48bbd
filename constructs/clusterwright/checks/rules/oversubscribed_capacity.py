"""CAP005: pools that together want more instances than their capacity holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.errors import UnknownInstanceTypeError
from clusterwright.resolution import HeldCapacity, held_instances

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, capacity in subject.cluster.capacity.items():
        held = _count(capacity) if isinstance(capacity, HeldCapacity) else None
        sizes = {
            pool_name: pool.largest_size
            for pool_name, pool in subject.cluster.pools.items()
            if pool.capacity == name
        }
        if held is None or sum(sizes.values()) <= held:
            continue
        wanted = " and ".join(f"{pool_name} up to {size}" for pool_name, size in sizes.items())
        message = f"{name} holds {held} instances, and pools want {sum(sizes.values())} of it: {wanted}"
        yield Violation(("capacity", name, "count"), message, "make the pools smaller, or hold more")


def _count(capacity: HeldCapacity) -> int | None:
    try:
        return held_instances(capacity)
    except UnknownInstanceTypeError:
        return None


RULE = Rule(
    code="CAP005",
    severity="error",
    title="Pools together want more instances than their capacity holds.",
    find=_find,
)

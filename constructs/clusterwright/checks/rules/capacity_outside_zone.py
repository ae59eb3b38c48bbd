"""CAP003: capacity in another zone than the one that the cluster names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    zone = subject.cluster.zone
    for name, pool in subject.cluster.pools.items() if zone is not None else ():
        capacity = subject.held_capacity_of(pool)
        if capacity is not None and capacity.zone != zone:
            yield Violation(
                ("pools", name, "capacity"),
                f"{pool.capacity} is in {capacity.zone}, and the cluster's zone is {zone}",
                f"write zone: {capacity.zone} at the top, or remove zone there",
            )


RULE = Rule(
    code="CAP003",
    severity="error",
    title="A pool's capacity is in another zone than the cluster's.",
    find=_find,
    source="EC2 User Guide: instances launch only in their reservation's zone; read November 2026",
)

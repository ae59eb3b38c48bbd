"""CAP004: no zone is named, and the capacity in use lies in several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    if subject.cluster.zone is not None:
        return
    for name, pool in subject.cluster.pools.items():
        capacity = subject.held_capacity_of(pool)
        if capacity is not None and capacity.zone != subject.zone:
            yield Violation(
                ("pools", name, "capacity"),
                f"{pool.capacity} is in {capacity.zone}, and other pools' capacity is in {subject.zone}",
                "a cluster's nodes sit in one zone: make two clusters, or use capacity of one zone",
            )


RULE = Rule(
    code="CAP004",
    severity="error",
    title="The capacities that pools use are in several zones.",
    find=_find,
    source="EC2 User Guide: instances launch only in their reservation's zone; read November 2026",
)

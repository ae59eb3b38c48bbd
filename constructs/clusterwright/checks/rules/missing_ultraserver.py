"""POL003: a type that comes in UltraServers, in a pool that names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, pool, spec in subject.pools:
        if spec.ultraservers and pool.ultraserver is None:
            yield Violation(
                ("pools", name, "instance_type"),
                f"{spec.name} comes in whole UltraServers, and the pool {name} does not say in which",
                f"add ultraserver: {' or '.join(spec.ultraservers)}",
            )


RULE = Rule(
    code="POL003",
    severity="error",
    title="A type that comes in whole UltraServers lacks the field `ultraserver`.",
    find=_find,
    source="EC2 User Guide, Capacity Blocks for ML, in the hardware catalogue",
)

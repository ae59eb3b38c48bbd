"""CAP008: capacity that is held, and perhaps paid for, and that no pool uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.resolution import HeldCapacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    used = {pool.capacity for pool in subject.cluster.pools.values()}
    for name, capacity in subject.cluster.capacity.items() if not subject.names_unknown_capacity else ():
        if isinstance(capacity, HeldCapacity) and name not in used:
            hint = f"write capacity: {name} in a pool, or remove the entry"
            yield Violation(("capacity", name), f"no pool uses the capacity {name}", hint, is_about_key=True)


RULE = Rule(
    code="CAP008",
    severity="warning",
    title="No pool uses a reservation or a capacity block.",
    find=_find,
)

"""CAP009: one reservation under two names, so that its instances are counted twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.resolution import HeldCapacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    owners: dict[str, str] = {}
    for name, capacity in subject.cluster.capacity.items():
        if not isinstance(capacity, HeldCapacity):
            continue
        owner = owners.setdefault(capacity.id, name)
        if owner != name:
            message = f"{capacity.id} is already the capacity {owner}"
            hint = f"keep one of them; several pools may write capacity: {owner}"
            yield Violation(("capacity", name, "id"), message, hint)


RULE = Rule(
    code="CAP009",
    severity="error",
    title="One reservation or capacity block is named twice.",
    find=_find,
)

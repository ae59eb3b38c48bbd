"""STO030: a transition that may come too soon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.buckets import EARLY_SOURCE, explain_haste

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, bucket in subject.cluster.storage.buckets.items():
        days = bucket.transitions.days if bucket.transitions is not None else {}
        for storage_class, fault in explain_haste(days).items():
            path = ("storage", "buckets", name, "transitions", storage_class)
            yield Violation(path, f"{days[storage_class]} days may be too soon: {fault}")


RULE = Rule(
    code="STO030",
    severity="warning",
    title="Objects of a bucket leave a storage class before its least charge is used up.",
    find=_find,
    source=str(EARLY_SOURCE),
)

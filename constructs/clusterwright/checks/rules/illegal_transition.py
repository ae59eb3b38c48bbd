"""STO021: a transition that S3 refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.buckets import TRANSITIONS_SOURCE, explain_order, suggest_days

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, bucket in subject.cluster.storage.buckets.items():
        days = bucket.transitions.days if bucket.transitions is not None else {}
        for storage_class, fault in explain_order(days).items():
            path = ("storage", "buckets", name, "transitions", storage_class)
            message = f"{days[storage_class]} days is not right here: {fault}"
            yield Violation(path, message, suggest_days(storage_class, days))


RULE = Rule(
    code="STO021",
    severity="error",
    title="Objects of a bucket move between storage classes in an order that S3 refuses.",
    find=_find,
    source=str(TRANSITIONS_SOURCE),
)

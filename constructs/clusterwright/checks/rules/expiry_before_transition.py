"""STO022: objects that go before they move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.buckets import TRANSITIONS_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, bucket in subject.cluster.storage.buckets.items():
        days = bucket.transitions.days if bucket.transitions is not None else {}
        latest = max(days, key=lambda each: days[each], default=None)
        if latest is not None and bucket.expire_days is not None and bucket.expire_days <= days[latest]:
            yield Violation(
                ("storage", "buckets", name, "expire_days"),
                f"objects are deleted at {bucket.expire_days} days, and move to {latest} at {days[latest]}",
                f"delete them at {days[latest] + 1} days or later, or remove {latest}",
            )


RULE = Rule(
    code="STO022",
    severity="error",
    title="Objects of a bucket are deleted before they move to another storage class.",
    find=_find,
    source=str(TRANSITIONS_SOURCE),
)

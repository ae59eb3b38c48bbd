"""STO023: old versions that nothing deletes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, bucket in subject.cluster.storage.buckets.items():
        turns_over = bucket.expire_days is not None or "checkpoint" in name
        if bucket.existing is None and bucket.versioned and turns_over and bucket.noncurrent_days is None:
            yield Violation(
                ("storage", "buckets", name),
                f"what is deleted or overwritten in {name} stays as an older version, and is paid for",
                "give noncurrent_days, such as 7, or versioned: false",
                is_about_key=True,
            )


RULE = Rule(
    code="STO023",
    severity="warning",
    title="A bucket deletes objects, or holds checkpoints, and keeps their old versions for ever.",
    find=_find,
    source="Amazon S3 user guide, Expiring objects, November 2026",
)

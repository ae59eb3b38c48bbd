"""STO025: the name of a bucket that cannot exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.buckets import NAME_SOURCE, explain_bucket_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, bucket in subject.cluster.storage.buckets.items():
        fault = explain_bucket_name(bucket.existing) if bucket.existing is not None else ""
        if fault:
            path = ("storage", "buckets", name, "existing")
            yield Violation(path, f"{bucket.existing} is not the name of a bucket: {fault}")


RULE = Rule(
    code="STO025",
    severity="error",
    title="A bucket that is said to exist has a name that S3 refuses.",
    find=_find,
    source=str(NAME_SOURCE),
)

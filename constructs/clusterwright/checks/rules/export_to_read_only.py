"""STO028: a read-only bucket that a file system writes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    buckets = subject.cluster.storage.buckets
    for path, system in iterate_lustre(subject):
        for at, link in enumerate(system.links):
            bucket = buckets.get(link.bucket)
            if bucket is not None and bucket.read_only and link.export:
                yield Violation(
                    (*path, "links", at, "export"),
                    f"the bucket {link.bucket} is read-only, and what is written to {link.path} reaches it",
                    "export nothing, or let the pools write to the bucket",
                    is_about_key=True,
                )


RULE = Rule(
    code="STO028",
    severity="warning",
    title="A bucket is read-only for pools, and a Lustre file system exports to it.",
    find=_find,
)

"""STO005: a link to a bucket that the file does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.config.spelling import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    known = subject.cluster.storage.buckets
    for path, system in iterate_lustre(subject):
        for at, link in enumerate(system.links):
            if link.bucket in known:
                continue
            hint = suggest(link.bucket, known) or (
                f"storage.buckets has {', '.join(known)}" if known else "add it to storage.buckets"
            )
            message = f"storage.buckets has no entry {link.bucket}"
            yield Violation((*path, "links", at, "bucket"), message, hint)


RULE = Rule(
    code="STO005",
    severity="error",
    title="A link of a Lustre file system names a bucket that the file does not have.",
    find=_find,
)

"""STO009: backups of a file system that has links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.storage_limits.lustre import NO_LINKS_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for path, system in iterate_lustre(subject):
        if system.backup_days and system.links:
            yield Violation(
                (*path, "backup_days"),
                f"backups of {system.backup_days} days are not for a file system that is linked to a bucket",
                "give 0 or remove the field, and export what must last to the bucket",
            )


RULE = Rule(
    code="STO009",
    severity="error",
    title="A Lustre file system with links to buckets has backups, which AWS does not support.",
    find=_find,
    source=str(NO_LINKS_SOURCE),
)

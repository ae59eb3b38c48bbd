"""STO007: more links than a Lustre file system may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.storage_limits.lustre import LINKS_PER_FILE_SYSTEM, LINKS_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for path, system in iterate_lustre(subject):
        if len(system.links) > LINKS_PER_FILE_SYSTEM:
            yield Violation(
                (*path, "links", LINKS_PER_FILE_SYSTEM),
                f"this is one of {len(system.links)} links, and a file system has at most "
                f"{LINKS_PER_FILE_SYSTEM}",
                "link a prefix that several directories share, or make a second file system",
            )


RULE = Rule(
    code="STO007",
    severity="error",
    title="A Lustre file system has more links to buckets than AWS allows.",
    find=_find,
    source=str(LINKS_SOURCE),
)

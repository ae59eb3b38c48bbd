"""STO010: two things mounted at one directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_mounts
from clusterwright.config.source_map import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    seen: dict[str, str] = {}
    for path, mount in iterate_mounts(subject):
        if mount in seen:
            yield Violation(
                (*path, "mount"),
                f"{mount} is where {seen[mount]} is mounted already",
                f"mount it at a directory of its own, such as {mount}-{str(path[-1]).replace('_', '-')}",
            )
        seen.setdefault(mount, dotted(path))


RULE = Rule(
    code="STO010",
    severity="error",
    title="Two file systems, or a file system and the local disks, are mounted at one directory.",
    find=_find,
)

"""STO011: a mount inside another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import contains, iterate_mounts
from clusterwright.config.source_map import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    mounts = list(iterate_mounts(subject))
    for path, mount in mounts:
        for other_path, other in mounts:
            if other != mount and contains(other, mount):
                yield Violation(
                    (*path, "mount"),
                    f"{mount} is inside {other}, where {dotted(other_path)} is mounted, and goes with it",
                    "mount them side by side",
                )
                break


RULE = Rule(
    code="STO011",
    severity="warning",
    title="A file system is mounted inside another one, so that it depends on it.",
    find=_find,
)

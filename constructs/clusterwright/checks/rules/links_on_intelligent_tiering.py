"""STO008: links on a storage type that has none."""

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
        if system.type == "intelligent-tiering" and system.links:
            yield Violation(
                (*path, "links"),
                "a file system of the type intelligent-tiering cannot be linked to a bucket",
                "remove the links, or use the type ssd",
                is_about_key=True,
            )


RULE = Rule(
    code="STO008",
    severity="error",
    title="An intelligent-tiering file system has links to buckets, which AWS does not support.",
    find=_find,
    source=str(NO_LINKS_SOURCE),
)

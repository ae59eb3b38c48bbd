"""STO006: two links of one file system that share a directory or objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import contains, iterate_lustre
from clusterwright.storage_limits.lustre import LINKS_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    existing = {name: each.existing for name, each in subject.cluster.storage.buckets.items()}
    for path, system in iterate_lustre(subject):
        for at, link in enumerate(system.links):
            for earlier in system.links[:at]:
                if contains(earlier.path, link.path) or contains(link.path, earlier.path):
                    yield Violation(
                        (*path, "links", at, "path"),
                        f"{link.path} overlaps {earlier.path}, the directory of another link",
                        "give each link a directory that is in no other's",
                    )
                    break
                # Two entries may name one bucket that exists.
                pair = existing.get(link.bucket), existing.get(earlier.bucket)
                is_same = link.bucket == earlier.bucket or (pair[0] is not None and pair[0] == pair[1])
                if is_same and _share_objects(link.prefix, earlier.prefix):
                    yield Violation(
                        (*path, "links", at, "bucket"),
                        f"another link, at {earlier.path}, shows the same objects of {link.bucket}",
                        "give the two links prefixes of which neither begins with the other",
                    )
                    break


def _share_objects(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


RULE = Rule(
    code="STO006",
    severity="error",
    title="Two links of a Lustre file system share a directory, or the objects under a prefix.",
    find=_find,
    source=str(LINKS_SOURCE),
)

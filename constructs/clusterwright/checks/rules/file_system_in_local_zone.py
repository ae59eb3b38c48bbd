"""STO027: a file system in a local zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.resolution import is_local_zone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    if subject.zone is None or not is_local_zone(subject.zone):
        return
    paths = [path for path, _ in iterate_lustre(subject)]
    paths += [("storage", "home")] if subject.cluster.storage.home is not None else []
    for path in paths:
        yield Violation(
            path,
            f"FSx is not known to exist in the local zone {subject.zone}",
            "ask AWS before you deploy; S3 and the nodes' own disks are there",
            is_about_key=True,
        )


RULE = Rule(
    code="STO027",
    severity="warning",
    title="A file system is in a local zone, where FSx is not known to exist.",
    find=_find,
)

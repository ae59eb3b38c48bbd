"""STO002: metadata operations that FSx for Lustre does not sell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.config.spelling import say_nearest
from clusterwright.storage_limits.lustre import METADATA_SOURCE, metadata_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for path, system in iterate_lustre(subject):
        iops, steps = system.metadata_iops, metadata_steps(system.type)
        if iops is not None and iops not in steps:
            yield Violation(
                (*path, "metadata_iops"),
                f"{iops} is no number of metadata IOPS that the type {system.type} takes",
                say_nearest(steps.nearest(iops)),
            )


RULE = Rule(
    code="STO002",
    severity="error",
    title="A Lustre file system has metadata IOPS that AWS refuses for its type.",
    find=_find,
    source=str(METADATA_SOURCE),
)

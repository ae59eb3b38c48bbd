"""STO003: a throughput that an intelligent-tiering file system does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.config.spelling import say_nearest
from clusterwright.storage_limits.lustre import INTELLIGENT_TIERING_SOURCE, throughput_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    steps = throughput_steps()
    for path, system in iterate_lustre(subject):
        throughput = system.throughput_mbps
        if throughput is not None and throughput not in steps:
            yield Violation(
                (*path, "throughput_mbps"),
                f"{throughput} MB/s is no throughput of an intelligent-tiering file system: it takes "
                f"multiples of {steps.step} up to {steps.last}",
                say_nearest(steps.nearest(throughput), "MB/s"),
            )


RULE = Rule(
    code="STO003",
    severity="error",
    title="An intelligent-tiering file system has a throughput that AWS refuses.",
    find=_find,
    source=str(INTELLIGENT_TIERING_SOURCE),
)

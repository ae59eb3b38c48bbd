"""STO001: a size that FSx for Lustre does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.config.spelling import say_nearest
from clusterwright.storage_limits.lustre import CAPACITY_SOURCE, EFA_CAPACITY_SOURCE, capacity_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.storage_limits.steps import Steps


def _find(subject: Subject) -> Iterator[Violation]:
    for path, system in iterate_lustre(subject):
        size, throughput = system.capacity_gib, system.throughput_mbps_per_tib
        steps = capacity_steps(throughput, efa=system.efa)
        if size is None or size in steps:
            continue
        way = f"with EFA at {throughput} MB/s/TiB" if system.efa else "without EFA"
        yield Violation(
            (*path, "capacity_gib"),
            f"{size} GiB is no size of a file system {way}: it takes {_describe(steps)}",
            say_nearest(steps.nearest(size), "GiB"),
            source=str(EFA_CAPACITY_SOURCE if system.efa else CAPACITY_SOURCE),
        )


def _describe(steps: Steps) -> str:
    return " and ".join([*(str(each) for each in steps.single), f"multiples of {steps.step}"])


RULE = Rule(
    code="STO001",
    severity="error",
    title="A Lustre file system has a size that AWS refuses for its throughput, with or without EFA.",
    find=_find,
    source=str(CAPACITY_SOURCE),
)

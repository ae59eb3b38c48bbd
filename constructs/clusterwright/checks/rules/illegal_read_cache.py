"""STO004: a read cache that is too small or too large for its throughput."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.config.spelling import say_nearest
from clusterwright.storage_limits.lustre import (
    INTELLIGENT_TIERING_SOURCE,
    read_cache_steps,
    throughput_steps,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for path, system in iterate_lustre(subject):
        cache, throughput = system.read_cache_gib, system.throughput_mbps
        if cache is None or throughput is None or throughput not in throughput_steps():
            continue
        steps = read_cache_steps(throughput)
        if cache not in steps:
            yield Violation(
                (*path, "read_cache_gib"),
                f"a read cache of {cache} GiB does not go with {throughput} MB/s: it takes "
                f"{steps.first} to {steps.last} GiB, or 0 for none",
                say_nearest(steps.nearest(cache), "GiB"),
            )


RULE = Rule(
    code="STO004",
    severity="error",
    title="An intelligent-tiering file system has a read cache that AWS refuses for its throughput.",
    find=_find,
    source=str(INTELLIGENT_TIERING_SOURCE),
)

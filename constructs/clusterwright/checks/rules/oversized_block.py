"""CAP007: a capacity block larger than AWS sells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.capacity import CapacityBlockCapacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

LARGEST_BLOCK_INSTANCES = 64
"""Most instances of one capacity block; blocks of UltraServers are counted otherwise."""


def _find(subject: Subject) -> Iterator[Violation]:
    for name, capacity in subject.cluster.capacity.items():
        if not isinstance(capacity, CapacityBlockCapacity) or capacity.instance_type is None:
            continue
        if capacity.count > LARGEST_BLOCK_INSTANCES:
            yield Violation(
                ("capacity", name, "count"),
                f"a capacity block holds at most {LARGEST_BLOCK_INSTANCES} instances, not {capacity.count}",
                "name each block on its own, with a pool for each",
            )


RULE = Rule(
    code="CAP007",
    severity="error",
    title="A capacity block is larger than AWS sells.",
    find=_find,
    source="EC2 User Guide, Capacity Blocks for ML; read November 2026",
)

"""POL005: a size that is no whole number of UltraServers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation, find_ultraserver_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, pool in subject.cluster.pools.items():
        ultraserver = find_ultraserver_spec(pool.ultraserver)
        if ultraserver is None:
            continue
        for field, size in (("count", pool.count), ("min", pool.min), ("max", pool.max)):
            if size is not None and size % ultraserver.instances:
                whole = size // ultraserver.instances * ultraserver.instances
                near = f"{whole} or {whole + ultraserver.instances}" if whole else str(ultraserver.instances)
                yield Violation(
                    ("pools", name, field),
                    f"{size} instances are no whole number of {ultraserver.name}, "
                    f"which has {ultraserver.instances}",
                    f"write {near}",
                )


RULE = Rule(
    code="POL005",
    severity="error",
    title="A pool's size is no whole number of its UltraServers.",
    find=_find,
    source="EC2 User Guide, Capacity Blocks for ML, in the hardware catalogue",
)

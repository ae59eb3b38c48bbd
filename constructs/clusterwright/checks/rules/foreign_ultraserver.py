"""POL004: an UltraServer of other instances than the pool's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation, find_ultraserver_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, pool, spec in subject.pools:
        ultraserver = find_ultraserver_spec(pool.ultraserver)
        if ultraserver is not None and ultraserver.instance_type != pool.instance_type:
            own = f"{spec.name} comes in {' or '.join(spec.ultraservers)}" if spec.ultraservers else ""
            yield Violation(
                ("pools", name, "ultraserver"),
                f"{ultraserver.name} is made of {ultraserver.instance_type}, not of {pool.instance_type}",
                own or "remove the field: the type does not come in UltraServers",
            )


RULE = Rule(
    code="POL004",
    severity="error",
    title="A pool's UltraServer is made of another instance type than the pool's.",
    find=_find,
    source="EC2 User Guide, Capacity Blocks for ML, in the hardware catalogue",
)

"""STO032: more pools at a Lustre file system than its security group has rules for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

RULES_PER_GROUP = 60
"""Amazon VPC user guide, "Amazon VPC quotas": inbound rules per security group, unless raised."""

_RULES_OVER_TCP = 2
"""One for each range of Lustre's ports; with EFA one for everything."""


def _find(subject: Subject) -> Iterator[Violation]:
    resolved = subject.resolved
    if resolved is None:
        return
    for path, system in iterate_lustre(subject):
        users = resolved.storage_pools[f"lustre.{path[-1]}"]
        pools = [pool for pool in resolved.pools if pool.name in users]
        over_efa = [system.efa, *(system.efa and pool.has_efa for pool in pools)]
        needed = sum(1 if each else _RULES_OVER_TCP for each in over_efa)
        if needed > RULES_PER_GROUP:
            yield Violation(
                path,
                f"its security group needs {needed} rules for its {len(pools)} pools, and holds "
                f"{RULES_PER_GROUP} unless the quota was raised",
                "name fewer pools in its field pools, or have the quota of inbound rules per security group "
                "raised",
                is_about_key=True,
            )


RULE = Rule(
    code="STO032",
    severity="warning",
    title="More pools use a Lustre file system than its security group has rules for.",
    find=_find,
    source="Amazon VPC user guide, Amazon VPC quotas, November 2026",
)

"""STO017: a file system with EFA and no node that speaks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.storage_limits.lustre import EFA_CLIENT_SOURCE, is_efa_client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    resolved = subject.resolved
    if resolved is None:
        return
    clients = {pool.name for pool in resolved.pools if pool.has_efa and is_efa_client(pool.spec.name)}
    for path, system in iterate_lustre(subject):
        users = resolved.storage_pools[f"lustre.{path[-1]}"]
        if system.efa and users and not clients.intersection(users):
            yield Violation(
                (*path, "efa"),
                f"none of the pools {', '.join(users)} reaches a file system over EFA, which takes EFA on "
                "Nitro v4 or newer, and not trn2",
                "remove the field: they use TCP anyway, and without EFA sizes come in smaller steps",
            )


RULE = Rule(
    code="STO017",
    severity="warning",
    title="A Lustre file system has EFA, and no pool that uses it can reach it over EFA.",
    find=_find,
    source=str(EFA_CLIENT_SOURCE),
)

"""POL008: no pool on which cluster services can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.pools import PoolConfig


def _find(subject: Subject) -> Iterator[Violation]:
    if len(subject.pools) < len(subject.cluster.pools):
        return
    if not any(_takes_any_pod(pool) and not spec.is_accelerated for _, pool, spec in subject.pools):
        yield Violation(
            ("pools",),
            "no pool is free for cluster services such as CoreDNS: each is accelerated, tainted or empty",
            "add a pool such as system: {instance_type: m7i.2xlarge, count: 2, purpose: system}",
            is_about_key=True,
        )


def _takes_any_pod(pool: PoolConfig) -> bool:
    return pool.smallest_size > 0 and not any(
        taint.endswith((":NoSchedule", ":NoExecute")) for taint in pool.taints
    )


RULE = Rule(
    code="POL008",
    severity="warning",
    title="No pool is free for cluster services: each is accelerated, tainted or empty.",
    find=_find,
    source="EKS User Guide, CoreDNS runs on nodes without its toleration; read November 2026",
)

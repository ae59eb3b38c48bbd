"""NET008: more pods than there are addresses for."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from clusterwright.addressing import PODS_PER_PREFIX
from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.resolution import ResolvedPool


def _find(subject: Subject) -> Iterator[Violation]:
    resolved = subject.resolved
    if resolved is None:
        return
    has_own_block = subject.cluster.network.pod_cidr is not None
    role, field = ("pods", "pod_cidr") if has_own_block else ("nodes", "cidr")
    for subnet in subject.subnets:
        if subnet.role != role:
            continue
        pools = [pool for pool in resolved.pools if pool.zone == subnet.zone]
        wanted = sum(pool.config.largest_size * _addresses_per_node(pool) for pool in pools)
        if wanted > subnet.usable_addresses:
            yield Violation(
                ("network", field),
                f"nodes full of pods take {wanted} addresses in {subnet.zone}, and the subnet {subnet.cidr} "
                f"has {subnet.usable_addresses}",
                "give pods a larger block, such as pod_cidr: 100.64.0.0/16, or run fewer on a node",
            )


def _addresses_per_node(pool: ResolvedPool) -> int:
    """Addresses of the blocks that a node takes for its pods, and its own where they share a subnet."""
    for_pods = ceil(pool.max_pods / PODS_PER_PREFIX) * PODS_PER_PREFIX
    return for_pods if pool.has_custom_networking else for_pods + 1


RULE = Rule(
    code="NET008",
    severity="warning",
    title="Nodes full of pods take more addresses than there are.",
    find=_find,
    source="EKS best practices, prefix mode: a node takes whole /28 blocks; read November 2026",
)

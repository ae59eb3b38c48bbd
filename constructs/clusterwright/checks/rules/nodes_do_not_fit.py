"""NET007: more nodes than their subnet has addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.resolution import ResolvedCluster, ResolvedPool


def _find(subject: Subject) -> Iterator[Violation]:
    resolved = subject.resolved
    for subnet in subject.subnets:
        pools = _pools_in(resolved, subnet.zone) if resolved and subnet.role == "nodes" else []
        wanted = sum(pool.config.largest_size * _addresses_per_node(pool) for pool in pools)
        if wanted > subnet.usable_addresses:
            yield Violation(
                ("network", "cidr"),
                f"the nodes in {subnet.zone} take up to {wanted} addresses, and their subnet {subnet.cidr} "
                f"has {subnet.usable_addresses}",
                "give the VPC a larger block, up to a /16, or make pools smaller",
            )


def _pools_in(resolved: ResolvedCluster, zone: str) -> list[ResolvedPool]:
    return [pool for pool in resolved.pools if pool.zone == zone]


def _addresses_per_node(pool: ResolvedPool) -> int:
    """Interfaces that are EFA only have no address."""
    return sum(interface.kind != "efa-only" for interface in pool.interfaces)


RULE = Rule(
    code="NET007",
    severity="error",
    title="Pools can grow to more nodes than their subnet has addresses.",
    find=_find,
    source="VPC User Guide, subnet sizing: AWS keeps five addresses of each; read November 2026",
)

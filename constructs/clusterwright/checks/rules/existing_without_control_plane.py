"""NET011: an existing VPC with too few zones for the EKS control plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.hardware import zones_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

NEEDED_ZONES = 2


def _find(subject: Subject) -> Iterator[Violation]:
    existing = subject.cluster.network.existing
    hosts = [zone.id for zone in zones_of(subject.cluster.region) if zone.hosts_eks_control_plane]
    if existing is None or not hosts:
        return
    usable = [zone for zone in existing.subnets if zone in hosts]
    if len(usable) < NEEDED_ZONES:
        yield Violation(
            ("network", "existing", "subnets"),
            f"EKS puts its control plane into {NEEDED_ZONES} zones, and takes {_count(usable)} of these",
            f"it takes {', '.join(hosts)}",
            is_about_key=True,
        )


def _count(zones: list[str]) -> str:
    return f"only {zones[0]}" if zones else "none"


RULE = Rule(
    code="NET011",
    severity="error",
    title="An existing VPC has subnets in fewer than two zones that take the EKS control plane.",
    find=_find,
    source="EKS User Guide, networking requirements for VPC and subnets; read November 2026",
)

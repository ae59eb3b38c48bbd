"""NET001: a VPC block of a size that cannot be laid out."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.addressing import VPC_PREFIXES
from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    prefix = IPv4Network(network.cidr).prefixlen
    if network.existing is None and prefix not in VPC_PREFIXES:
        message = f"the VPC's block {network.cidr} must be a /{VPC_PREFIXES[0]} to a /{VPC_PREFIXES[-1]}"
        yield Violation(("network", "cidr"), message, "10.0.0.0/16 has room for every cluster")


RULE = Rule(
    code="NET001",
    severity="error",
    title="The VPC's block is larger than a /16 or smaller than a /22.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks; EKS User Guide, networking requirements; read November 2026",
)

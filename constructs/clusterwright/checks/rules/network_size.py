"""NET001: a VPC block of a size that cannot be laid out."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

SHORTEST_PREFIX = 16
"""AWS's own limit."""

LONGEST_PREFIX = 22
"""A sixteenth of its half, the smallest subnet, is then a /27; EKS asks for six free addresses in it."""


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    prefix = IPv4Network(network.cidr).prefixlen
    if network.existing is None and not SHORTEST_PREFIX <= prefix <= LONGEST_PREFIX:
        message = f"the VPC's block {network.cidr} must be a /{SHORTEST_PREFIX} to a /{LONGEST_PREFIX}"
        yield Violation(("network", "cidr"), message, "10.0.0.0/16 has room for every cluster")


RULE = Rule(
    code="NET001",
    severity="error",
    title="The VPC's block is larger than a /16 or smaller than a /22.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks; EKS User Guide, networking requirements; read November 2026",
)

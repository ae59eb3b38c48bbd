"""NET002: a pod block of a size that cannot be used."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

SHORTEST_PREFIX = 16
"""AWS's own limit."""

LONGEST_PREFIX = 24
"""Sixteen of the /28 blocks that nodes take for their pods."""


def _find(subject: Subject) -> Iterator[Violation]:
    pod_cidr = subject.cluster.network.pod_cidr
    if pod_cidr is None or SHORTEST_PREFIX <= IPv4Network(pod_cidr).prefixlen <= LONGEST_PREFIX:
        return
    message = f"the pods' block {pod_cidr} must be a /{SHORTEST_PREFIX} to a /{LONGEST_PREFIX}"
    yield Violation(("network", "pod_cidr"), message, "100.64.0.0/16 has room for every cluster")


RULE = Rule(
    code="NET002",
    severity="error",
    title="The pods' block is larger than a /16 or smaller than a /24.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks; read November 2026",
)

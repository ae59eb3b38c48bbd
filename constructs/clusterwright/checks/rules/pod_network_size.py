"""NET002: a pod block of a size that cannot be used."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.addressing import POD_PREFIXES
from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    pod_cidr = subject.cluster.network.pod_cidr
    if pod_cidr is None or IPv4Network(pod_cidr).prefixlen in POD_PREFIXES:
        return
    message = f"the pods' block {pod_cidr} must be a /{POD_PREFIXES[0]} to a /{POD_PREFIXES[-1]}"
    yield Violation(("network", "pod_cidr"), message, "100.64.0.0/16 has room for every cluster")


RULE = Rule(
    code="NET002",
    severity="error",
    title="The pods' block is larger than a /16 or smaller than a /24.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks; read November 2026",
)

"""NET012: a VPC of publicly routable addresses."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    for field, cidr in (("cidr", network.cidr), ("pod_cidr", network.pod_cidr)):
        if cidr is not None and IPv4Network(cidr).is_global:
            message = f"{cidr} is publicly routable: nodes cannot reach the hosts that really have it"
            yield Violation(("network", field), message, "take a private block, such as 10.0.0.0/16")


RULE = Rule(
    code="NET012",
    severity="warning",
    title="A block is publicly routable.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks: RFC 1918 ranges are recommended; read November 2026",
)

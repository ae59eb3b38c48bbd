"""NET004: address blocks that no VPC may have."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

REFUSED = {
    IPv4Network("0.0.0.0/8"): "this network",
    IPv4Network("127.0.0.0/8"): "loopback",
    IPv4Network("169.254.0.0/16"): "link-local",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("240.0.0.0/4"): "reserved",
}


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    for field, cidr in (("cidr", network.cidr), ("pod_cidr", network.pod_cidr)):
        block = IPv4Network(cidr) if cidr is not None else None
        for refused, use in REFUSED.items():
            if block is not None and block.overlaps(refused):
                message = f"AWS refuses {cidr} for a VPC: {refused} is for {use} addresses"
                yield Violation(("network", field), message, "take a private block, such as 10.0.0.0/16")


RULE = Rule(
    code="NET004",
    severity="error",
    title="A block is one that no VPC may have.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks, association restrictions; read November 2026",
)

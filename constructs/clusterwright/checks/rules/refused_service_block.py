"""NET013: a block for Kubernetes services that EKS does not take."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.addressing import PRIVATE_BLOCKS, SERVICE_PREFIXES
from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    cidr = subject.cluster.network.service_cidr
    if cidr is None:
        return
    block = IPv4Network(cidr)
    path, hint = ("network", "service_cidr"), "leave the field out, or take one such as 172.20.0.0/16"
    if block.prefixlen not in SERVICE_PREFIXES:
        wanted = f"a /{SERVICE_PREFIXES[0]} to a /{SERVICE_PREFIXES[-1]}"
        yield Violation(path, f"the services' block {cidr} must be {wanted}", hint)
    if not any(block.subnet_of(private) for private in PRIVATE_BLOCKS):
        wanted = ", ".join(map(str, PRIVATE_BLOCKS))
        yield Violation(path, f"the services' block {cidr} must lie inside one of {wanted}", hint)


RULE = Rule(
    code="NET013",
    severity="error",
    title="The block for Kubernetes services is larger than a /12, smaller than a /24, or not private.",
    find=_find,
    source="EKS API, KubernetesNetworkConfigRequest.serviceIpv4Cidr; read November 2026",
)

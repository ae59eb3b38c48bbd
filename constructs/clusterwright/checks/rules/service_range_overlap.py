"""NET006: blocks of the VPC that overlap the range for Kubernetes services."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.addressing import pick_service_cidr
from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

_HINT = "leave the field out, and a range is taken that is free"


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    if network.existing is not None:
        return
    blocks = {"cidr": network.cidr} | ({"pod_cidr": network.pod_cidr} if network.pod_cidr else {})
    services = network.service_cidr or pick_service_cidr(blocks.values())
    for field, block in blocks.items():
        if not IPv4Network(block).overlaps(IPv4Network(services)):
            continue
        if network.service_cidr is not None:
            path = ("network", "service_cidr")
            yield Violation(path, f"the services' block {services} overlaps {field}, {block}", _HINT)
        else:
            message = f"{block} overlaps {services}, the only range that is left for Kubernetes services"
            yield Violation(("network", field), message, "name another range in service_cidr")


RULE = Rule(
    code="NET006",
    severity="error",
    title="The range for Kubernetes services overlaps a block of the VPC.",
    find=_find,
    source="EKS API, KubernetesNetworkConfigRequest.serviceIpv4Cidr; read November 2026",
)

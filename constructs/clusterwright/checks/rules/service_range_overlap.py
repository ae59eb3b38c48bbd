"""NET006: blocks that leave no range for Kubernetes services."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.addressing import pick_service_cidr
from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    if network.existing is not None:
        return
    blocks = {"cidr": network.cidr} | ({"pod_cidr": network.pod_cidr} if network.pod_cidr else {})
    services = pick_service_cidr(blocks.values())
    for field, block in blocks.items():
        if IPv4Network(block).overlaps(IPv4Network(services)):
            yield Violation(
                ("network", field),
                f"{block} overlaps {services}, the only range that is left for Kubernetes services",
                "keep one of 172.20.0.0/16 and 10.100.0.0/16 free",
            )


RULE = Rule(
    code="NET006",
    severity="error",
    title="The blocks leave no range for Kubernetes services.",
    find=_find,
    source="EKS API, KubernetesNetworkConfigRequest.serviceIpv4Cidr; read November 2026",
)

"""NET003: a pod block that overlaps the VPC's."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    if network.pod_cidr is not None and IPv4Network(network.pod_cidr).overlaps(IPv4Network(network.cidr)):
        message = f"the pods' block {network.pod_cidr} overlaps the VPC's, {network.cidr}"
        yield Violation(("network", "pod_cidr"), message, "100.64.0.0/16 is free in most networks")


RULE = Rule(
    code="NET003",
    severity="error",
    title="The pods' block overlaps the VPC's.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks; read November 2026",
)

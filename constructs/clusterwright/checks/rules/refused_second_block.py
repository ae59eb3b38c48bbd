"""NET005: a pod block that AWS does not let stand beside the VPC's."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.addressing import PRIVATE_BLOCKS
from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    if network.pod_cidr is None:
        return
    first, second = IPv4Network(network.cidr), IPv4Network(network.pod_cidr)
    reason = "" if first.overlaps(second) else _explain_refusal(first, second)
    if reason:
        message = f"AWS refuses {network.pod_cidr} beside {network.cidr}: {reason}"
        yield Violation(("network", "pod_cidr"), message, "100.64.0.0/16 may stand beside every VPC")


def _explain_refusal(first: IPv4Network, second: IPv4Network) -> str:
    """Why a VPC with one block cannot have the other too, or an empty text.

    The guide also lists 198.19.0.0/16 as refused beside private blocks, and EKS's guide recommends it there;
    so nothing is said of it.
    """
    own = next((each for each in PRIVATE_BLOCKS if first.overlaps(each)), None)
    other = next((each for each in PRIVATE_BLOCKS if second.overlaps(each)), None)
    if other is not None and other != own:
        return f"a VPC in {own} takes none of {other}" if own else f"a public VPC takes none of {other}"
    if first.overlaps(IPv4Network("10.0.0.0/15")) and second.overlaps(IPv4Network("10.0.0.0/16")):
        return "a VPC in 10.0.0.0/15 takes no second block of 10.0.0.0/16"
    if own == PRIVATE_BLOCKS[1] and second.overlaps(IPv4Network("172.31.0.0/16")):
        return "a VPC in 172.16.0.0/12 takes no second block of 172.31.0.0/16"
    return ""


RULE = Rule(
    code="NET005",
    severity="error",
    title="AWS does not let the pods' block stand beside the VPC's.",
    find=_find,
    source="VPC User Guide, VPC CIDR blocks, association restrictions; read November 2026",
)

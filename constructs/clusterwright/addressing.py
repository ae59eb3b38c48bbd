"""Which addresses go where: the subnets of a cluster's VPC, and how many pods a node can address.

The layout depends on the network's blocks and zones alone, never on pools, so that a pool can come and go
without moving a subnet. For a /16 it is::

    10.0.0.0/17     nodes of the cluster's zone        half of the block
    10.0.128.0/21   control plane, first zone          the rest in sixteenths of the other half:
    10.0.136.0/21   control plane, second zone         three for the control plane and the way out,
    10.0.144.0/21   public, only with a NAT gateway    four spare,
    10.0.192.0/18   regional nodes                     eight for CPU nodes beside a local zone
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterwright.hardware import InstanceSpec, Interface

VPC_PREFIXES = range(16, 23)
"""Prefix lengths of a VPC's block. AWS takes none larger than a /16. The smallest subnet of a /22, a
sixteenth of its half, is a /27, and EKS asks for six free addresses in it."""

POD_PREFIXES = range(16, 25)
"""Prefix lengths of a block for pods. AWS takes none larger than a /16; a /24 is sixteen of the /28 blocks
that nodes take for their pods."""

SERVICE_PREFIXES = range(12, 25)
"""Prefix lengths of a block for services (EKS API, KubernetesNetworkConfigRequest.serviceIpv4Cidr)."""

PRIVATE_BLOCKS = (IPv4Network("10.0.0.0/8"), IPv4Network("172.16.0.0/12"), IPv4Network("192.168.0.0/16"))
"""The private ranges of RFC 1918; EKS takes a block for services from these alone."""

RESERVED_PER_SUBNET = 5
"""Addresses that AWS keeps of every subnet (VPC user guide, "Subnet sizing")."""

PODS_PER_PREFIX = 16
"""Addresses of the /28 that prefix delegation hands to an interface slot."""

SMALL_NODE_VCPUS = 30
SMALL_NODE_PODS = 110
LARGE_NODE_PODS = 250
"""Kubernetes' advice on pods a node, as EKS applies it: 110 below 30 vCPUs, else 250
(amazon-vpc-cni-k8s, misc/eni-max-pods.txt and max-pods-calculator, August 2026)."""

Role = Literal["nodes", "control-plane", "public", "pods"]


@dataclass(frozen=True, slots=True)
class SubnetPlan:
    """One subnet to make: its role, its zone id and its block."""

    name: str
    role: Role
    zone: str
    cidr: IPv4Network

    @property
    def usable_addresses(self) -> int:
        """Addresses that AWS leaves to us."""
        return self.cidr.num_addresses - RESERVED_PER_SUBNET


def plan_subnets(
    cidr: str,
    *,
    zone: str,
    control_plane_zones: tuple[str, ...],
    pod_cidr: str | None = None,
    has_public_subnet: bool = True,
    has_regional_nodes: bool = False,
) -> tuple[SubnetPlan, ...]:
    """Divide the VPC's blocks into subnets.

    Args:
        cidr: The VPC's block, /16 to /22.
        zone: Zone id of the accelerated nodes.
        control_plane_zones: One or two zone ids of the region proper, of which the first holds the NAT
            gateway. A control plane that is ours to place, which is EKS's alone, takes two.
        pod_cidr: A second block for pods, or None.
        has_public_subnet: Whether a NAT gateway needs a public subnet.
        has_regional_nodes: Whether `zone` is a local zone, so that CPU nodes sit in the region proper.
    """
    vpc = IPv4Network(cidr)
    nodes, rest = vpc.subnets(prefixlen_diff=1)
    sixteenths = tuple(rest.subnets(prefixlen_diff=4))
    first = control_plane_zones[0]
    plans = [SubnetPlan("Nodes", "nodes", zone, nodes)]
    if len(control_plane_zones) > 1:
        named = zip("AB", control_plane_zones, sixteenths, strict=False)
        plans += [SubnetPlan(f"ControlPlane{name}", "control-plane", at, block) for name, at, block in named]
    if has_public_subnet:
        plans.append(SubnetPlan("Public", "public", first, sixteenths[2]))
    if has_regional_nodes:
        plans.append(SubnetPlan("RegionalNodes", "nodes", first, tuple(rest.subnets(prefixlen_diff=1))[1]))
    if pod_cidr is not None:
        plans.extend(_plan_pod_subnets(IPv4Network(pod_cidr), zone, first if has_regional_nodes else None))
    return tuple(plans)


def _plan_pod_subnets(block: IPv4Network, zone: str, regional_zone: str | None) -> Iterable[SubnetPlan]:
    if regional_zone is None:
        return [SubnetPlan("Pods", "pods", zone, block)]
    lower, upper = block.subnets(prefixlen_diff=1)
    return [
        SubnetPlan("Pods", "pods", zone, lower),
        SubnetPlan("RegionalPods", "pods", regional_zone, upper),
    ]


def pick_service_cidr(cidrs: Iterable[str]) -> str:
    """The block for Kubernetes services: EKS's usual one, or its other one where that would overlap.

    Args:
        cidrs: The VPC's blocks.
    """
    usual = IPv4Network("172.20.0.0/16")
    if any(usual.overlaps(IPv4Network(cidr)) for cidr in cidrs):
        return "10.100.0.0/16"
    return str(usual)


def pod_interfaces(
    spec: InstanceSpec, interfaces: Iterable[Interface], *, has_custom_networking: bool
) -> int:
    """How many of a node's interfaces can carry pod addresses.

    The VPC CNI adds interfaces on network card 0 alone. With custom networking the primary interface
    carries none, and an EFA interface on card 0 takes a place there too.
    """
    taken = sum(1 for interface in interfaces if interface.card == 0 and interface.kind != "interface")
    return spec.network_cards[0].max_interfaces - taken - int(has_custom_networking)


def max_pods(spec: InstanceSpec, interfaces: Iterable[Interface], *, has_custom_networking: bool) -> int:
    """How many pods a node may run, with prefix delegation."""
    carriers = pod_interfaces(spec, interfaces, has_custom_networking=has_custom_networking)
    addresses = carriers * (spec.ipv4_per_interface - 1) * PODS_PER_PREFIX + 2
    limit = SMALL_NODE_PODS if spec.vcpus < SMALL_NODE_VCPUS else LARGE_NODE_PODS
    return min(addresses, limit)

"""EKS: where a control plane and node groups may live, and what a node group's launch template may say.

Source: EKS user guide, "View Amazon EKS networking requirements for VPC and subnets" and "Customize managed
nodes with launch templates", read 2026-11-20.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

LEAST_ZONES = 2


def control_plane_problems(
    subnets: Sequence[Mapping[str, Any]], zone_types: Mapping[str, str]
) -> Iterator[str]:
    """Whether a control plane can use these subnets.

    Args:
        subnets: As DescribeSubnets tells them.
        zone_types: The kind of each zone, by zone id.
    """
    zones = {str(subnet["AvailabilityZoneId"]) for subnet in subnets}
    if len(zones) < LEAST_ZONES:
        yield f"Subnets specified must be in at least two different AZs; these are in {', '.join(zones)}."
    if len({subnet["VpcId"] for subnet in subnets}) > 1:
        yield "Subnets specified must be of one VPC."
    for zone in sorted(zones):
        if zone_types.get(zone) != "availability-zone":
            kind = zone_types.get(zone, "zone of another region")
            yield f"A control plane cannot use {zone}, which is a {kind}."


def node_subnet_problems(subnets: Sequence[Mapping[str, Any]], cluster_vpc_id: str) -> Iterator[str]:
    """Whether nodes of a cluster can use these subnets."""
    for subnet in subnets:
        if subnet["VpcId"] != cluster_vpc_id:
            yield f"Subnet {subnet['SubnetId']} is not in the cluster's VPC {cluster_vpc_id}."


def launch_template_problems(node_group: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[str]:
    """What EKS refuses in a launch template of a node group.

    Args:
        node_group: The parameters of CreateNodegroup.
        data: The launch template's data.
    """
    if data.get("InstanceType") and node_group.get("instanceTypes"):
        yield "You cannot give the instance type both in the launch template and in the node group."
    if node_group.get("diskSize"):
        yield "Disk size must be specified within the launch template."
    if data.get("IamInstanceProfile"):
        yield "A launch template of a node group must not name an instance profile."
    interfaces = data.get("NetworkInterfaces", [])
    if any(interface.get("SubnetId") for interface in interfaces):
        yield "A launch template of a node group must not name subnets."
    if interfaces and data.get("SecurityGroupIds"):
        yield "Security groups must be in the interfaces of a launch template that has interfaces."


def addon_problems(name: str, known: Collection[str]) -> Iterator[str]:
    """Whether EKS has an add-on of this name."""
    if name not in known:
        yield f"Addon {name} is not supported; there are {', '.join(sorted(known))}."

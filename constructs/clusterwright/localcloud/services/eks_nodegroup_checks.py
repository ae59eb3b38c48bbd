"""EKS: the rules that a node group is held against, with the facts that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.localcloud.errors import refuse
from clusterwright.localcloud.rules.capacity import (
    instance_count_problems,
    market_problems,
    placement_problems,
    reservation_problems,
    target_id,
)
from clusterwright.localcloud.rules.clusters import launch_template_problems, node_subnet_problems
from clusterwright.localcloud.rules.interfaces import interface_problems
from clusterwright.localcloud.rules.launch_templates import (
    metadata_tag_problems,
    public_address_problems,
    security_group_problems,
    user_data_problems,
)
from clusterwright.localcloud.rules.lookup import (
    architectures,
    described_subnets,
    network_cards,
    placement_group,
    refuse_unknown_groups,
    reservation,
)
from clusterwright.localcloud.rules.node_groups import (
    ami_type_problems,
    release_problems,
    scaling_problems,
    version_problems,
)
from clusterwright.localcloud.rules.node_labels import label_problems, taint_problems

if TYPE_CHECKING:
    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.services.eks_state import ClusterRecord, Record


def refuse_settings(group: Record) -> None:
    """Refuse sizes, labels and taints that EKS would.

    Raises:
        ApiError: Something is wrong.
    """
    refuse(scaling_problems(group["scalingConfig"]))
    refuse(label_problems(group["labels"]))
    refuse(taint_problems(group["taints"]))


def refuse_launch(account: Account, group: Record, data: Record, cluster: ClusterRecord) -> None:
    """Refuse what EKS or EC2 would when it launches the nodes of a node group, apart from capacity.

    Args:
        account: The account.
        group: The node group as DescribeNodegroup would tell it.
        data: Its launch template's data; empty where there is none.
        cluster: Its cluster.

    Raises:
        ApiError: Something is wrong.
    """
    refuse(version_problems(group["version"], str(cluster.cluster["version"])))
    refuse(node_subnet_problems(described_subnets(account, group["subnets"]), cluster.vpc_id))
    refuse(release_problems(group.get("releaseVersion"), group["version"]))
    refuse(market_problems(group["capacityType"], data))
    if group.get("launchTemplate"):
        refuse(launch_template_problems(group, data))
        refuse(user_data_problems(data, group["amiType"]))
        refuse(public_address_problems(data))
        refuse(security_group_problems(data))
        refuse(metadata_tag_problems(data))
    _refuse_instance_types(account, group, data)
    _refuse_groups(account, data, cluster.vpc_id)


def refuse_capacity(account: Account, group: Record, data: Record) -> None:
    """Refuse a node group that the capacity reservation of its launch template cannot carry.

    Raises:
        ApiError: It cannot.
    """
    wanted = target_id(data)
    if wanted is None:
        return
    found, types = reservation(account, wanted), _instance_types(group, data)
    subnets = described_subnets(account, group["subnets"])
    problems = reservation_problems(
        wanted,
        found,
        instance_type=types[0] if types else None,
        zone_ids={subnet["AvailabilityZoneId"] for subnet in subnets},
        is_block=group["capacityType"] == "CAPACITY_BLOCK",
    )
    refuse(problems)
    if found is not None:
        refuse(placement_problems(found, placement_group(account, data.get("Placement", {}))))


def refuse_count(account: Account, target: str | None, group: Record, elsewhere: int = 0) -> None:
    """Refuse a node group that wants more instances than a capacity reservation has.

    Args:
        account: The account.
        target: The id of the reservation that the node group's launch template targets, or None.
        group: The node group.
        elsewhere: Nodes that other node groups want of the reservation.

    Raises:
        ApiError: It does.
    """
    found = reservation(account, target) if target else None
    if found is not None:
        refuse(instance_count_problems(found, desired_nodes(group), elsewhere))


def desired_nodes(group: Record) -> int:
    """How many nodes a node group wants; the fewest that it may have where it does not say."""
    scaling = group["scalingConfig"]
    return int(scaling.get("desiredSize", scaling.get("minSize", 0)))


def _refuse_instance_types(account: Account, group: Record, data: Record) -> None:
    interfaces = data.get("NetworkInterfaces", [])
    for instance_type in _instance_types(group, data):
        if interfaces:
            refuse(interface_problems(instance_type, network_cards(account, instance_type), interfaces))
        if not data.get("ImageId"):
            refuse(ami_type_problems(group["amiType"], instance_type, architectures(account, instance_type)))


def _refuse_groups(account: Account, data: Record, vpc_id: str) -> None:
    interfaces = data.get("NetworkInterfaces", [])
    groups = {group for interface in interfaces for group in interface.get("Groups", [])}
    groups |= set(data.get("SecurityGroupIds", []))
    refuse_unknown_groups(account, sorted(groups), vpc_id)


def _instance_types(group: Record, data: Record) -> list[str]:
    named = data.get("InstanceType")
    return [named] if named else group.get("instanceTypes", [])

"""Facts that the rules need, asked of the embedded AWS itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ApiError, refuse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusterwright.localcloud.account import Account


def network_cards(account: Account, instance_type: str) -> list[dict[str, Any]] | None:
    """The network cards of an instance type as DescribeInstanceTypes tells them; None for a type it lacks."""
    described = _described_type(account, instance_type)
    return None if described is None else described.get("NetworkInfo", {}).get("NetworkCards", [])


def architectures(account: Account, instance_type: str) -> list[str] | None:
    """The processor architectures of an instance type, such as ``arm64``; None for a type that EC2 lacks."""
    described = _described_type(account, instance_type)
    return None if described is None else described["ProcessorInfo"]["SupportedArchitectures"]


def placement_group(account: Account, placement: Mapping[str, Any]) -> dict[str, Any] | None:
    """The placement group that a launch template's ``Placement`` names, or None."""
    name, group_id = placement.get("GroupName"), placement.get("GroupId")
    groups = account.client("ec2").describe_placement_groups()["PlacementGroups"]
    return next(
        (group for group in groups if name == group["GroupName"] or group_id == group["GroupId"]), None
    )


def described_subnets(account: Account, subnet_ids: Sequence[str]) -> list[dict[str, Any]]:
    """The subnets with the given ids.

    Raises:
        ApiError: One does not exist.
    """
    try:
        answer = account.client("ec2").describe_subnets(SubnetIds=list(subnet_ids))
    except ClientError as error:
        raise ApiError("InvalidParameterException", error.response["Error"]["Message"]) from error
    subnets: list[dict[str, Any]] = answer["Subnets"]
    return subnets


def zone_types(account: Account) -> dict[str, str]:
    """What kind each zone of the region is, by zone id: ``availability-zone`` or ``local-zone``."""
    zones = account.client("ec2").describe_availability_zones(AllAvailabilityZones=True)["AvailabilityZones"]
    return {zone["ZoneId"]: zone.get("ZoneType", "availability-zone") for zone in zones}


def zone_names(account: Account) -> dict[str, str]:
    """The name of each zone of the region, by zone id."""
    zones = account.client("ec2").describe_availability_zones(AllAvailabilityZones=True)["AvailabilityZones"]
    return {zone["ZoneId"]: zone["ZoneName"] for zone in zones}


def reservation(account: Account, reservation_id: str) -> dict[str, Any] | None:
    """A capacity reservation, or None."""
    answer = account.client("ec2").describe_capacity_reservations(
        Filters=[{"Name": "capacity-reservation-id", "Values": [reservation_id]}]
    )
    found: list[dict[str, Any]] = answer["CapacityReservations"]
    return found[0] if found else None


def refuse_unknown_role(account: Account, arn: str) -> None:
    """Refuse the ARN of a role that does not exist.

    Raises:
        ApiError: There is no such role.
    """
    role = arn.rpartition("/")[2]
    try:
        account.client("iam").get_role(RoleName=role)
    except ClientError as error:
        raise ApiError("InvalidParameterException", f"Role with arn: {arn} does not exist.") from error


def refuse_unknown_groups(account: Account, group_ids: Sequence[str], vpc_id: str) -> None:
    """Refuse security groups that do not exist, or are of another VPC.

    Raises:
        ApiError: One is wrong.
    """
    filters = [{"Name": "group-id", "Values": list(group_ids) or ["none"]}]
    found = account.client("ec2").describe_security_groups(Filters=filters)["SecurityGroups"]
    vpcs = {group["GroupId"]: group["VpcId"] for group in found}
    for group_id in group_ids:
        if group_id not in vpcs:
            refuse([f"The security group '{group_id}' does not exist"])
        if vpcs[group_id] != vpc_id:
            refuse([f"Security group {group_id} is not in {vpc_id}."])


def _described_type(account: Account, instance_type: str) -> dict[str, Any] | None:
    try:
        answer = account.client("ec2").describe_instance_types(InstanceTypes=[instance_type])
    except ClientError:
        return None
    types: list[dict[str, Any]] = answer["InstanceTypes"]
    return types[0] if types else None

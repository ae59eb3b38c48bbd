"""EC2's operations that moto lacks, or is too lenient in: placement groups, reservations, deleted groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from moto.ec2.models import ec2_backends

from clusterwright.localcloud.errors import ApiError
from clusterwright.localcloud.service import Service, operation

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clusterwright.localcloud.account import Account


@dataclass(frozen=True)
class CapacityReservation:
    """Capacity that the account holds.

    Attributes:
        id: Such as ``cr-0123456789abcdef0``.
        instance_type: The type.
        zone_id: Where, such as ``use2-az3``.
        count: How many instances.
        is_block: Whether it is a capacity block; else an on-demand capacity reservation.
        starts: When it begins, or None for at once.
        ends: When it ends, or None for never.
        placement_group: The cluster placement group in which it was made, or None.
    """

    id: str
    instance_type: str
    zone_id: str
    count: int
    is_block: bool = False
    starts: datetime | None = None
    ends: datetime | None = None
    placement_group: str | None = None

    def described(self, account: Account, zone_name: str) -> dict[str, Any]:
        """The reservation as DescribeCapacityReservations tells it."""
        return {
            "CapacityReservationId": self.id,
            "CapacityReservationArn": account.arn("ec2", f"capacity-reservation/{self.id}"),
            "OwnerId": account.id,
            "InstanceType": self.instance_type,
            "AvailabilityZone": zone_name,
            "AvailabilityZoneId": self.zone_id,
            "TotalInstanceCount": self.count,
            "AvailableInstanceCount": self.count,
            "InstancePlatform": "Linux/UNIX",
            "InstanceMatchCriteria": "targeted",
            "Tenancy": "default",
            "State": "active",
            "StartDate": self.starts,
            "EndDate": self.ends,
            "EndDateType": "limited" if self.ends else "unlimited",
            "ReservationType": "capacity-block" if self.is_block else "default",
            "PlacementGroupArn": (
                account.arn("ec2", f"placement-group/{self.placement_group}")
                if self.placement_group
                else None
            ),
            "Tags": [],
        }


class Ec2Service(Service):
    """What EC2 has beside moto's operations."""

    def __init__(self, account: Account) -> None:
        super().__init__(account)
        self._reservations: dict[str, CapacityReservation] = {}
        self._placement_groups: dict[str, dict[str, Any]] = {}

    def add_reservation(self, reservation: CapacityReservation) -> None:
        """Put a reservation into the account, as if it had been bought."""
        self._reservations[reservation.id] = reservation

    @operation
    def describe_capacity_reservations(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Reservations by id or filter."""
        wanted = params.get("CapacityReservationIds") or []
        missing = [identifier for identifier in wanted if identifier not in self._reservations]
        if missing:
            raise ApiError(
                "InvalidCapacityReservationId.NotFound",
                f"The capacity reservation '{missing[0]}' does not exist",
            )
        zones = self._zone_names()
        rows = [
            item.described(self.account, zones.get(item.zone_id, ""))
            for item in self._reservations.values()
            if not wanted or item.id in wanted
        ]
        return {"CapacityReservations": _filtered(rows, params.get("Filters") or [])}

    @operation
    def create_placement_group(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Make a placement group."""
        name = params["GroupName"]
        if name in self._placement_groups:
            raise ApiError("InvalidPlacementGroup.Duplicate", f"The Placement Group '{name}' already exists.")
        group_id = f"pg-{uuid4().hex[:17]}"
        tags = [tag for item in params.get("TagSpecifications", []) for tag in item.get("Tags", [])]
        group = {
            "GroupName": name,
            "GroupId": group_id,
            "GroupArn": self.account.arn("ec2", f"placement-group/{name}"),
            "State": "available",
            "Strategy": params.get("Strategy", "cluster"),
            "PartitionCount": params.get("PartitionCount"),
            "SpreadLevel": params.get("SpreadLevel"),
            "Tags": tags,
        }
        self._placement_groups[name] = group
        return {"PlacementGroup": group}

    @operation
    def describe_placement_groups(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Placement groups by name or id."""
        names, ids = params.get("GroupNames") or [], params.get("GroupIds") or []
        missing = [name for name in names if name not in self._placement_groups]
        if missing:
            raise ApiError("InvalidPlacementGroup.Unknown", f"The Placement Group '{missing[0]}' is unknown.")
        rows = [
            group
            for group in self._placement_groups.values()
            if (not names or group["GroupName"] in names) and (not ids or group["GroupId"] in ids)
        ]
        return {"PlacementGroups": rows}

    @operation
    def delete_placement_group(self, params: Mapping[str, Any]) -> None:
        """Delete a placement group."""
        name = params["GroupName"]
        if self._placement_groups.pop(name, None) is None:
            raise ApiError("InvalidPlacementGroup.Unknown", f"The Placement Group '{name}' is unknown.")

    @operation
    def delete_security_group(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Delete a security group; refused while an interface or another group uses it, unlike in moto."""
        ec2, wanted = self.account.client("ec2"), params.get("GroupId")
        groups = ec2.describe_security_groups()["SecurityGroups"]
        if wanted not in [group["GroupId"] for group in groups]:
            raise ApiError("InvalidGroup.NotFound", f"The security group '{wanted}' does not exist")
        filters = [{"Name": "group-id", "Values": [wanted]}]
        interfaces = ec2.describe_network_interfaces(Filters=filters)["NetworkInterfaces"]
        users = [each["NetworkInterfaceId"] for each in interfaces]
        users += [
            group["GroupId"] for group in groups if group["GroupId"] != wanted and wanted in _peers(group)
        ]
        if users:
            raise ApiError("DependencyViolation", f"resource {wanted} has a dependent object: {users[0]}")
        ec2_backends[self.account.id][self.account.region].delete_security_group(group_id=wanted)
        return {"Return": True, "GroupId": wanted}

    def _zone_names(self) -> dict[str, str]:
        zones = self.account.client("ec2").describe_availability_zones(AllAvailabilityZones=True)
        return {zone["ZoneId"]: zone["ZoneName"] for zone in zones["AvailabilityZones"]}


def _peers(group: Mapping[str, Any]) -> set[str]:
    """The groups that a group's rules name."""
    permissions = [*group["IpPermissions"], *group["IpPermissionsEgress"]]
    return {pair["GroupId"] for item in permissions for pair in item.get("UserIdGroupPairs", [])}


FILTERS = {
    "capacity-reservation-id": "CapacityReservationId",
    "instance-type": "InstanceType",
    "availability-zone-id": "AvailabilityZoneId",
    "state": "State",
    "reservation-type": "ReservationType",
}


def _filtered(rows: list[dict[str, Any]], filters: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    for item in filters:
        if item["Name"] not in FILTERS:
            raise ApiError("InvalidParameterValue", f"The filter '{item['Name']}' is invalid")
        rows = [row for row in rows if row[FILTERS[item["Name"]]] in item["Values"]]
    return rows

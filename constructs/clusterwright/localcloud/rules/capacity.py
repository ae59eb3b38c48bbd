"""EKS and EC2: node groups on reserved capacity.

Sources, read 2026-11-20: EKS user guide, "Create a managed node group with Capacity Blocks for ML"; EC2 user
guide, "Create Capacity Reservations in a cluster placement group"; terraform-aws-eks pull request 3730 and
eksctl issue 7949 for reservations that are used in a placement group which is not theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

CAPACITY_BLOCK = "capacity-block"


def market_problems(capacity_type: str, template_data: Mapping[str, Any]) -> Iterator[str]:
    """Whether a node group's capacity type and its launch template say the same.

    Args:
        capacity_type: ``ON_DEMAND``, ``SPOT`` or ``CAPACITY_BLOCK``.
        template_data: The launch template's data; empty where there is none.
    """
    market = template_data.get("InstanceMarketOptions", {}).get("MarketType")
    if capacity_type == "CAPACITY_BLOCK":
        if market != CAPACITY_BLOCK:
            yield "Capacity type CAPACITY_BLOCK needs a launch template with MarketType capacity-block."
        if not target_id(template_data):
            yield "Capacity type CAPACITY_BLOCK needs a launch template with a CapacityReservationTarget."
        if not template_data.get("InstanceType"):
            yield "Capacity type CAPACITY_BLOCK needs the instance type in the launch template."
    elif market == CAPACITY_BLOCK:
        yield f"A launch template with MarketType capacity-block does not fit capacity type {capacity_type}."
    elif market == "spot":
        yield "A launch template of a node group must not ask for Spot; use capacity type SPOT."


def reservation_problems(
    wanted_id: str,
    reservation: Mapping[str, Any] | None,
    *,
    instance_type: str | None,
    zone_ids: Collection[str],
    is_block: bool,
) -> Iterator[str]:
    """Whether a reservation can carry a node group.

    Args:
        wanted_id: The id that the launch template targets.
        reservation: What DescribeCapacityReservations says of it, or None.
        instance_type: The node group's.
        zone_ids: Zones of its subnets.
        is_block: Whether the node group asks for a capacity block.
    """
    if reservation is None:
        yield f"The capacity reservation {wanted_id} does not exist."
        return
    if reservation["InstanceType"] != instance_type:
        yield (
            f"The capacity reservation {wanted_id} is for {reservation['InstanceType']}, "
            f"the launch template for {instance_type}."
        )
    if set(zone_ids) != {reservation["AvailabilityZoneId"]}:
        yield (
            f"The capacity reservation {wanted_id} is in {reservation['AvailabilityZoneId']}, "
            f"the node group's subnets in {', '.join(sorted(zone_ids))}."
        )
    if is_block != (reservation.get("ReservationType") == CAPACITY_BLOCK):
        kind = "not a capacity block" if is_block else "a capacity block: use capacity type CAPACITY_BLOCK"
        yield f"The capacity reservation {wanted_id} is {kind}."
    if reservation.get("State") in ("expired", "cancelled", "failed", "payment-failed"):
        yield f"The capacity reservation {wanted_id} is {reservation['State']}."


def instance_count_problems(reservation: Mapping[str, Any], wanted: int, elsewhere: int) -> Iterator[str]:
    """Whether a reservation has the instances that its node groups want.

    Args:
        reservation: What DescribeCapacityReservations says of it.
        wanted: Nodes that the node group wants.
        elsewhere: Nodes that other node groups want of the same reservation.
    """
    count = reservation["TotalInstanceCount"]
    if wanted + elsewhere > count:
        others = f", and others want {elsewhere}" if elsewhere else ""
        yield (
            f"The capacity reservation {reservation['CapacityReservationId']} has {count} instances; "
            f"the node group wants {wanted}{others}."
        )


def placement_problems(reservation: Mapping[str, Any], group: Mapping[str, Any] | None) -> Iterator[str]:
    """Whether instances of a reservation can be launched into a placement group.

    Only a cluster placement group in which the reservation was made will do. A capacity block is in none.

    Args:
        reservation: What DescribeCapacityReservations says of it.
        group: What DescribePlacementGroups says of the launch template's group; None where it names none, or
            one that is not known.
    """
    if group is None or group["Strategy"] != "cluster":
        return
    if reservation.get("PlacementGroupArn") != group["GroupArn"]:
        yield (
            f"The capacity reservation {reservation['CapacityReservationId']} was not created in the cluster "
            f"placement group {group['GroupName']}: InsufficientInstanceCapacity."
        )


def target_id(template_data: Mapping[str, Any]) -> str | None:
    """The reservation that a launch template targets, if any."""
    specification = template_data.get("CapacityReservationSpecification", {})
    target: str | None = specification.get("CapacityReservationTarget", {}).get("CapacityReservationId")
    return target

"""The rules that every cluster is checked by, whoever schedules its work, in the order of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rules import (
    ambiguous_name,
    capacity_in_two_zones,
    capacity_of_other_type,
    capacity_outside_zone,
    existing_without_zone,
    foreign_ultraserver,
    foreign_zone,
    missing_ultraserver,
    missing_zone,
    network_size,
    nodes_do_not_fit,
    overlapping_blocks,
    oversized_block,
    oversubscribed_capacity,
    partial_ultraserver,
    public_block,
    refused_block,
    repeated_reservation,
    type_not_offered,
    unknown_capacity,
    unknown_instance_type,
    unknown_region,
    unknown_ultraserver,
    unserved_instance_type,
    unsold_purchase_option,
    unused_capacity,
)

if TYPE_CHECKING:
    from clusterwright.checks.rule import Rule

CLUSTER_RULES: tuple[Rule, ...] = (
    ambiguous_name.RULE,
    unknown_region.RULE,
    foreign_zone.RULE,
    missing_zone.RULE,
    type_not_offered.RULE,
    unknown_instance_type.RULE,
    unknown_ultraserver.RULE,
    missing_ultraserver.RULE,
    foreign_ultraserver.RULE,
    partial_ultraserver.RULE,
    unknown_capacity.RULE,
    capacity_of_other_type.RULE,
    capacity_outside_zone.RULE,
    capacity_in_two_zones.RULE,
    oversubscribed_capacity.RULE,
    unsold_purchase_option.RULE,
    oversized_block.RULE,
    unused_capacity.RULE,
    repeated_reservation.RULE,
    network_size.RULE,
    overlapping_blocks.RULE,
    refused_block.RULE,
    nodes_do_not_fit.RULE,
    existing_without_zone.RULE,
    public_block.RULE,
    unserved_instance_type.RULE,
)

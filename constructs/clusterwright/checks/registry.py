"""All rules, in the order of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rules import (
    capacity_in_two_zones,
    capacity_of_other_type,
    capacity_outside_zone,
    closed_public_endpoint,
    duplicate_taint,
    endpoint_open_to_all,
    existing_without_control_plane,
    existing_without_zone,
    foreign_admin,
    foreign_ultraserver,
    foreign_zone,
    missing_ultraserver,
    missing_zone,
    network_size,
    no_admin,
    no_pod_interface,
    no_system_pool,
    nodes_do_not_fit,
    overlapping_blocks,
    oversized_block,
    oversubscribed_capacity,
    partial_ultraserver,
    pod_network_size,
    pods_do_not_fit,
    public_block,
    refused_block,
    refused_second_block,
    repeated_admin,
    repeated_reservation,
    reserved_prefix,
    service_range_overlap,
    type_not_offered,
    unknown_capacity,
    unknown_instance_type,
    unknown_kubernetes_version,
    unknown_region,
    unknown_ultraserver,
    unsold_purchase_option,
    unused_capacity,
    useless_access_list,
    version_too_old_for_ultraserver,
)
from clusterwright.config.complaints import CODES

if TYPE_CHECKING:
    from clusterwright.checks.rule import Rule

RULES: tuple[Rule, ...] = (
    unknown_region.RULE,
    foreign_zone.RULE,
    missing_zone.RULE,
    type_not_offered.RULE,
    unknown_instance_type.RULE,
    unknown_ultraserver.RULE,
    missing_ultraserver.RULE,
    foreign_ultraserver.RULE,
    partial_ultraserver.RULE,
    duplicate_taint.RULE,
    reserved_prefix.RULE,
    no_system_pool.RULE,
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
    pod_network_size.RULE,
    overlapping_blocks.RULE,
    refused_block.RULE,
    refused_second_block.RULE,
    service_range_overlap.RULE,
    nodes_do_not_fit.RULE,
    pods_do_not_fit.RULE,
    no_pod_interface.RULE,
    existing_without_zone.RULE,
    existing_without_control_plane.RULE,
    public_block.RULE,
    closed_public_endpoint.RULE,
    endpoint_open_to_all.RULE,
    useless_access_list.RULE,
    unknown_kubernetes_version.RULE,
    version_too_old_for_ultraserver.RULE,
    no_admin.RULE,
    foreign_admin.RULE,
    repeated_admin.RULE,
)
"""Each rule once. A code is never reused, so a rule that is dropped leaves a gap."""


def describe_codes() -> dict[str, str]:
    """What each code is about: first those of the file itself, then those of the cluster in it."""
    return CODES | {rule.code: rule.title for rule in RULES}

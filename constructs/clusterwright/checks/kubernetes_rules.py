"""The rules on Kubernetes, in the order of the reference; loaded for clusters that run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rules import (
    closed_public_endpoint,
    duplicate_taint,
    endpoint_open_to_all,
    existing_without_control_plane,
    foreign_admin,
    no_admin,
    no_pod_interface,
    no_system_pool,
    pod_network_size,
    pods_do_not_fit,
    refused_second_block,
    refused_service_block,
    repeated_admin,
    reserved_prefix,
    service_range_overlap,
    unknown_kubernetes_version,
    useless_access_list,
    version_too_old_for_ultraserver,
)

if TYPE_CHECKING:
    from clusterwright.checks.rule import Rule

KUBERNETES_RULES: tuple[Rule, ...] = (
    duplicate_taint.RULE,
    reserved_prefix.RULE,
    no_system_pool.RULE,
    pod_network_size.RULE,
    refused_second_block.RULE,
    service_range_overlap.RULE,
    pods_do_not_fit.RULE,
    no_pod_interface.RULE,
    existing_without_control_plane.RULE,
    refused_service_block.RULE,
    closed_public_endpoint.RULE,
    endpoint_open_to_all.RULE,
    useless_access_list.RULE,
    unknown_kubernetes_version.RULE,
    version_too_old_for_ultraserver.RULE,
    no_admin.RULE,
    foreign_admin.RULE,
    repeated_admin.RULE,
)

"""The rules on storage, in the order of the reference; loaded for clusters that have some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rules import (
    backup_of_linked,
    bucket_name_too_long,
    deployment_outside_region,
    early_transition,
    efa_without_client,
    expiry_before_transition,
    export_to_read_only,
    express_outside_zone,
    file_system_in_local_zone,
    illegal_home_iops,
    illegal_home_throughput,
    illegal_lustre_size,
    illegal_lustre_throughput,
    illegal_metadata_iops,
    illegal_read_cache,
    illegal_transition,
    links_on_intelligent_tiering,
    mount_over_system,
    nested_mount,
    no_local_disks,
    overlapping_links,
    pool_without_local_disks,
    refused_bucket_name,
    repeated_quota,
    same_mount,
    too_many_links,
    unknown_bucket,
    unknown_pool,
    unused_storage,
    versions_kept_for_ever,
)

if TYPE_CHECKING:
    from clusterwright.checks.rule import Rule

STORAGE_RULES: tuple[Rule, ...] = (
    illegal_lustre_size.RULE,
    illegal_metadata_iops.RULE,
    illegal_lustre_throughput.RULE,
    illegal_read_cache.RULE,
    unknown_bucket.RULE,
    overlapping_links.RULE,
    too_many_links.RULE,
    links_on_intelligent_tiering.RULE,
    backup_of_linked.RULE,
    same_mount.RULE,
    nested_mount.RULE,
    mount_over_system.RULE,
    unknown_pool.RULE,
    no_local_disks.RULE,
    pool_without_local_disks.RULE,
    express_outside_zone.RULE,
    efa_without_client.RULE,
    illegal_home_throughput.RULE,
    deployment_outside_region.RULE,
    illegal_home_iops.RULE,
    illegal_transition.RULE,
    expiry_before_transition.RULE,
    versions_kept_for_ever.RULE,
    bucket_name_too_long.RULE,
    refused_bucket_name.RULE,
    unused_storage.RULE,
    file_system_in_local_zone.RULE,
    export_to_read_only.RULE,
    repeated_quota.RULE,
    early_transition.RULE,
)

"""What a Lustre file system can do, as AWS designs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.storage_limits.lustre import automatic_metadata_iops

if TYPE_CHECKING:
    from clusterwright.config.lustre import LustreConfig

GIB_PER_TIB = 1024

LEAST_TIERED_METADATA_IOPS = 6000
"""What an intelligent-tiering file system gets that asks for no number; AWS wants one (`METADATA_SOURCE`)."""


def lustre_mbps(system: LustreConfig) -> float:
    """Sustained throughput of a file system in MB/s (10^6 bytes), for reading and for writing alike.

    It is that of the disks: what the servers have in memory is read faster, and `ssd` bursts for a while.
    """
    if system.type == "intelligent-tiering":
        return float(system.throughput_mbps or 0)
    return (system.capacity_gib or 0) / GIB_PER_TIB * system.throughput_mbps_per_tib


def lustre_metadata_iops(system: LustreConfig) -> int:
    """Metadata operations a second of a file system: as written, or what it gets without."""
    if system.metadata_iops is not None:
        return system.metadata_iops
    if system.type == "intelligent-tiering":
        return LEAST_TIERED_METADATA_IOPS
    return automatic_metadata_iops(system.capacity_gib or 0)

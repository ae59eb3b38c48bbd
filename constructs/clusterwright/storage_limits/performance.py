"""What a Lustre file system can do, as AWS designs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.hardware import Source
from clusterwright.storage_limits.lustre import THROUGHPUT_STEP_MBPS, automatic_metadata_iops, gib_per_server

if TYPE_CHECKING:
    from clusterwright.config.lustre import LustreConfig

TIB_SOURCE = Source(
    "Amazon FSx API reference, CreateFileSystemLustreConfiguration, PerUnitStorageThroughput",
    "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemLustreConfiguration.html",
    "November 2026",
)

GIB_PER_TIB = 1000
"""What FSx for Lustre calls a TiB: a 2.4-TiB file system is one of 2,400 GiB (`TIB_SOURCE`)."""

LEAST_TIERED_METADATA_IOPS = 6000
"""What an intelligent-tiering file system gets that asks for no number; AWS wants one (`METADATA_SOURCE`)."""


def lustre_mbps(system: LustreConfig) -> float:
    """Sustained throughput of a file system in MB/s (10^6 bytes), for reading and for writing alike.

    It is that of the disks: what the servers have in memory is read faster, and `ssd` bursts for a while.
    """
    if system.type == "intelligent-tiering":
        return float(system.throughput_mbps or 0)
    return (system.capacity_gib or 0) / GIB_PER_TIB * system.throughput_mbps_per_tib


def lustre_servers(system: LustreConfig) -> int:
    """Object storage servers of a file system."""
    if system.type == "intelligent-tiering":
        return (system.throughput_mbps or 0) // THROUGHPUT_STEP_MBPS
    size = gib_per_server(system.throughput_mbps_per_tib, efa=system.efa)
    return -(-(system.capacity_gib or 0) // size)


def lustre_metadata_iops(system: LustreConfig) -> int:
    """Metadata operations a second of a file system: as written, or what it gets without."""
    if system.metadata_iops is not None:
        return system.metadata_iops
    if system.type == "intelligent-tiering":
        return LEAST_TIERED_METADATA_IOPS
    return automatic_metadata_iops(system.capacity_gib or 0)

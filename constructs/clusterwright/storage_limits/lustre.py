"""What FSx for Lustre accepts for a PERSISTENT_2 file system, by storage type."""

from __future__ import annotations

from typing import Literal

from clusterwright.hardware import Source
from clusterwright.storage_limits.steps import Steps

CAPACITY_SOURCE = Source(
    "Amazon FSx API reference, CreateFileSystem, StorageCapacity",
    "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystem.html",
    "November 2026",
)
EFA_CAPACITY_SOURCE = Source(
    "FSx for Lustre user guide, Increasing storage capacity and Getting started, EFA-enabled file systems",
    "https://docs.aws.amazon.com/fsx/latest/LustreGuide/increase-storage-capacity.html",
    "November 2026",
)
METADATA_SOURCE = Source(
    "Amazon FSx API reference, CreateFileSystemLustreMetadataConfiguration, Iops",
    "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemLustreMetadataConfiguration.html",
    "November 2026",
)
AUTOMATIC_METADATA_SOURCE = Source(
    "FSx for Lustre user guide, File system metadata performance",
    "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html#dne-metadata-performance",
    "November 2026",
)
INTELLIGENT_TIERING_SOURCE = Source(
    "Amazon FSx API reference, LustreReadCacheConfiguration and ThroughputCapacity",
    "https://docs.aws.amazon.com/fsx/latest/APIReference/API_LustreReadCacheConfiguration.html",
    "November 2026",
)
EFA_CLIENT_SOURCE = Source(
    "FSx for Lustre user guide, Working with EFA-enabled file systems, prerequisites",
    "https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html",
    "November 2026",
)
SERVERS_SOURCE = Source(
    "FSx for Lustre user guide, IP addresses for file systems",
    "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html#ip-addesses-for-fs",
    "November 2026",
)
NITRO_SOURCE = Source(
    "Amazon EC2 instance types guide, Instances built on the AWS Nitro System",
    "https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-nitro-instances.html",
    "November 2026",
)
CLIENT_THROUGHPUT_SOURCE = Source(
    "FSx for Lustre user guide, Throughput to individual client instances",
    "https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html#throughput-clients",
    "November 2026",
)
LINKS_SOURCE = Source(
    "Amazon FSx API reference, CreateDataRepositoryAssociation",
    "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateDataRepositoryAssociation.html",
    "November 2026",
)
NO_LINKS_SOURCE = Source(
    "FSx for Lustre user guide, Using data repositories",
    "https://docs.aws.amazon.com/fsx/latest/LustreGuide/fsx-data-repositories.html",
    "November 2026",
)

StorageType = Literal["ssd", "intelligent-tiering"]

LINKS_PER_FILE_SYSTEM = 8
"""Data repository associations that one file system may have (`LINKS_SOURCE`)."""

LARGEST_CAPACITY_GIB = 2_147_483_647
"""What fits into the field of FSx's API (botocore's model of FSx, StorageCapacity; November 2026)."""

SSD_CAPACITY_GIB = Steps(single=(1200,), step=2400, last=LARGEST_CAPACITY_GIB)
"""Sizes of an SSD file system without EFA (`CAPACITY_SOURCE`)."""

EFA_CAPACITY_STEP_GIB = {125: 38_400, 250: 19_200, 500: 9_600, 1000: 4_800}
"""Step of the size with EFA, by throughput in MB/s for each TiB (`EFA_CAPACITY_SOURCE`)."""

METADATA_IOPS: dict[StorageType, Steps] = {
    "ssd": Steps(single=(1500, 3000, 6000), step=12_000, last=192_000),
    "intelligent-tiering": Steps(single=(6000, 12_000)),
}
"""Provisioned metadata operations a second (`METADATA_SOURCE`)."""

THROUGHPUT_STEP_MBPS = 4000
"""Throughput of each file server of an intelligent-tiering file system (`INTELLIGENT_TIERING_SOURCE`)."""

THROUGHPUT_LIMIT_MBPS = 2_000_000
READ_CACHE_GIB_PER_STEP = (32, 131_072)
"""Least and most read cache for each throughput step (`INTELLIGENT_TIERING_SOURCE`)."""

GIB_PER_SERVER = 2400
"""Storage of one object storage server without EFA; with EFA it is that of one step (`SERVERS_SOURCE`)."""

ENA_CLIENT_GBPS_PER_SERVER = 5
ENA_CLIENT_GBPS = 100
EFA_CLIENT_GBPS = 700
GPUDIRECT_CLIENT_GBPS = 1200
"""Most that one client gets from a file system, in Gbit/s, by the way to it (`CLIENT_THROUGHPUT_SOURCE`).

Over TCP it also gets no more than 5 from each of the servers.
"""

GPUDIRECT_FAMILIES = ("p5", "p5e", "p5en", "p6-b200", "p6-b300")
"""Families whose GPUs read and write an EFA file system without the CPU (`EFA_CLIENT_SOURCE`)."""

OTHER_EFA_CLIENT_FAMILIES = ("g6", "g6e", "g7", "g7e", "p6e-gb200", "p6e-gb300", "trn1", "trn1n")
"""Further accelerated families that reach Lustre over EFA.

It takes EFA on Nitro v4 or newer, and not trn2 (`EFA_CLIENT_SOURCE`). The others are in AWS's table of
generations (`NITRO_SOURCE`); p6e-gb300 is not, and taken to be no older than p6e-gb200, which has v5.
"""

AUTOMATIC_METADATA_IOPS = ((12_000, 12_000), (4800, 6000), (2400, 3000), (0, 1500))
"""Metadata operations a second that AWS chooses from a size in GiB on (`AUTOMATIC_METADATA_SOURCE`)."""

AUTOMATIC_METADATA_STEP_GIB = 24_000
"""From two of these on there are 12,000 for each (`AUTOMATIC_METADATA_SOURCE`)."""


def capacity_steps(throughput_mbps_per_tib: int, *, efa: bool) -> Steps:
    """The sizes in GiB that an SSD file system may have.

    Args:
        throughput_mbps_per_tib: 125, 250, 500 or 1000 MB/s for each TiB.
        efa: Whether the file system has EFA.
    """
    if not efa:
        return SSD_CAPACITY_GIB
    return Steps(step=EFA_CAPACITY_STEP_GIB[throughput_mbps_per_tib], last=LARGEST_CAPACITY_GIB)


def gib_per_server(throughput_mbps_per_tib: int, *, efa: bool) -> int:
    """Storage in GiB of one object storage server of an SSD file system."""
    return EFA_CAPACITY_STEP_GIB[throughput_mbps_per_tib] if efa else GIB_PER_SERVER


def metadata_steps(storage_type: StorageType) -> Steps:
    """The metadata operations a second that a file system may be given."""
    return METADATA_IOPS[storage_type]


def throughput_steps() -> Steps:
    """The throughputs in MB/s that an intelligent-tiering file system may have."""
    return Steps(step=THROUGHPUT_STEP_MBPS, last=THROUGHPUT_LIMIT_MBPS)


def read_cache_steps(throughput_mbps: int) -> Steps:
    """The sizes in GiB that the read cache of an intelligent-tiering file system may have; 0 is none."""
    servers = throughput_mbps // THROUGHPUT_STEP_MBPS
    least, most = (servers * each for each in READ_CACHE_GIB_PER_STEP)
    return Steps(single=(0,), step=1, first=least, last=most)


def automatic_metadata_iops(capacity_gib: int) -> int:
    """The metadata operations a second that AWS gives an SSD file system by itself.

    Args:
        capacity_gib: A legal size in GiB.
    """
    large = capacity_gib // AUTOMATIC_METADATA_STEP_GIB * AUTOMATIC_METADATA_IOPS[0][1]
    return max([large, *(iops for least, iops in AUTOMATIC_METADATA_IOPS if capacity_gib >= least)])


def is_efa_client(instance_type: str) -> bool:
    """Whether nodes of an accelerated type can reach a file system over EFA, as far as is known."""
    return _family(instance_type) in {*GPUDIRECT_FAMILIES, *OTHER_EFA_CLIENT_FAMILIES}


def client_limit_gbps(instance_type: str, *, efa: bool, servers: int) -> int:
    """Most that one node gets from one file system, in Gbit/s, before its own network's limit.

    Args:
        instance_type: EC2's type.
        efa: Whether the file system and the node use EFA.
        servers: Object storage servers of the file system.
    """
    if not efa or not is_efa_client(instance_type):
        return min(ENA_CLIENT_GBPS, ENA_CLIENT_GBPS_PER_SERVER * servers)
    return GPUDIRECT_CLIENT_GBPS if _family(instance_type) in GPUDIRECT_FAMILIES else EFA_CLIENT_GBPS


def _family(instance_type: str) -> str:
    return instance_type.partition(".")[0]

"""What FSx for OpenZFS accepts, by deployment type, and where each deployment type exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.hardware import Source
from clusterwright.storage_limits.steps import Steps

if TYPE_CHECKING:
    from clusterwright.config.openzfs import OpenZfsDeployment

THROUGHPUT_SOURCE = Source(
    "Amazon FSx API reference, CreateFileSystemOpenZFSConfiguration, ThroughputCapacity",
    "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemOpenZFSConfiguration.html",
    "November 2026",
)
IOPS_SOURCE = Source(
    "Amazon FSx API reference, DiskIopsConfiguration; FSx for OpenZFS user guide, What is",
    "https://docs.aws.amazon.com/fsx/latest/APIReference/API_DiskIopsConfiguration.html",
    "November 2026",
)
REGIONS_SOURCE = Source(
    "FSx for OpenZFS user guide, Availability by AWS Region",
    "https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/available-aws-regions.html",
    "November 2026",
)

_FIRST_GENERATION = Steps(single=(64, 128, 256, 512, 1024, 2048, 3072, 4096))
_SECOND_GENERATION = Steps(single=(160, 320, 640, 1280, 2560, 3840, 5120, 7680, 10_240))

THROUGHPUT_MBPS: dict[OpenZfsDeployment, Steps] = {
    "single-az-1": _FIRST_GENERATION,
    "single-az-2": _SECOND_GENERATION,
    "single-az-ha-1": _FIRST_GENERATION,
    "single-az-ha-2": _SECOND_GENERATION,
    "multi-az-1": _SECOND_GENERATION,
}
"""Throughput of the file server in MB/s (`THROUGHPUT_SOURCE`)."""

IOPS_PER_GIB = 3
FIRST_GENERATION_IOPS = 160_000
"""Most disk operations a second of the first generation (`IOPS_SOURCE`); the second's are not known here."""

_HA_2: tuple[OpenZfsDeployment, ...] = ("single-az-1", "single-az-2", "single-az-ha-2", "multi-az-1")
_HA_1: tuple[OpenZfsDeployment, ...] = ("single-az-1", "single-az-ha-1", "multi-az-1")
_ALL: tuple[OpenZfsDeployment, ...] = (*_HA_2, "single-az-ha-1")

REGIONS: dict[str, tuple[OpenZfsDeployment, ...]] = {
    "us-east-1": _HA_2,
    "us-east-2": _HA_2,
    "us-west-1": _ALL,
    "us-west-2": _HA_2,
    "us-gov-west-1": _HA_2,
    "us-gov-east-1": _HA_1,
    "ap-east-1": _HA_1,
    "ap-northeast-1": _HA_2,
    "ap-northeast-2": _ALL,
    "ap-northeast-3": _HA_1,
    "ap-southeast-1": _HA_2,
    "ap-southeast-2": _HA_2,
    "ap-southeast-3": _HA_1,
    "ap-southeast-4": _HA_1,
    "ap-southeast-5": _HA_1,
    "ap-southeast-6": _HA_1,
    "ap-southeast-7": _HA_1,
    "ap-east-2": _HA_1,
    "ap-south-1": _HA_2,
    "ap-south-2": _ALL,
    "ca-central-1": _HA_2,
}
"""Deployment types with SSD storage, by region (`REGIONS_SOURCE`, as far as its copy could be read)."""

_PREFERRED: tuple[OpenZfsDeployment, ...] = ("single-az-ha-2", "single-az-ha-1")


def openzfs_throughput_steps(deployment: OpenZfsDeployment) -> Steps:
    """The throughputs in MB/s that a deployment type may have."""
    return THROUGHPUT_MBPS[deployment]


def deployments_in(region: str) -> tuple[OpenZfsDeployment, ...]:
    """The deployment types that a region has; none where that is not known."""
    return REGIONS.get(region, ())


def pick_deployment(region: str, throughput_mbps: int) -> OpenZfsDeployment:
    """The deployment type for homes in one zone, where the file leaves it open.

    It has a standby server. Of two generations it is the newer, unless only the older has the throughput.
    """
    known = deployments_in(region) or _PREFERRED
    candidates = [each for each in _PREFERRED if each in known]
    fitting = [each for each in candidates if throughput_mbps in THROUGHPUT_MBPS[each]]
    return (fitting or candidates or list(known))[0]


def iops_range(deployment: OpenZfsDeployment, capacity_gib: int) -> Steps:
    """The disk operations a second that a file system may be given."""
    is_first = deployment in {"single-az-1", "single-az-ha-1"}
    return Steps(step=1, first=IOPS_PER_GIB * capacity_gib, last=FIRST_GENERATION_IOPS if is_first else 0)

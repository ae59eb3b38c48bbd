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
    "FSx for OpenZFS user guide, How file systems work with SSD storage, Data access from disk and SSD IOPS",
    "https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/performance-ssd.html",
    "November 2026",
)
REGIONS_SOURCE = Source(
    "FSx for OpenZFS user guide, Availability by AWS Region",
    "https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/available-aws-regions.html",
    "November 2026",
)

_FIRST_GENERATION = Steps(single=(64, 128, 256, 512, 1024, 2048, 3072, 4096))
_SECOND_GENERATION = Steps(single=(160, 320, 640, 1280, 2560, 3840, 5120, 7680, 10_240))
_SMALL_MULTI_AZ = Steps(single=(160, 320, 640, 1280, 2560, 3840, 5120))

THROUGHPUT_MBPS: dict[OpenZfsDeployment, Steps] = {
    "single-az-1": _FIRST_GENERATION,
    "single-az-2": _SECOND_GENERATION,
    "single-az-ha-1": _FIRST_GENERATION,
    "single-az-ha-2": _SECOND_GENERATION,
    "multi-az-1": _SECOND_GENERATION,
}
"""Throughput of the file server in MB/s (`THROUGHPUT_SOURCE`)."""

IOPS_PER_GIB = 3
MOST_IOPS_PER_GIB = 1000
"""Least and most disk operations a second for each GiB (`IOPS_SOURCE`)."""

FIRST_GENERATION_IOPS = 160_000
SECOND_GENERATION_IOPS = 400_000
"""Most disk operations a second, by generation (`IOPS_SOURCE`)."""

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
    "ap-south-1": _HA_2,
    "ap-south-2": _ALL,
    "ap-southeast-6": _HA_1,
    "ap-east-2": _HA_1,
    "ap-southeast-7": _HA_1,
    "ca-central-1": _HA_2,
    "ca-west-1": _HA_1,
    "eu-south-1": _HA_1,
    "eu-south-2": _HA_2,
    "eu-central-1": _HA_2,
    "eu-central-2": _HA_2,
    "eu-west-1": _HA_2,
    "eu-west-2": _ALL,
    "eu-west-3": _HA_1,
    "eu-north-1": _ALL,
    "mx-central-1": _HA_1,
    "me-central-1": ("single-az-1", "multi-az-1"),
    "me-south-1": _HA_1,
    "sa-east-1": _ALL,
    "il-central-1": _HA_1,
    "af-south-1": _HA_1,
}
"""Deployment types with SSD storage, by region, in the order of AWS's table (`REGIONS_SOURCE`)."""

LARGE_MULTI_AZ_REGIONS = frozenset(
    [
        "us-east-1",
        "us-east-2",
        "us-west-1",
        "us-west-2",
        "eu-west-1",
        "eu-south-2",
        "eu-central-1",
        "eu-north-1",
        "eu-central-2",
        "ca-central-1",
        "ap-south-1",
        "ap-northeast-1",
        "ap-northeast-2",
        "ap-southeast-2",
        "ap-southeast-1",
        "us-gov-west-1",
    ]
)
"""Where ``multi-az-1`` is of the second generation; elsewhere it ends at 5,120 MB/s and 160,000 IOPS
(`IOPS_SOURCE`)."""

FEW_IOPS_PER_GIB = 50
FEW_IOPS_REGIONS = frozenset(
    [
        "af-south-1",
        "ap-south-2",
        "ap-southeast-3",
        "me-central-1",
        "me-south-1",
        "ap-northeast-3",
        "eu-south-1",
        "eu-west-3",
        "sa-east-1",
        "il-central-1",
        "ap-east-1",
        "ap-northeast-2",
        "ap-south-1",
        "ca-central-1",
        "eu-north-1",
        "eu-west-2",
    ]
)
"""Where at most 50 IOPS go with each GiB (`IOPS_SOURCE`)."""

_WITH_STANDBY: tuple[OpenZfsDeployment, ...] = ("single-az-ha-2", "single-az-ha-1")
_WITHOUT_STANDBY: tuple[OpenZfsDeployment, ...] = ("single-az-2", "single-az-1")


def openzfs_throughput_steps(deployment: OpenZfsDeployment, region: str) -> Steps:
    """The throughputs in MB/s that a deployment type may have in a region."""
    if deployment == "multi-az-1" and region not in LARGE_MULTI_AZ_REGIONS:
        return _SMALL_MULTI_AZ
    return THROUGHPUT_MBPS[deployment]


def deployments_in(region: str) -> tuple[OpenZfsDeployment, ...]:
    """The deployment types that a region has; none where that is not known."""
    return REGIONS.get(region, ())


def has_standby(deployment: OpenZfsDeployment) -> bool:
    """Whether a second server takes over where the first fails."""
    return deployment not in _WITHOUT_STANDBY


def pick_deployment(region: str, throughput_mbps: int) -> OpenZfsDeployment:
    """The deployment type for homes in one zone, where the file leaves it open.

    It has a standby server, if the region has such types. Of two generations it is the newer, unless only the
    older has the throughput.
    """
    known = deployments_in(region) or _WITH_STANDBY
    candidates = [each for each in _WITH_STANDBY if each in known]
    candidates = candidates or [each for each in _WITHOUT_STANDBY if each in known]
    fitting = [each for each in candidates if throughput_mbps in THROUGHPUT_MBPS[each]]
    return (fitting or candidates)[0]


def iops_limit(deployment: OpenZfsDeployment, region: str) -> int:
    """Most disk operations a second of a file system of any size."""
    is_small = deployment == "multi-az-1" and region not in LARGE_MULTI_AZ_REGIONS
    is_first = deployment in {"single-az-1", "single-az-ha-1"}
    return FIRST_GENERATION_IOPS if is_first or is_small else SECOND_GENERATION_IOPS


def iops_range(deployment: OpenZfsDeployment, capacity_gib: int, region: str) -> Steps:
    """The disk operations a second that a file system may be given; none where the least is too many."""
    per_gib = FEW_IOPS_PER_GIB if region in FEW_IOPS_REGIONS else MOST_IOPS_PER_GIB
    least, most = IOPS_PER_GIB * capacity_gib, min(iops_limit(deployment, region), per_gib * capacity_gib)
    return Steps(step=1, first=least, last=most) if least <= most else Steps()

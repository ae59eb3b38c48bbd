"""FSx's figures: every legal size and throughput is taken, and what is beside it is not."""

from __future__ import annotations

from typing import Any

import pytest

from clusterwright.localcloud.rules.file_systems import (
    automatic_metadata_iops,
    growth_problems,
    lustre_problems,
    openzfs_problems,
)
from clusterwright.localcloud.rules.lifecycles import lifecycle_problems
from clusterwright.localcloud.rules.links import overlap
from clusterwright.localcloud.rules.zfs_volumes import quota_problems
from clusterwright.storage_limits.lustre import automatic_metadata_iops as told_metadata_iops
from clusterwright.storage_limits.lustre import capacity_steps

METADATA = {"Mode": "AUTOMATIC"}


def ssd(capacity: int | None, throughput: int | None = 250, **config: Any) -> list[str]:
    """What is refused in a Lustre file system on SSD."""
    settings = {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": throughput, **config}
    params = {"SubnetIds": ["subnet-1"], "StorageCapacity": capacity, "LustreConfiguration": settings}
    return list(lustre_problems(params))


def tiering(throughput: int, **config: Any) -> list[str]:
    """What is refused in a Lustre file system with intelligent tiering."""
    settings = {
        "DeploymentType": "PERSISTENT_2",
        "ThroughputCapacity": throughput,
        "MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 6000},
        "DataReadCacheConfiguration": {"SizingMode": "PROPORTIONAL_TO_THROUGHPUT_CAPACITY"},
        **config,
    }
    params = {
        "SubnetIds": ["subnet-1"],
        "StorageType": "INTELLIGENT_TIERING",
        "LustreConfiguration": {key: value for key, value in settings.items() if value is not None},
    }
    return list(lustre_problems(params))


@pytest.mark.parametrize("efa", [False, True])
@pytest.mark.parametrize("throughput", [125, 250, 500, 1000])
def test_both_tables_of_sizes_agree(throughput: int, efa: bool) -> None:
    """The demo refuses just what ``validate`` refuses; each has its own figures."""
    steps = capacity_steps(throughput, efa=efa)
    for capacity in range(1200, 80_000, 1200):
        problems = ssd(capacity, throughput, EfaEnabled=efa, MetadataConfiguration=METADATA)
        assert (problems == []) == (capacity in steps), capacity


def test_both_tables_of_metadata_agree() -> None:
    for capacity in (1200, 2400, *range(4800, 200_000, 2400)):
        assert automatic_metadata_iops(capacity) == told_metadata_iops(capacity), capacity


@pytest.mark.parametrize(
    ("problems", "reason"),
    [
        (ssd(1201), "StorageCapacity 1201 is not 1200, 2400 or a multiple of 2400"),
        (ssd(None), "StorageCapacity None is not 1200"),
        (ssd(2400, 300), "PerUnitStorageThroughput 300 is not valid"),
        (ssd(2400, None), "PerUnitStorageThroughput None is not valid"),
        (ssd(2400, DeploymentType="SCRATCH_2"), "not SCRATCH_2"),
        (ssd(2400, ImportPath="s3://b"), "ImportPath is not supported for PERSISTENT_2"),
        (ssd(2400, ThroughputCapacity=4000), "ThroughputCapacity is for INTELLIGENT_TIERING only"),
        (ssd(38_400, EfaEnabled=True), "EfaEnabled needs a MetadataConfiguration"),
        (
            ssd(2400, MetadataConfiguration={**METADATA, "Iops": 1500}),
            "for metadata mode USER_PROVISIONED only",
        ),
        (
            ssd(2400, MetadataConfiguration={"Mode": "USER_PROVISIONED", "Iops": 4500}),
            "Metadata Iops 4500 is not 1500, 3000, 6000 or a multiple of 12000",
        ),
        (
            ssd(2400, MetadataConfiguration={"Mode": "USER_PROVISIONED", "Iops": 204_000}),
            "Metadata Iops 204000 is not",
        ),
        (tiering(4001), "ThroughputCapacity 4001 is not a multiple of 4000"),
        (tiering(4000, PerUnitStorageThroughput=250), "PerUnitStorageThroughput is not for"),
        (tiering(4000, MetadataConfiguration=METADATA), "needs metadata mode USER_PROVISIONED"),
        (tiering(4000, DataReadCacheConfiguration=None), "needs a DataReadCacheConfiguration"),
        (
            tiering(8000, DataReadCacheConfiguration={"SizingMode": "USER_PROVISIONED", "SizeGiB": 63}),
            "SizeGiB 63 of the read cache is not between 64 and 262144",
        ),
        (
            tiering(4000, DataReadCacheConfiguration={"SizingMode": "NO_CACHE", "SizeGiB": 64}),
            "SizeGiB is for sizing mode USER_PROVISIONED only",
        ),
    ],
)
def test_lustre_that_fsx_refuses(problems: list[str], reason: str) -> None:
    assert reason in " ".join(problems)


@pytest.mark.parametrize(
    "problems",
    [
        ssd(1200),
        ssd(2400, MetadataConfiguration={"Mode": "USER_PROVISIONED", "Iops": 192_000}),
        tiering(4000),
        tiering(8000, DataReadCacheConfiguration={"SizingMode": "USER_PROVISIONED", "SizeGiB": 64}),
        tiering(12_000, MetadataConfiguration={"Mode": "USER_PROVISIONED", "Iops": 12_000}),
    ],
)
def test_lustre_that_fsx_takes(problems: list[str]) -> None:
    assert problems == []


def openzfs(deployment: str = "SINGLE_AZ_HA_2", throughput: int = 1280, **params: Any) -> list[str]:
    """What is refused in an OpenZFS file system."""
    config = {"DeploymentType": deployment, "ThroughputCapacity": throughput, **params.pop("config", {})}
    settings = {"StorageCapacity": 1024, "SubnetIds": ["subnet-1"], "OpenZFSConfiguration": config}
    return list(openzfs_problems({**settings, **params}))


@pytest.mark.parametrize(
    ("problems", "reason"),
    [
        (openzfs(), ""),
        (openzfs("SINGLE_AZ_HA_1", 512), ""),
        (openzfs("MULTI_AZ_1", SubnetIds=["subnet-1", "subnet-2"]), ""),
        (openzfs(config={"DiskIopsConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 3072}}), ""),
        (openzfs("SINGLE_AZ_3"), "DeploymentType SINGLE_AZ_3 is not one of"),
        (openzfs("SINGLE_AZ_HA_1"), "ThroughputCapacity 1280 is not valid for SINGLE_AZ_HA_1"),
        (openzfs(throughput=1024), "ThroughputCapacity 1024 is not valid for SINGLE_AZ_HA_2"),
        (openzfs("MULTI_AZ_1"), "MULTI_AZ_1 does not take 1 subnet(s)"),
        (openzfs(StorageCapacity=63), "StorageCapacity 63 is not between 64 and 524288"),
        (openzfs(StorageType="INTELLIGENT_TIERING"), "with SSD storage, not INTELLIGENT_TIERING"),
        (
            openzfs(config={"DiskIopsConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 3071}}),
            "Iops 3071 is less than 3 for each GiB, 3072",
        ),
    ],
)
def test_openzfs(problems: list[str], reason: str) -> None:
    assert (reason in " ".join(problems)) if reason else (problems == [])


@pytest.mark.parametrize(("after", "is_legal"), [(1127, True), (1126, False), (1024, True), (1000, False)])
def test_openzfs_grows_by_a_tenth(after: int, is_legal: bool) -> None:
    current = {"FileSystemType": "OPENZFS", "StorageCapacity": 1024}
    assert (list(growth_problems(current, {**current, "StorageCapacity": after})) == []) is is_legal


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"ExpirationInDays": 60}, ""),
        ({"Transitions": [{"StorageClass": "INTELLIGENT_TIERING", "TransitionInDays": 0}]}, ""),
        (
            {"Transitions": [{"StorageClass": "STANDARD_IA", "TransitionInDays": 29}]},
            "",
        ),
        (
            {
                "Transitions": [
                    {"StorageClass": "DEEP_ARCHIVE", "TransitionInDays": 30},
                    {"StorageClass": "GLACIER_IR", "TransitionInDays": 90},
                ]
            },
            "cannot move from DEEP_ARCHIVE to GLACIER_IR",
        ),
        (
            {
                "Transitions": [{"StorageClass": "GLACIER_IR", "TransitionInDays": 30}],
                "ExpirationInDays": 30,
            },
            "must be more than those of the transition to GLACIER_IR",
        ),
        ({"ExpirationInDays": 60, "ExpiredObjectDeleteMarker": True}, "cannot be specified with Days"),
    ],
)
def test_lifecycle_rules(rule: dict[str, Any], reason: str) -> None:
    problems = list(lifecycle_problems({"Status": "Enabled", **rule}))
    assert (reason in " ".join(problems)) if reason else (problems == [])


@pytest.mark.parametrize(
    ("first", "second", "do_overlap"),
    [("/a", "/a/b", True), ("/a/", "/a", True), ("/", "/a", True), ("/a", "/ab", False)],
)
def test_directories_overlap_by_whole_names(first: str, second: str, do_overlap: bool) -> None:
    assert overlap(first, second) is overlap(second, first) is do_overlap


def test_quotas_have_one_owner_each() -> None:
    quota = {"Type": "USER", "Id": 1000, "StorageCapacityQuotaGiB": 100}
    assert list(quota_problems({"UserAndGroupQuotas": [quota, {**quota, "Type": "GROUP"}]})) == []
    assert list(quota_problems({"UserAndGroupQuotas": [quota, quota]})) == ["USER 1000 has 2 quotas."]
    many = [{**quota, "Id": number} for number in range(501)]
    assert list(quota_problems({"UserAndGroupQuotas": many})) == ["A volume has at most 500 quotas, not 501."]

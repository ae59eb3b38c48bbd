"""FSx for OpenZFS's tables, whole: each legal value accepted, each other refused with its neighbours."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterwright.config.openzfs import OpenZfsDeployment
from clusterwright.hardware import regions
from clusterwright.storage_limits.openzfs import (
    FEW_IOPS_REGIONS,
    LARGE_MULTI_AZ_REGIONS,
    REGIONS,
    deployments_in,
    has_standby,
    iops_limit,
    iops_range,
    openzfs_throughput_steps,
    pick_deployment,
)

FIRST = [64, 128, 256, 512, 1024, 2048, 3072, 4096]
SECOND = [160, 320, 640, 1280, 2560, 3840, 5120, 7680, 10_240]
DEPLOYMENTS: tuple[OpenZfsDeployment, ...] = get_args(OpenZfsDeployment)
OF_FIRST_GENERATION = {"single-az-1", "single-az-ha-1"}

SECOND_GENERATION_REGIONS = {
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
    "us-gov-west-1",
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-southeast-1",
    "ap-southeast-2",
    "ap-south-1",
    "ap-south-2",
    "ca-central-1",
    "eu-south-2",
    "eu-central-1",
    "eu-central-2",
    "eu-west-1",
    "eu-west-2",
    "eu-north-1",
    "sa-east-1",
}
HA_1_REGIONS = {
    "us-west-1",
    "us-gov-east-1",
    "ap-east-1",
    "ap-northeast-2",
    "ap-northeast-3",
    "ap-southeast-3",
    "ap-southeast-4",
    "ap-southeast-5",
    "ap-south-2",
    "ap-southeast-6",
    "ap-east-2",
    "ap-southeast-7",
    "ca-west-1",
    "eu-south-1",
    "eu-west-2",
    "eu-west-3",
    "eu-north-1",
    "mx-central-1",
    "me-south-1",
    "sa-east-1",
    "il-central-1",
    "af-south-1",
}
"""Columns of AWS's table, read downwards where the code has its rows."""


def throughputs(deployment: OpenZfsDeployment, region: str) -> list[int]:
    """AWS's table."""
    if deployment in OF_FIRST_GENERATION:
        return FIRST
    is_small = deployment == "multi-az-1" and region not in LARGE_MULTI_AZ_REGIONS
    return [each for each in SECOND if each <= 5120 or not is_small]


@pytest.mark.parametrize("region", ["us-east-2", "eu-west-2"])
@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_throughput_table(deployment: OpenZfsDeployment, region: str) -> None:
    steps = openzfs_throughput_steps(deployment, region)
    assert [each for each in range(20_000) if each in steps] == throughputs(deployment, region)


@given(st.sampled_from(DEPLOYMENTS), st.sampled_from(sorted(REGIONS)), st.integers(-10, 20_000))
def test_a_refused_throughput_has_its_neighbours(
    deployment: OpenZfsDeployment, region: str, throughput: int
) -> None:
    steps, legal = openzfs_throughput_steps(deployment, region), throughputs(deployment, region)
    below = [each for each in legal if each <= throughput][-1:]
    above = [each for each in legal if each >= throughput][:1]
    assert (throughput in steps) == (throughput in legal)
    assert set(steps.nearest(throughput)) == {*below, *above}


def test_table_of_regions() -> None:
    assert len(REGIONS) == 36
    assert {each for each, types in REGIONS.items() if "single-az-2" in types} == SECOND_GENERATION_REGIONS
    assert {each for each, types in REGIONS.items() if "single-az-ha-2" in types} == SECOND_GENERATION_REGIONS
    assert {each for each, types in REGIONS.items() if "single-az-ha-1" in types} == HA_1_REGIONS
    assert all({"single-az-1", "multi-az-1"} <= {*types} for types in REGIONS.values())
    assert REGIONS.keys() > LARGE_MULTI_AZ_REGIONS | FEW_IOPS_REGIONS


def test_each_region_of_the_catalogue_is_in_the_table() -> None:
    assert set(regions()) <= REGIONS.keys()


@pytest.mark.parametrize("region", sorted(REGIONS.keys() - {"me-central-1"}))
def test_homes_have_a_standby_in_one_zone(region: str) -> None:
    for throughput in (1, 64, 640):
        picked = pick_deployment(region, throughput)
        assert picked in deployments_in(region)
        assert picked.startswith("single-az-ha-")
        assert has_standby(picked)


@pytest.mark.parametrize(
    ("region", "throughput", "expected"),
    [
        ("us-east-2", 1280, "single-az-ha-2"),
        ("us-east-2", 512, "single-az-ha-2"),
        ("us-west-1", 512, "single-az-ha-1"),
        ("us-west-1", 640, "single-az-ha-2"),
        ("ap-southeast-3", 640, "single-az-ha-1"),
        ("eu-west-1", 640, "single-az-ha-2"),
        ("me-central-1", 640, "single-az-1"),
        ("mars-north-1", 64, "single-az-ha-1"),
    ],
)
def test_picked_deployment(region: str, throughput: int, expected: str) -> None:
    assert pick_deployment(region, throughput) == expected


@pytest.mark.parametrize(
    ("deployment", "region", "most"),
    [
        ("single-az-1", "us-east-2", 160_000),
        ("single-az-ha-1", "us-west-1", 160_000),
        ("single-az-2", "us-east-2", 400_000),
        ("single-az-ha-2", "us-east-2", 400_000),
        ("multi-az-1", "us-east-2", 400_000),
        ("multi-az-1", "eu-west-3", 160_000),
    ],
)
def test_most_iops(deployment: OpenZfsDeployment, region: str, most: int) -> None:
    assert iops_limit(deployment, region) == most


@given(
    st.sampled_from(DEPLOYMENTS),
    st.sampled_from(sorted(REGIONS)),
    st.integers(64, 524_288),
    st.integers(-1, 500_000),
)
def test_iops_table(deployment: OpenZfsDeployment, region: str, capacity: int, iops: int) -> None:
    steps = iops_range(deployment, capacity, region)
    per_gib = 50 if region in FEW_IOPS_REGIONS else 1000
    least, most = 3 * capacity, min(per_gib * capacity, iops_limit(deployment, region))
    assert (iops in steps) == (least <= iops <= most)
    if least <= most:
        assert steps.nearest(iops) == (min(max(iops, least), most),)
    else:
        assert steps.nearest(iops) == ()

"""FSx for OpenZFS's tables."""

from __future__ import annotations

from typing import get_args

import pytest

from clusterwright.config.openzfs import OpenZfsDeployment
from clusterwright.storage_limits.openzfs import (
    REGIONS,
    deployments_in,
    iops_range,
    openzfs_throughput_steps,
    pick_deployment,
)

FIRST = [64, 128, 256, 512, 1024, 2048, 3072, 4096]
SECOND = [160, 320, 640, 1280, 2560, 3840, 5120, 7680, 10_240]
DEPLOYMENTS: tuple[OpenZfsDeployment, ...] = get_args(OpenZfsDeployment)


@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_throughput_table(deployment: OpenZfsDeployment) -> None:
    expected = FIRST if deployment in {"single-az-1", "single-az-ha-1"} else SECOND
    steps = openzfs_throughput_steps(deployment)
    assert [each for each in range(20_000) if each in steps] == expected


def test_nearest_throughput() -> None:
    assert openzfs_throughput_steps("single-az-ha-2").nearest(1000) == (640, 1280)
    assert openzfs_throughput_steps("single-az-ha-1").nearest(1) == (64,)
    assert openzfs_throughput_steps("multi-az-1").nearest(99_999) == (10_240,)


@pytest.mark.parametrize("region", REGIONS)
def test_each_region_has_a_deployment_with_a_standby_in_one_zone(region: str) -> None:
    assert pick_deployment(region, 1) in deployments_in(region)
    assert pick_deployment(region, 1).startswith("single-az-ha-")


@pytest.mark.parametrize(
    ("region", "throughput", "expected"),
    [
        ("us-east-2", 1280, "single-az-ha-2"),
        ("us-east-2", 512, "single-az-ha-2"),
        ("us-west-1", 512, "single-az-ha-1"),
        ("us-west-1", 640, "single-az-ha-2"),
        ("ap-southeast-3", 640, "single-az-ha-1"),
        ("mars-north-1", 64, "single-az-ha-1"),
    ],
)
def test_picked_deployment(region: str, throughput: int, expected: str) -> None:
    assert pick_deployment(region, throughput) == expected


def test_iops_are_at_least_three_a_gib() -> None:
    first, second = iops_range("single-az-ha-1", 1024), iops_range("single-az-ha-2", 1024)
    for steps in (first, second):
        assert steps.nearest(3000) == (3072,)
        assert 3072 in steps
    assert first.nearest(200_000) == (160_000,)
    assert 200_000 in second

"""Labels and taints of pools: what EKS takes, and no more."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from clusterwright.config.pools import PoolConfig


def make_pool(**fields: object) -> PoolConfig:
    return PoolConfig.model_validate({"instance_type": "p5.48xlarge", "count": 1, **fields})


@pytest.mark.parametrize("key", ["team", "example.com/team", "a" * 63, "example.com/" + "a" * 51])
def test_keys_that_eks_takes(key: str) -> None:
    assert make_pool(labels={key: "v" * 63}).labels == {key: "v" * 63}


@pytest.mark.parametrize(
    ("key", "value"),
    [("a" * 64, "b"), ("example.com/" + "a" * 52, "b"), ("team", ""), ("team", "v" * 64), ("-team", "b")],
)
def test_labels_that_eks_refuses(key: str, value: str) -> None:
    with pytest.raises(ValidationError):
        make_pool(labels={key: value})


def test_taints_may_lack_a_value_and_not_be_longer_than_eks_takes() -> None:
    longest = f"{'k' * 63}={'v' * 63}:NoSchedule"
    assert make_pool(taints=("team:NoSchedule", longest)).taints[1] == longest
    with pytest.raises(ValidationError):
        make_pool(taints=(f"{'k' * 64}:NoSchedule",))

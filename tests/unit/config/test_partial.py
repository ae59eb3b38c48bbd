"""Partial clusters: what is right can be read, and nothing else."""

from __future__ import annotations

import pytest

from clusterwright.config.base import UnknownValueError
from clusterwright.config.capacity import CapacityBlockCapacity
from clusterwright.config.cluster import ClusterConfig
from clusterwright.config.loading import parse_cluster

TEXT = """\
version: 1
name: atlas
region: us-east-2
orchestrator: {kind: eks, admins: ["arn:aws:iam::111122223333:role/Admin"]}
capacity:
  h200: {kind: capacity-block, id: cr-0123456789abcdef0, instance_type: p5en.48xlarge, count: 4,
         zone: use2-az3, starts: 2026-12-01T11:30:00Z, ends: 2026-12-15T11:30:00Z}
pools:
  train: {instance_type: p5en.48xlarge, count: 4, capacity: h200}
  system: {instance_type: m7i.2xlarge, count: 2, taints: ["a:NoSchedule"]}
"""


def read_partly(old: str, new: str) -> ClusterConfig:
    """What is right of the text with a part replaced."""
    assert TEXT.count(old) == 1
    reading = parse_cluster(TEXT.replace(old, new))
    assert reading.cluster is None
    assert reading.partial is not None
    return reading.partial


def test_a_right_file_has_no_partial_cluster() -> None:
    assert parse_cluster(TEXT).partial is None


def test_what_is_right_is_as_in_a_whole_cluster() -> None:
    whole, partial = parse_cluster(TEXT).cluster, read_partly("name: atlas", "name: Atlas")
    assert whole is not None
    for field in set(ClusterConfig.model_fields) - {"name"}:
        assert getattr(partial, field) == getattr(whole, field)
    with pytest.raises(UnknownValueError, match=r"ClusterConfig\.name"):
        partial.name  # noqa: B018  reading it is the test


def test_only_the_wrong_field_of_an_entry_is_unknown() -> None:
    pool = read_partly("count: 4, capacity", "count: -4, capacity").pools["train"]
    assert (pool.instance_type, pool.capacity, pool.taints) == ("p5en.48xlarge", "h200", ())
    with pytest.raises(UnknownValueError):
        _ = pool.count
    with pytest.raises(UnknownValueError):
        _ = pool.largest_size


def test_fields_that_contradict_each_other_are_unknown() -> None:
    block = read_partly("ends: 2026-12-15", "ends: 2026-11-15").capacity["h200"]
    assert isinstance(block, CapacityBlockCapacity)
    assert block.count == 4
    for field in ("starts", "ends"):
        with pytest.raises(UnknownValueError):
            getattr(block, field)


def test_a_near_misspelling_leaves_one_field_open_and_any_other_all() -> None:
    near = read_partly("capacity: h200}", "capacty: h200}").pools["train"]
    far = read_partly("capacity: h200}", "reserved: h200}").pools["train"]
    assert near.ultraserver is None
    for pool, field in ((near, "capacity"), (far, "capacity"), (far, "ultraserver")):
        with pytest.raises(UnknownValueError):
            getattr(pool, field)
    assert far.count == 4


def test_entries_with_gaps_come_last() -> None:
    assert list(read_partly("count: 4, capacity", "count: -4, capacity").pools) == ["system", "train"]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("kind: capacity-block", "kind: capacity-blok", "capacity"),
        ("  h200: {", "  H200: {", "capacity"),
        ("  train: {", "  7: {", "pools"),
        ("name: atlas\n", "name: atlas\nname: b\n", "name"),
        ("region: us-east-2\n", "", "region"),
    ],
)
def test_what_cannot_be_told_apart_makes_the_whole_unknown(old: str, new: str, field: str) -> None:
    partial = read_partly(old, new)
    with pytest.raises(UnknownValueError):
        getattr(partial, field)

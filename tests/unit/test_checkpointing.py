"""Checkpoint arithmetic: against the formulas solved by trying, and by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clusterwright.checkpointing import (
    BYTES_PER_PARAMETER,
    DEFAULT_BYTES_PER_PARAMETER,
    FAILURES_PER_ACCELERATOR_HOUR,
    LARGEST_OVERHEAD,
    best_interval,
    interval_range,
    job_mtbf_hours,
    overhead,
    plan_checkpoints,
)
from clusterwright.config.cluster import ClusterConfig
from clusterwright.resolution import resolve

if TYPE_CHECKING:
    from clusterwright.checkpointing import CheckpointPlan, CheckpointRow

INTERVALS = ("write_seconds", "restart_seconds", "best_interval_minutes", "overhead")
WRITES = st.floats(0.1, 1e4)
MTBFS = st.floats(1e3, 1e7)


def plan(pools: dict[str, object], storage: dict[str, object], parameters: float = 70e9) -> CheckpointPlan:
    """The plan of a cluster."""
    data = {
        "version": 1,
        "name": "atlas",
        "region": "us-east-2",
        "zone": "use2-az1",
        "orchestrator": {"kind": "eks"},
        "pools": pools,
        "storage": storage,
    }
    return plan_checkpoints(resolve(ClusterConfig.model_validate(data)), parameters=parameters)


def rows_by_tier(made: CheckpointPlan) -> dict[str, CheckpointRow]:
    return {row.tier.name: row for row in made.rows}


def test_default_is_adam_in_mixed_precision() -> None:
    assert max(BYTES_PER_PARAMETER.values()) == DEFAULT_BYTES_PER_PARAMETER == 2 + 4 + 8


def test_failure_rate_is_that_of_the_paper() -> None:
    assert pytest.approx(1.973e-5, rel=1e-3) == FAILURES_PER_ACCELERATOR_HOUR
    assert job_mtbf_hours(16_384) == pytest.approx(54 * 24 / 419)
    assert job_mtbf_hours(128) == pytest.approx(395.9, abs=0.1)


@given(WRITES, MTBFS, st.floats(0.2, 5))
def test_no_interval_beats_the_best(write: float, mtbf: float, factor: float) -> None:
    best = best_interval(write, mtbf)
    least = overhead(best, write=write, restart=0, mtbf=mtbf)
    assert overhead(best * factor, write=write, restart=0, mtbf=mtbf) >= least * (1 - 1e-9)


@given(WRITES, WRITES, MTBFS)
def test_overhead_is_at_its_limit_at_both_ends_of_the_range(
    write: float, restart: float, mtbf: float
) -> None:
    limits = interval_range(write=write, restart=restart, mtbf=mtbf)
    assume(limits is not None)
    assert limits is not None
    shortest, longest = limits
    assert 0 < shortest <= best_interval(write, mtbf) * (1 + 1e-6)
    assert longest >= best_interval(write, mtbf) * (1 - 1e-6)
    for end in limits:
        assert overhead(end, write=write, restart=restart, mtbf=mtbf) == pytest.approx(LARGEST_OVERHEAD)


@given(WRITES, WRITES, MTBFS)
def test_without_a_range_even_the_best_interval_loses_more(write: float, restart: float, mtbf: float) -> None:
    assume(interval_range(write=write, restart=restart, mtbf=mtbf) is None)
    best = best_interval(write, mtbf)
    assert overhead(best, write=write, restart=restart, mtbf=mtbf) >= LARGEST_OVERHEAD * (1 - 1e-9)


def test_plan_by_hand() -> None:
    made = plan(
        {"train": {"instance_type": "p5en.48xlarge", "count": 16}},
        {"lustre": {"fast": {"capacity_gib": 19_200, "throughput_mbps_per_tib": 1000, "efa": True}}},
    )
    assert made.size_gb == 980
    rows = rows_by_tier(made)
    assert list(rows) == ["local NVMe", "lustre fast", "S3"]
    assert rows["local NVMe"].write_seconds == pytest.approx(980 / (16 * 8))
    assert rows["local NVMe"].restart_seconds == pytest.approx(980 / (16 * 8 * 2))
    assert not rows["local NVMe"].tier.outlives_node
    assert rows["lustre fast"].write_seconds == pytest.approx(980 / 19.2)
    assert rows["lustre fast"].tier.limited_by == "the file system"
    assert rows["S3"].write_seconds == pytest.approx(980 / (16 * 200 / 8))
    assert rows["lustre fast"].best_interval_minutes == pytest.approx(
        (2 * 980 / 19.2 * made.mtbf_hours["train"] * 3600) ** 0.5 / 60
    )


def test_training_jobs_run_in_batch_pools() -> None:
    train = {"instance_type": "p5en.48xlarge", "count": 16}
    serve = {"instance_type": "g6e.12xlarge", "count": 2, "purpose": "realtime"}
    assert set(plan({"serve": serve, "train": train}, {}).mtbf_hours) == {"train"}
    assert set(plan({"serve": serve}, {}).mtbf_hours) == {"serve"}


@pytest.mark.parametrize(
    ("efa", "instance_type", "expected_gb_per_s", "limited_by"),
    [
        (True, "p5en.48xlarge", 1200 / 8, "FSx's limit for a client"),
        (True, "p6-b300.48xlarge", 1200 / 8, "FSx's limit for a client"),
        (False, "p5en.48xlarge", 100 / 8, "FSx's limit for a client"),
        (True, "trn2.48xlarge", 100 / 8, "FSx's limit for a client"),
        (True, "trn1.32xlarge", 700 / 8, "FSx's limit for a client"),
        (True, "g6e.16xlarge", 35 / 8, "the nodes' network"),
    ],
)
def test_one_node_is_the_limit_of_a_large_file_system(
    efa: bool, instance_type: str, expected_gb_per_s: float, limited_by: str
) -> None:
    made = plan(
        {"train": {"instance_type": instance_type, "count": 1}},
        {"lustre": {"fast": {"capacity_gib": 480_000, "throughput_mbps_per_tib": 1000, "efa": efa}}},
    )
    tier = rows_by_tier(made)["lustre fast"].tier
    assert tier.write_gb_per_s == pytest.approx(expected_gb_per_s)
    assert tier.limited_by == limited_by


def test_over_tcp_a_node_gets_so_much_from_each_server() -> None:
    storage = {"lustre": {"fast": {"capacity_gib": 4800, "throughput_mbps_per_tib": 1000}}}
    few = plan({"train": {"instance_type": "p5en.48xlarge", "count": 2}}, storage, 1e9)
    many = plan({"train": {"instance_type": "p5en.48xlarge", "count": 4}}, storage, 1e9)
    assert rows_by_tier(few)["lustre fast"].tier.write_gb_per_s == pytest.approx(2 * 2 * 5 / 8)
    assert rows_by_tier(many)["lustre fast"].tier.write_gb_per_s == pytest.approx(4.8)


def test_a_pool_sees_the_file_systems_that_it_uses() -> None:
    pools = {
        "one": {"instance_type": "p5en.48xlarge", "count": 2},
        "two": {"instance_type": "inf2.48xlarge", "min": 0, "max": 4},
        "system": {"instance_type": "m7i.large", "count": 2},
        "later": {"instance_type": "p5.48xlarge", "count": 0},
    }
    tiered = {"type": "intelligent-tiering", "throughput_mbps": 4000, "pools": ["two"]}
    made = plan(pools, {"lustre": {"deep": tiered}})
    assert [(row.pool, row.tier.name) for row in made.rows] == [
        ("one", "local NVMe"),
        ("one", "S3"),
        ("two", "lustre deep"),
        ("two", "S3"),
    ]
    deep = made.rows[2].tier
    assert (deep.write_gb_per_s, deep.capacity_gb) == (4 * 5 / 8, None)
    assert set(made.mtbf_hours) == {"one", "two"}


def test_what_does_not_fit_is_told() -> None:
    storage = {"lustre": {"small": {"capacity_gib": 1200}}}
    pools = {"train": {"instance_type": "p5en.48xlarge", "count": 1}}
    large = plan(pools, storage, 1e12)
    assert not rows_by_tier(large)["lustre small"].fits
    told = {row["tier"]["name"]: row for row in large.as_dict()["rows"]}
    assert {told["lustre small"][each] for each in INTERVALS} == {None}
    assert None not in {told["S3"][each] for each in INTERVALS}
    assert rows_by_tier(plan(pools, storage, 90e9))["lustre small"].fits


def test_a_slow_tier_has_no_interval() -> None:
    storage = {"lustre": {"small": {"capacity_gib": 1200, "throughput_mbps_per_tib": 125}}}
    made = plan({"train": {"instance_type": "p5en.48xlarge", "count": 512}}, storage, 60e9)
    row = rows_by_tier(made)["lustre small"]
    assert (row.shortest_interval_minutes, row.longest_interval_minutes) == (None, None)
    assert row.overhead > LARGEST_OVERHEAD


def test_without_accelerators_there_is_nothing_to_plan() -> None:
    made = plan({"web": {"instance_type": "m7i.large", "count": 2}}, {})
    assert made.rows == ()

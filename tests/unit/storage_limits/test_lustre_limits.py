"""FSx for Lustre's tables, whole: each legal pair accepted, each other refused with its neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterwright.config.lustre import LustreConfig
from clusterwright.hardware import find_instance_type, instance_types
from clusterwright.storage_limits.lustre import (
    StorageType,
    automatic_metadata_iops,
    capacity_steps,
    client_limit_gbps,
    is_efa_client,
    metadata_steps,
    read_cache_steps,
    throughput_steps,
)
from clusterwright.storage_limits.performance import lustre_mbps, lustre_servers

THROUGHPUTS = (125, 250, 500, 1000)
LARGEST_TRIED_GIB = 200_000
CAPACITIES = {
    **{(each, False): {1200, *range(2400, LARGEST_TRIED_GIB, 2400)} for each in THROUGHPUTS},
    (125, True): set(range(38_400, LARGEST_TRIED_GIB, 38_400)),
    (250, True): set(range(19_200, LARGEST_TRIED_GIB, 19_200)),
    (500, True): set(range(9_600, LARGEST_TRIED_GIB, 9_600)),
    (1000, True): set(range(4_800, LARGEST_TRIED_GIB, 4_800)),
}
"""AWS's table: the sizes in GiB for each throughput, without and with EFA."""


@pytest.mark.parametrize(("throughput", "efa"), CAPACITIES)
def test_every_legal_size_is_accepted_and_no_other(throughput: int, efa: bool) -> None:
    steps = capacity_steps(throughput, efa=efa)
    accepted = {size for size in range(1, LARGEST_TRIED_GIB, 100) if size in steps}
    assert accepted == CAPACITIES[throughput, efa] & {*range(1, LARGEST_TRIED_GIB, 100)}
    assert all(size in steps for size in CAPACITIES[throughput, efa])


@given(st.sampled_from(sorted(CAPACITIES)), st.integers(1, LARGEST_TRIED_GIB - 40_000))
def test_a_refused_size_has_its_neighbours(case: tuple[int, bool], size: int) -> None:
    legal = CAPACITIES[case]
    steps = capacity_steps(case[0], efa=case[1])
    assert (size in steps) == (size in legal)
    below, above = [each for each in legal if each <= size], [each for each in legal if each >= size]
    assert set(steps.nearest(size)) == {*([max(below)] if below else []), min(above)}


@pytest.mark.parametrize(
    ("throughput", "efa", "size", "expected"),
    [
        (125, False, 1201, (1200, 2400)),
        (125, False, 1, (1200,)),
        (1000, False, 3600, (2400, 4800)),
        (1000, True, 1200, (4800,)),
        (1000, True, 19_201, (19_200, 24_000)),
        (500, True, 4800, (9600,)),
        (250, True, 20_000, (19_200, 38_400)),
        (125, True, 19_200, (38_400,)),
    ],
)
def test_nearest_sizes(throughput: int, efa: bool, size: int, expected: tuple[int, ...]) -> None:
    assert capacity_steps(throughput, efa=efa).nearest(size) == expected


def neighbours(legal: set[int], value: int) -> tuple[int, ...]:
    """The value itself where it is legal, or those next to it."""
    below, above = [each for each in legal if each <= value], [each for each in legal if each >= value]
    found = [*([max(below)] if below else []), *([min(above)] if above else [])]
    return tuple(dict.fromkeys(found))


METADATA: dict[StorageType, set[int]] = {
    "ssd": {1500, 3000, 6000, *range(12_000, 192_001, 12_000)},
    "intelligent-tiering": {6000, 12_000},
}
TIERED_THROUGHPUTS = set(range(4000, 2_000_001, 4000))


@given(st.sampled_from(sorted(METADATA)), st.integers(-10, 200_000))
def test_refused_metadata_iops_have_their_neighbours(storage_type: StorageType, iops: int) -> None:
    steps, legal = metadata_steps(storage_type), METADATA[storage_type]
    assert (iops in steps) == (iops in legal)
    assert steps.nearest(iops) == neighbours(legal, iops)


@given(st.integers(-10, 2_100_000))
def test_a_refused_tiered_throughput_has_its_neighbours(throughput: int) -> None:
    steps = throughput_steps()
    assert (throughput in steps) == (throughput in TIERED_THROUGHPUTS)
    assert steps.nearest(throughput) == neighbours(TIERED_THROUGHPUTS, throughput)


@given(st.sampled_from(sorted(TIERED_THROUGHPUTS)[:100]), st.integers(0, 20_000_000))
def test_a_refused_read_cache_has_its_neighbours(throughput: int, cache: int) -> None:
    least, most = throughput // 4000 * 32, throughput // 4000 * 131_072
    steps = read_cache_steps(throughput)
    assert (cache in steps) == (cache == 0 or least <= cache <= most)
    ends = (0, least) if 0 < cache < least else (min(cache, most),)
    assert steps.nearest(cache) == ends


def test_metadata_table() -> None:
    accepted = [each for each in range(200_000) if each in metadata_steps("ssd")]
    assert accepted == [1500, 3000, 6000, *range(12_000, 192_001, 12_000)]
    accepted = [each for each in range(200_000) if each in metadata_steps("intelligent-tiering")]
    assert accepted == [6000, 12_000]
    assert metadata_steps("ssd").nearest(13_000) == (12_000, 24_000)
    assert metadata_steps("ssd").nearest(500_000) == (192_000,)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1200, 1500),
        (2400, 3000),
        (4800, 6000),
        (9600, 6000),
        (12_000, 12_000),
        (45_600, 12_000),
        (48_000, 24_000),
        (72_000, 36_000),
    ],
)
def test_automatic_metadata_table(size: int, expected: int) -> None:
    assert automatic_metadata_iops(size) == expected


@given(st.sampled_from(sorted(CAPACITIES[125, False])))
def test_automatic_metadata_is_legal_and_grows_with_the_size(size: int) -> None:
    given_iops = automatic_metadata_iops(size)
    assert given_iops in metadata_steps("ssd")
    assert given_iops <= automatic_metadata_iops(size * 2)


def test_intelligent_tiering_throughput() -> None:
    steps = throughput_steps()
    assert [each for each in range(0, 20_001, 1000) if each in steps] == [4000, 8000, 12_000, 16_000, 20_000]
    assert 2_000_000 in steps
    assert 2_004_000 not in steps
    assert steps.nearest(3_000_000) == (2_000_000,)


@pytest.mark.parametrize(("throughput", "least", "most"), [(4000, 32, 131_072), (12_000, 96, 393_216)])
def test_read_cache_grows_with_the_throughput(throughput: int, least: int, most: int) -> None:
    steps = read_cache_steps(throughput)
    assert 0 in steps
    assert least in steps
    assert most in steps
    assert steps.nearest(least - 1) == (0, least)
    assert steps.nearest(most + 1) == (most,)


@pytest.mark.parametrize(
    ("instance_type", "gbps"),
    [
        ("p5en.48xlarge", 1200),
        ("p6-b200.48xlarge", 1200),
        ("p6-b300.48xlarge", 1200),
        ("g6e.48xlarge", 700),
        ("trn1.32xlarge", 700),
        ("trn2.48xlarge", 100),
        ("p4d.24xlarge", 100),
    ],
)
def test_one_client_gets_so_much_over_efa(instance_type: str, gbps: int) -> None:
    assert client_limit_gbps(instance_type, efa=True, servers=20) == gbps
    assert client_limit_gbps(instance_type, efa=False, servers=20) == 100
    assert client_limit_gbps(instance_type, efa=False, servers=3) == 15


@pytest.mark.parametrize(
    ("fields", "mbps", "servers"),
    [
        ({"capacity_gib": 1200, "throughput_mbps_per_tib": 250}, 300, 1),
        ({"capacity_gib": 2400, "throughput_mbps_per_tib": 125}, 300, 1),
        ({"capacity_gib": 19_200, "throughput_mbps_per_tib": 1000}, 19_200, 8),
        ({"capacity_gib": 19_200, "throughput_mbps_per_tib": 1000, "efa": True}, 19_200, 4),
        ({"capacity_gib": 76_800, "throughput_mbps_per_tib": 125, "efa": True}, 9600, 2),
        ({"type": "intelligent-tiering", "throughput_mbps": 8000}, 8000, 2),
    ],
)
def test_throughput_counts_a_tib_as_aws_does(fields: dict[str, object], mbps: int, servers: int) -> None:
    system = LustreConfig.model_validate(fields)
    assert lustre_mbps(system) == mbps
    assert lustre_servers(system) == servers


def test_each_efa_client_family_is_in_the_catalogue() -> None:
    clients = [each for each in instance_types() if is_efa_client(each)]
    assert len({each.partition(".")[0] for each in clients}) == 13
    assert any(find_instance_type(each).is_efa_capable for each in clients)

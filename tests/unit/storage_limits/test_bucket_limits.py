"""S3's rules on names, transitions and zones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterwright.hardware import find_zone
from clusterwright.storage_limits.buckets import (
    STORAGE_CLASSES,
    explain_bucket_name,
    explain_haste,
    explain_order,
    name_bucket,
    name_express_bucket,
)
from clusterwright.storage_limits.express import ZONES, express_zones, has_express


@pytest.mark.parametrize(
    "name",
    [
        "a..b",
        "a.-b",
        "a-.b",
        "192.168.5.4",
        "xn--bucket",
        "sthree-bucket",
        "amzn-s3-demo-bucket",
        "bucket-s3alias",
        "bucket--ol-s3",
        "bucket.mrap",
        "hot--use2-az1--x-s3",
        "bucket--table-s3",
    ],
)
def test_names_that_s3_refuses(name: str) -> None:
    assert explain_bucket_name(name)


@pytest.mark.parametrize(
    "name", ["research-datasets", "my.bucket.example", "192.168.5.4a", "a-b", "3d-models"]
)
def test_names_that_s3_takes(name: str) -> None:
    assert explain_bucket_name(name) == ""


def test_names_of_our_own() -> None:
    assert name_bucket("atlas", "datasets", "111122223333", "us-east-2") == (
        "atlas--datasets-111122223333-us-east-2"
    )
    assert name_express_bucket("atlas", "hot", "111122223333", "use2-az1") == (
        "atlas--hot-111122223333--use2-az1--x-s3"
    )


WORDS = st.lists(st.from_regex(r"[a-z][a-z0-9]{0,3}", fullmatch=True), min_size=1, max_size=3)


@given(st.tuples(WORDS, WORDS), st.tuples(WORDS, WORDS))
def test_no_two_clusters_share_a_bucket(one: tuple[list[str], ...], other: tuple[list[str], ...]) -> None:
    (cluster, name), (second, second_name) = (["-".join(words) for words in pair] for pair in (one, other))
    for name_it, place in ((name_bucket, "us-east-2"), (name_express_bucket, "use2-az1")):
        same = name_it(cluster, name, "111122223333", place) == name_it(
            second, second_name, "111122223333", place
        )
        assert same == ((cluster, name) == (second, second_name))


def test_hyphens_move_no_name_from_one_cluster_to_another() -> None:
    place = ("111122223333", "us-east-2")
    assert name_bucket("atlas", "dev-data", *place) != name_bucket("atlas-dev", "data", *place)


@pytest.mark.parametrize(
    ("days", "wrong"),
    [
        ({"standard_ia": 29}, []),
        ({"standard_ia": 60, "glacier": 59}, ["glacier"]),
        ({"onezone_ia": 30, "glacier_ir": 200}, ["glacier_ir"]),
        ({"glacier_ir": 90, "deep_archive": 90}, ["deep_archive"]),
        ({"intelligent_tiering": 5, "glacier": 5, "deep_archive": 1}, ["glacier", "deep_archive"]),
        ({"standard_ia": 30, "glacier": 60, "deep_archive": 61}, []),
        ({"glacier_ir": 0}, []),
        ({"intelligent_tiering": 0, "onezone_ia": 30, "glacier": 60}, []),
        ({"onezone_ia": 30, "deep_archive": 60}, []),
    ],
)
def test_transitions(days: dict[str, int], wrong: list[str]) -> None:
    assert list(explain_order(days)) == wrong


@pytest.mark.parametrize(
    ("days", "early"),
    [
        ({"standard_ia": 29}, ["standard_ia"]),
        ({"onezone_ia": 0}, ["onezone_ia"]),
        ({"standard_ia": 30, "glacier": 59}, ["glacier"]),
        ({"standard_ia": 30, "intelligent_tiering": 60, "onezone_ia": 61}, []),
        ({"standard_ia": 30, "glacier": 60, "deep_archive": 61}, []),
        ({"glacier_ir": 0}, []),
    ],
)
def test_transitions_that_may_come_too_soon(days: dict[str, int], early: list[str]) -> None:
    assert list(explain_haste(days)) == early


@given(st.dictionaries(st.sampled_from(sorted(STORAGE_CLASSES)), st.integers(0, 400)))
def test_later_classes_get_older_objects(days: dict[str, int]) -> None:
    if explain_order(days):
        return
    accepted = [days[each] for each in STORAGE_CLASSES if each in days]
    assert accepted == sorted(set(accepted))


def test_zones_of_express_are_zones_of_their_region() -> None:
    for region, zones in ZONES.items():
        assert express_zones(region) == zones
        for zone in zones:
            found = find_zone(zone)
            assert found is None or found.region == region
    assert has_express("use2-az1")
    assert not has_express("use2-az3")
    assert express_zones("mars-north-1") == ()

"""Versions sort as people read them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterwright.software.versions import is_older, is_same, version_key

VERSIONS = st.from_regex(r"v?[0-9]{1,4}([.\-+~]?([0-9]{1,4}|amzn|fsx|rc|U|g)){0,5}", fullmatch=True)


@pytest.mark.parametrize(
    "in_order",
    [
        ["570.26", "570.124.06", "580.95.05", "580.142", "580.159.03", "595.45.04", "610.43.02"],
        ["2.1.0amzn5.0", "2.3.1amzn1.0", "2.4.0amzn3.0", "2.4.0amzn5.0", "2.4.0amzn10.0", "2.6.0amzn1.0"],
        ["12.9U1", "13.0rc1", "13.0", "13.0U1", "13.0U2", "13.1"],
        ["v20251120", "v20260120", "v20260714"],
        ["2.12.8", "2.15.6-1fsx21", "2.15.6-1fsx34"],
        ["1.9.0", "1.18.0", "1.20.0"],
        ["2026-01-25", "2026-07-09"],
        ["4.4.1-4.6.0", "4.5.2-4.8.1", "4.5.3-4.8.2"],
        ["6.1.176", "6.8.0-1057-aws", "6.8.0-1063", "6.12.94-123.180"],
    ],
)
def test_order(in_order: list[str]) -> None:
    assert sorted(set(in_order), key=version_key) == in_order
    assert all(is_older(one, other) for one, other in pairwise(in_order))


@pytest.mark.parametrize(("one", "other"), [("65", "65.0"), ("v2.5.1", "2.5.1"), ("580.95.05", "580.95.5")])
def test_zeros_and_a_leading_v_mean_nothing(one: str, other: str) -> None:
    assert is_same(one, other)
    assert not is_older(one, other)


@given(VERSIONS, VERSIONS)
def test_of_two_versions_one_is_older_or_they_are_the_same(one: str, other: str) -> None:
    assert [is_older(one, other), is_older(other, one), is_same(one, other)].count(True) == 1


@given(VERSIONS, VERSIONS, VERSIONS)
def test_what_is_older_than_an_older_one_is_older(one: str, other: str, third: str) -> None:
    first, second, last = sorted((one, other, third), key=version_key)
    assert not is_older(last, first)
    if is_older(first, second) and is_older(second, last):
        assert is_older(first, last)


@given(VERSIONS, st.integers(min_value=1, max_value=99))
def test_a_further_number_is_later(version: str, number: int) -> None:
    assert is_older(version, f"{version}.{number}")

"""Where FSx for Lustre has which file systems: AWS's table, by what a place lacks."""

from __future__ import annotations

from itertools import product

import pytest

from clusterwright.config.lustre import LustreConfig
from clusterwright.storage_limits.lustre_places import (
    LOCAL_ZONES,
    REGIONS_WITHOUT,
    REGIONS_WITHOUT_TIERING,
    SMALL_PLACES,
    explain_place,
)

TIERED = LustreConfig(type="intelligent-tiering", throughput_mbps=4000)
SSD = [
    LustreConfig(capacity_gib=38_400, throughput_mbps_per_tib=throughput, efa=efa)
    for throughput, efa in product((125, 250, 500, 1000), (False, True))
]


@pytest.mark.parametrize("place", SMALL_PLACES)
def test_small_places_have_slow_ssd_without_efa(place: str) -> None:
    for system in SSD:
        fits = system.throughput_mbps_per_tib <= 250 and not system.efa
        assert (explain_place(place, system)[0] == "") is fits
    assert explain_place(place, TIERED)[0] == "the type intelligent-tiering"


def test_what_is_missing_is_named() -> None:
    assert explain_place(LOCAL_ZONES[0], SSD[-1])[0] == "1000 MB/s/TiB and EFA"


@pytest.mark.parametrize("place", REGIONS_WITHOUT)
def test_regions_without(place: str) -> None:
    assert all(explain_place(place, each)[0] for each in [*SSD, TIERED])


@pytest.mark.parametrize("place", REGIONS_WITHOUT_TIERING)
def test_regions_without_tiering(place: str) -> None:
    assert [explain_place(place, each)[0] for each in SSD] == [""] * len(SSD)
    assert explain_place(place, TIERED)[0]


@pytest.mark.parametrize("place", ["us-east-2", "eu-west-3", "sa-east-1", "mars-north-1"])
def test_elsewhere_all_is_there(place: str) -> None:
    assert {explain_place(place, each) for each in [*SSD, TIERED]} == {("", "")}

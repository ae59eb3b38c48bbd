"""Where FSx for Lustre has PERSISTENT_2 file systems, and which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.hardware import Source

if TYPE_CHECKING:
    from clusterwright.config.lustre import LustreConfig

PLACES_SOURCE = Source(
    "FSx for Lustre user guide, Deployment type availability",
    "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html#persistent-deployment-regions",
    "November 2026",
)

LOCAL_ZONES = ("use1-atl2-az1", "use1-atl2-az2", "use1-dfw2-az1", "usw2-phx2-az1")
"""Local zones with PERSISTENT_2 (`PLACES_SOURCE`).

AWS's table names Atlanta, Dallas and Phoenix without a number; those that sell accelerators are taken to be
meant. It also has South Bend, whose zone id is not published.
"""

SMALL_PLACES = (*LOCAL_ZONES, "il-central-1", "mx-central-1")
"""Regions and local zones that only have SSD at up to 250 MB/s/TiB, without EFA (`PLACES_SOURCE`)."""

SMALL_PLACES_MBPS_PER_TIB = 250

REGIONS_WITHOUT = ("me-central-1", "me-south-1")
"""Regions of FSx for Lustre that have no PERSISTENT_2 (`PLACES_SOURCE`)."""

REGIONS_WITHOUT_TIERING = ("us-gov-east-1", "us-gov-west-1")
"""Regions that have PERSISTENT_2 and no intelligent-tiering (`PLACES_SOURCE`)."""


def explain_place(place: str, system: LustreConfig) -> tuple[str, str]:
    """What a place does not have, and what it has instead; two empty texts where nothing is known to lack.

    Args:
        place: A region, or the id of a local zone.
        system: The file system that is to be there.
    """
    if place in REGIONS_WITHOUT:
        return "PERSISTENT_2, the only deployment type here", "use buckets, or another region"
    if place in SMALL_PLACES:
        missing = [text for text, is_wanted in _list_wishes(system).items() if is_wanted]
        return " and ".join(missing), "it has the type ssd with 125 or 250 MB/s/TiB, without EFA"
    if place in REGIONS_WITHOUT_TIERING and system.type == "intelligent-tiering":
        return "the type intelligent-tiering", "it has the type ssd"
    return "", ""


def _list_wishes(system: LustreConfig) -> dict[str, bool]:
    throughput, is_tiered = system.throughput_mbps_per_tib, system.type == "intelligent-tiering"
    return {
        "the type intelligent-tiering": is_tiered,
        f"{throughput} MB/s/TiB": not is_tiered and throughput > SMALL_PLACES_MBPS_PER_TIB,
        "EFA": system.efa,
    }

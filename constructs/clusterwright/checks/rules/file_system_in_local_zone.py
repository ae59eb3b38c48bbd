"""STO027: a file system in a local zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.resolution import is_local_zone
from clusterwright.storage_limits.lustre_places import LOCAL_ZONES, PLACES_SOURCE
from clusterwright.storage_limits.openzfs import REGIONS_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path


def _find(subject: Subject) -> Iterator[Violation]:
    zone = subject.zone
    if zone is None or not is_local_zone(zone):
        return
    places: dict[Path, str] = {}
    if zone not in LOCAL_ZONES:
        places |= {path: "FSx for Lustre" for path, _ in iterate_lustre(subject)}
    if subject.cluster.storage.home is not None:
        places["storage", "home"] = "FSx for OpenZFS"
    for path, service in places.items():
        yield Violation(
            path,
            f"{service} was not known to exist in the local zone {zone} in {PLACES_SOURCE.date}",
            "ask AWS before you deploy; S3 and the nodes' own disks are there",
            is_about_key=True,
        )


RULE = Rule(
    code="STO027",
    severity="warning",
    title="A file system is in a local zone, where FSx is not known to exist.",
    find=_find,
    source=f"{REGIONS_SOURCE}; {PLACES_SOURCE}",
)

"""ZON002: a zone id that is not one of the cluster's region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import suggest
from clusterwright.hardware import find_zone, zones_of
from clusterwright.resolution import HeldCapacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path


def _find(subject: Subject) -> Iterator[Violation]:
    region = subject.cluster.region
    zones = [zone.id for zone in zones_of(region)]
    if not zones:
        return
    for path, zone, is_about_key in _named_zones(subject):
        if zone in zones:
            continue
        found = find_zone(zone)
        where = f"it is in {found.region}" if found else "the hardware catalogue lacks it"
        hint = suggest(zone, zones) or f"its zones are {', '.join(zones)}"
        yield Violation(path, f"{zone} is not a zone of {region}: {where}", hint, is_about_key=is_about_key)


def _named_zones(subject: Subject) -> Iterator[tuple[Path, str, bool]]:
    """Each zone id that the file names: where, which, and whether as a key."""
    cluster = subject.cluster
    if cluster.zone is not None:
        yield ("zone",), cluster.zone, False
    for name, capacity in cluster.capacity.items():
        if isinstance(capacity, HeldCapacity):
            yield ("capacity", name, "zone"), capacity.zone, False
    for zone in cluster.network.existing.subnets if cluster.network.existing else ():
        yield ("network", "existing", "subnets", zone), zone, True


RULE = Rule(
    code="ZON002",
    severity="error",
    title="A zone is not one of the cluster's region.",
    find=_find,
    source="EC2 DescribeAvailabilityZones, in the hardware catalogue",
)

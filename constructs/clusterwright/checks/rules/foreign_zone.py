"""ZON002: a zone id that is not one of the cluster's region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation, find_known
from clusterwright.config.spelling import suggest
from clusterwright.hardware import find_zone, zones_of
from clusterwright.resolution import HeldCapacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path

    NamedZone = tuple[Path, str, bool]
    """Where the file names a zone, which, and whether as a key."""


def _find(subject: Subject) -> Iterator[Violation]:
    region = subject.cluster.region
    zones = [zone.id for zone in zones_of(region)]
    if not zones:
        return
    named = find_known(_named_by_cluster(subject), _named_by_capacity(subject), _named_by_subnets(subject))
    for path, zone, is_about_key in named:
        if zone in zones:
            continue
        found = find_zone(zone)
        where = f"it is in {found.region}" if found else "the hardware catalogue lacks it"
        hint = suggest(zone, zones) or f"its zones are {', '.join(zones)}"
        yield Violation(path, f"{zone} is not a zone of {region}: {where}", hint, is_about_key=is_about_key)


def _named_by_cluster(subject: Subject) -> Iterator[NamedZone]:
    if subject.cluster.zone is not None:
        yield ("zone",), subject.cluster.zone, False


def _named_by_capacity(subject: Subject) -> Iterator[NamedZone]:
    for name, capacity in subject.cluster.capacity.items():
        if isinstance(capacity, HeldCapacity):
            yield ("capacity", name, "zone"), capacity.zone, False


def _named_by_subnets(subject: Subject) -> Iterator[NamedZone]:
    existing = subject.cluster.network.existing
    for zone in existing.subnets if existing else ():
        yield ("network", "existing", "subnets", zone), zone, True


RULE = Rule(
    code="ZON002",
    severity="error",
    title="A zone is not one of the cluster's region.",
    find=_find,
    source="EC2 DescribeAvailabilityZones, in the hardware catalogue",
)

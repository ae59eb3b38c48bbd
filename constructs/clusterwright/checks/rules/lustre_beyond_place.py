"""STO031: a Lustre file system that its region or local zone is not known to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_lustre
from clusterwright.resolution import is_local_zone
from clusterwright.storage_limits.lustre_places import PLACES_SOURCE, explain_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    zone = subject.zone
    place = zone if zone is not None and is_local_zone(zone) else subject.cluster.region
    for path, system in iterate_lustre(subject):
        missing, hint = explain_place(place, system)
        if missing:
            message = f"FSx for Lustre was not known to have {missing} in {place} in {PLACES_SOURCE.date}"
            yield Violation(path, message, hint, is_about_key=True)


RULE = Rule(
    code="STO031",
    severity="warning",
    title="A Lustre file system is of a kind that its region or local zone is not known to have.",
    find=_find,
    source=str(PLACES_SOURCE),
)

"""ZON003: nothing says in which zone the nodes sit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.hardware import zones_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    if subject.zone is None and not subject.names_unknown_capacity:
        zones = [zone.id for zone in zones_of(subject.cluster.region) if zone.kind == "availability-zone"]
        hint = f"add a field zone; the region has {', '.join(zones)}" if zones else "add a field zone"
        yield Violation(("zone",), "no zone is named, and no pool uses capacity that has one", hint)


RULE = Rule(
    code="ZON003",
    severity="error",
    title="Nothing says in which zone the nodes sit.",
    find=_find,
)

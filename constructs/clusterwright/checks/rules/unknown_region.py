"""ZON001: a region that the catalogue lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import suggest
from clusterwright.hardware import regions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    region = subject.cluster.region
    if region not in regions():
        hint = suggest(region, regions()) or f"the regions of the catalogue are {', '.join(regions())}"
        yield Violation(("region",), f"the hardware catalogue lacks the region {region}", hint)


RULE = Rule(
    code="ZON001",
    severity="error",
    title="The region is none that the hardware catalogue has.",
    find=_find,
    source="EC2 DescribeAvailabilityZones, in the hardware catalogue",
)

"""ZON004: an instance type that its zone does not offer, as far as the catalogue knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.hardware import InstanceSpec


def _find(subject: Subject) -> Iterator[Violation]:
    for pool in subject.resolved.pools if subject.resolved else ():
        # Who holds capacity there knows better than a catalogue that is months old.
        if subject.held_capacity_of(pool.config) is not None or not pool.spec.zones:
            continue
        if not pool.spec.is_offered_in(pool.zone):
            yield Violation(
                ("pools", pool.name, "instance_type"),
                f"{pool.spec.name} is not offered in {pool.zone}, as far as EC2's data of "
                f"{pool.spec.source.date} says",
                _list_zones(pool.spec, subject.cluster.region),
                source=f"{pool.spec.source.title}, {pool.spec.source.date}",
            )


def _list_zones(spec: InstanceSpec, region: str) -> str:
    if region in spec.zones:
        return f"in {region} it is offered in {', '.join(spec.zones[region])}"
    return f"it is offered in the regions {', '.join(sorted(spec.zones))}"


RULE = Rule(
    code="ZON004",
    severity="warning",
    title="The zone does not offer an instance type, as far as the hardware catalogue knows.",
    find=_find,
    source="EC2 DescribeInstanceTypeOfferings, in the hardware catalogue",
)

"""CAP006: a type that EC2 does not sell in the way that the pool wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, pool, spec in subject.pools:
        capacity = subject.capacity_of(pool)
        if capacity is None and pool.capacity is not None:
            continue
        kind = capacity.kind if capacity is not None else "on-demand"
        # AWS arranges reservations for types that it lists under no purchase option.
        if kind == "reservation" or kind in spec.purchase_options:
            continue
        field = "instance_type" if pool.capacity is None else "capacity"
        default = ", which is what a pool without capacity uses" if pool.capacity is None else ""
        yield Violation(
            ("pools", name, field),
            f"EC2 does not sell {spec.name} as {kind}{default}",
            f"it is sold as {', '.join(spec.purchase_options)}",
            source=f"{spec.source.title}, {spec.source.date}",
        )


RULE = Rule(
    code="CAP006",
    severity="error",
    title="EC2 does not sell an instance type in the way that the pool wants it.",
    find=_find,
    source="EC2 DescribeInstanceTypes, SupportedUsageClasses, in the hardware catalogue",
)

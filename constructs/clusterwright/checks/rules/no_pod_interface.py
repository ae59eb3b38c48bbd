"""NET009: a pod block with an instance type whose interfaces leave no room for pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.addressing import pod_interfaces
from clusterwright.checks.rule import Rule, Violation
from clusterwright.hardware import lay_out_interfaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    pod_cidr = subject.cluster.network.pod_cidr
    for name, _, spec in subject.pools if pod_cidr is not None else ():
        if pod_interfaces(spec, lay_out_interfaces(spec), has_custom_networking=True) > 0:
            continue
        slots = spec.network_cards[0].max_interfaces
        yield Violation(
            ("pools", name, "instance_type"),
            f"with a pod_cidr no interface is left for pods on {spec.name}: its network card 0 has {slots} "
            f"places, which the primary interface and an EFA take",
            "remove network.pod_cidr, so that pods use the primary interface, or take another type",
        )


RULE = Rule(
    code="NET009",
    severity="error",
    title="With a block for pods, an instance type has no interface left for them.",
    find=_find,
    source="EKS best practices, custom networking: the primary interface carries no pods; read November 2026",
)

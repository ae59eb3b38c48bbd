"""ORC008: fields that only Kubernetes has a use for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path


def _find(subject: Subject) -> Iterator[Violation]:
    network = subject.cluster.network
    for field in ("pod_cidr", "service_cidr"):
        if getattr(network, field) is not None:
            yield from _violate(("network", field))
    for name, pool in subject.cluster.pools.items():
        if pool.labels:
            yield from _violate(("pools", name, "labels"))
        if pool.taints:
            yield from _violate(("pools", name, "taints"))


def _violate(path: Path) -> Iterator[Violation]:
    message = f"{path[-1]} is for Kubernetes, and this cluster runs Slurm: nothing comes of it"
    yield Violation(path, message, "remove it", is_about_key=True)


RULE = Rule(
    code="ORC008",
    severity="warning",
    title="A field is for Kubernetes alone, and this cluster runs Slurm.",
    find=_find,
)

"""ORC002: a controller pool of another size than one node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    name = subject.slurm.roles.get("controller")
    pool = subject.cluster.pools.get(name or "")
    if pool is not None and pool.count != 1:
        size = pool.count if pool.count is not None else f"{pool.min} to {pool.max}"
        message = f"the pool {name} of the controller has {size} nodes; Slurm's controller is one node"
        field = "count" if pool.count is not None else "max"
        yield Violation(("pools", name or "", field), message, "write count: 1")


RULE = Rule(
    code="ORC002",
    severity="error",
    title="The controller's pool has more or fewer than one node.",
    find=_find,
    source="SageMaker HyperPod, Slurm: one controller group of one instance; read November 2026",
)

"""ORC003: one pool for the controller and for logins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    roles = subject.slurm.roles
    if len(roles) > len(set(roles.values())):
        yield Violation(
            ("orchestrator", "login"),
            f"the pool {roles['login']} is the controller's already, and a pool has one role",
            "give logins a pool of their own, or leave login out and log in to the controller",
        )


RULE = Rule(
    code="ORC003",
    severity="error",
    title="One pool is to be both the controller and for logins.",
    find=_find,
    source="SageMaker API, ClusterSlurmConfigDetails: one NodeType a group; read November 2026",
)

"""ORC004: a Slurm cluster without a pool for jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    if set(subject.cluster.pools) <= set(subject.slurm.roles.values()):
        yield Violation(
            ("pools",),
            "each pool is the controller's or for logins, and none is left for jobs",
            "add a pool such as train: {instance_type: p5en.48xlarge, count: 4}",
            is_about_key=True,
        )


RULE = Rule(
    code="ORC004",
    severity="error",
    title="No pool is left for jobs.",
    find=_find,
)

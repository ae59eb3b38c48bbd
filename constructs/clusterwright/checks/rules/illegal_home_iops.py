"""STO020: disk operations that do not go with the homes' size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.openzfs import IOPS_SOURCE, iops_range, pick_deployment
from clusterwright.storage_limits.steps import in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    home = subject.cluster.storage.home
    if home is None or home.iops is None:
        return
    deployment = home.deployment or pick_deployment(subject.cluster.region, home.throughput_mbps)
    steps = iops_range(deployment, home.capacity_gib)
    if home.iops not in steps:
        bound = f"at most {steps.last}" if home.iops > steps.first else f"at least {steps.first}"
        yield Violation(
            ("storage", "home", "iops"),
            f"{home.iops} IOPS do not go with {home.capacity_gib} GiB of {deployment}: it takes {bound}",
            f"the nearest is {in_words(steps.nearest(home.iops))}, or leave the field out",
        )


RULE = Rule(
    code="STO020",
    severity="error",
    title="The homes have fewer or more IOPS than AWS allows for their size and deployment type.",
    find=_find,
    source=str(IOPS_SOURCE),
)

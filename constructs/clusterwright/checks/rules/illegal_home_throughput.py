"""STO018: a throughput that the homes' deployment type does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import say_nearest
from clusterwright.storage_limits.openzfs import (
    THROUGHPUT_SOURCE,
    openzfs_throughput_steps,
    pick_deployment,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    home = subject.cluster.storage.home
    if home is None:
        return
    region = subject.cluster.region
    deployment = home.deployment or pick_deployment(region, home.throughput_mbps)
    steps = openzfs_throughput_steps(deployment, region)
    if home.throughput_mbps not in steps:
        yield Violation(
            ("storage", "home", "throughput_mbps"),
            f"{home.throughput_mbps} MB/s is no throughput of the deployment type {deployment} in {region}",
            say_nearest(steps.nearest(home.throughput_mbps), "MB/s"),
        )


RULE = Rule(
    code="STO018",
    severity="error",
    title="The homes have a throughput that AWS refuses for their deployment type.",
    find=_find,
    source=str(THROUGHPUT_SOURCE),
)

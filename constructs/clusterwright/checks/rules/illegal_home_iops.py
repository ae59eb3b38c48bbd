"""STO020: disk operations that do not go with the homes' size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import say_nearest
from clusterwright.storage_limits.openzfs import (
    IOPS_PER_GIB,
    IOPS_SOURCE,
    iops_limit,
    iops_range,
    pick_deployment,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    home, region = subject.cluster.storage.home, subject.cluster.region
    if home is None or home.iops is None:
        return
    deployment = home.deployment or pick_deployment(region, home.throughput_mbps)
    steps = iops_range(deployment, home.capacity_gib, region)
    if home.iops in steps:
        return
    refusal = f"{home.iops} IOPS do not go with {home.capacity_gib} GiB of {deployment} in {region}"
    path = ("storage", "home", "iops")
    if steps.step:
        hint = f"{say_nearest(steps.nearest(home.iops))}, or leave the field out"
        yield Violation(path, f"{refusal}: it takes {steps.first} to {steps.last}", hint)
        return
    least, most = IOPS_PER_GIB * home.capacity_gib, iops_limit(deployment, region)
    yield Violation(
        path,
        f"{refusal}: {IOPS_PER_GIB} for each GiB are {least}, and it has at most {most}",
        f"leave the field out, for {most}, or take at most {most // IOPS_PER_GIB} GiB",
    )


RULE = Rule(
    code="STO020",
    severity="error",
    title="The homes have fewer or more IOPS than AWS allows for their size, deployment type and region.",
    find=_find,
    source=str(IOPS_SOURCE),
)

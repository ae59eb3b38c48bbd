"""STO019: homes of a deployment type that the region is not known to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.openzfs import REGIONS_SOURCE, deployments_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    home, region = subject.cluster.storage.home, subject.cluster.region
    if home is None:
        return
    known = deployments_in(region)
    if home.deployment is not None and known and home.deployment not in known:
        yield Violation(
            ("storage", "home", "deployment"),
            f"the deployment type {home.deployment} is not known to exist in {region}",
            f"{region} has {', '.join(known)}",
        )
    if home.deployment is None and not known:
        yield Violation(
            ("storage", "home"),
            f"which deployment types {region} has is not known here",
            "name one in the field deployment",
            is_about_key=True,
        )


RULE = Rule(
    code="STO019",
    severity="warning",
    title="The region is not known to have the homes' deployment type.",
    find=_find,
    source=str(REGIONS_SOURCE),
)

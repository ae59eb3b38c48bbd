"""STO019: homes of a deployment type that the region is not known to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.openzfs import (
    REGIONS_SOURCE,
    deployments_in,
    has_standby,
    pick_deployment,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.openzfs import OpenZfsDeployment


def _find(subject: Subject) -> Iterator[Violation]:
    home, region = subject.cluster.storage.home, subject.cluster.region
    if home is None:
        return
    known = deployments_in(region)
    if home.deployment is None:
        message = _explain_pick(region, pick_deployment(region, home.throughput_mbps))
        if message:
            hint = f"name one in the field deployment; {region} has {', '.join(known)}"
            hint = hint if known else "ask AWS which it has, and name one in the field deployment"
            yield Violation(("storage", "home"), message, hint, is_about_key=True)
    elif known and home.deployment not in known:
        yield Violation(
            ("storage", "home", "deployment"),
            f"{region} was not known to have the deployment type {home.deployment} in {REGIONS_SOURCE.date}",
            f"it has {', '.join(known)}",
        )


def _explain_pick(region: str, picked: OpenZfsDeployment) -> str:
    """What speaks against leaving the deployment type open, or empty."""
    if not deployments_in(region):
        return f"which deployment types {region} has was not known in {REGIONS_SOURCE.date}"
    if has_standby(picked):
        return ""
    return f"no deployment type of {region} has a standby server in one zone, so the homes are {picked}"


RULE = Rule(
    code="STO019",
    severity="warning",
    title="The region is not known to have the homes' deployment type, or one with a standby server.",
    find=_find,
    source=str(REGIONS_SOURCE),
)

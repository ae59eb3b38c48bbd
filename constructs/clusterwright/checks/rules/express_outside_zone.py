"""STO016: S3 Express One Zone where AWS does not list it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.express import ZONES, ZONES_SOURCE, express_zones, has_express

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    zone, region = subject.zone, subject.cluster.region
    if zone is None or has_express(zone):
        return
    known = express_zones(region)
    for name, bucket in subject.cluster.storage.express.items():
        if bucket.existing is not None:
            continue  # It is where it is.
        yield Violation(
            ("storage", "express", name),
            f"S3 Express One Zone is not known to exist in {zone}",
            f"in {region} it is in {', '.join(known)}" if known else f"it is in {', '.join(ZONES)}",
            is_about_key=True,
        )


RULE = Rule(
    code="STO016",
    severity="warning",
    title="S3 Express One Zone is not known to exist in the cluster's zone.",
    find=_find,
    source=str(ZONES_SOURCE),
)

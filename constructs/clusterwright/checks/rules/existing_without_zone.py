"""NET010: an existing VPC without a subnet in the nodes' zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    existing = subject.cluster.network.existing
    if existing is None or subject.zone is None or subject.zone in existing.subnets:
        return
    yield Violation(
        ("network", "existing", "subnets"),
        f"there is no subnet in {subject.zone}, where the nodes sit",
        f"add {subject.zone}: subnet-…",
        is_about_key=True,
    )


RULE = Rule(
    code="NET010",
    severity="error",
    title="An existing VPC has no subnet in the nodes' zone.",
    find=_find,
)

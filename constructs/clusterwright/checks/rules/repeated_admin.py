"""EKS008: one administrator named twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    seen: set[str] = set()
    for at, arn in enumerate(subject.kubernetes.admins):
        if arn in seen:
            message = f"{arn} is named twice; EKS takes one access entry of each"
            yield Violation(("orchestrator", "admins", at), message, "remove one")
        seen.add(arn)


RULE = Rule(
    code="EKS008",
    severity="error",
    title="An administrator is named twice.",
    find=_find,
    source="EKS User Guide, access entries: one a principal; read November 2026",
)

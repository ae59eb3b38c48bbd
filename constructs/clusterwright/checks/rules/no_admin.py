"""EKS006: a cluster that nobody can administer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    if not subject.kubernetes.admins:
        yield Violation(
            ("orchestrator", "admins"),
            "admins names nobody: not even who creates the cluster can reach the Kubernetes API",
            "add admins: [arn:aws:iam::111122223333:role/Admin], with a role of yours",
        )


RULE = Rule(
    code="EKS006",
    severity="warning",
    title="Nobody can reach the Kubernetes API: `admins` is empty.",
    find=_find,
    source="EKS User Guide, access entries; the creator gets no entry here; read November 2026",
)

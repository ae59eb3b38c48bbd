"""EKS001: a public endpoint that nobody may reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    orchestrator = subject.kubernetes
    if orchestrator.endpoint != "private" and not orchestrator.public_access_cidrs:
        yield Violation(
            ("orchestrator", "endpoint"),
            f"the endpoint is {orchestrator.endpoint}, and public_access_cidrs names nobody who may reach it",
            "add public_access_cidrs: [203.0.113.0/24], with your own addresses",
        )


RULE = Rule(
    code="EKS001",
    severity="error",
    title="The endpoint is public, and `public_access_cidrs` is empty.",
    find=_find,
    source="EKS API, VpcConfigRequest: EKS opens the endpoint to everybody then; read November 2026",
)

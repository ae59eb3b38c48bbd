"""EKS003: an access list for a public endpoint that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    orchestrator = subject.kubernetes
    if orchestrator.endpoint == "private" and orchestrator.public_access_cidrs:
        yield Violation(
            ("orchestrator", "public_access_cidrs"),
            "public_access_cidrs has no effect: the endpoint is private",
            "write endpoint: both, or remove public_access_cidrs",
            is_about_key=True,
        )


RULE = Rule(
    code="EKS003",
    severity="error",
    title="`public_access_cidrs` has no effect on a private endpoint.",
    find=_find,
    source="EKS User Guide, cluster API server endpoint; read November 2026",
)

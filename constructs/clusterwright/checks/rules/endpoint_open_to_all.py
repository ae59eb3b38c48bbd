"""EKS002: a Kubernetes API that the whole internet may knock at."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    orchestrator = subject.kubernetes
    if orchestrator.endpoint == "private":
        return
    for at, cidr in enumerate(orchestrator.public_access_cidrs):
        if IPv4Network(cidr).prefixlen == 0:
            yield Violation(
                ("orchestrator", "public_access_cidrs", at),
                f"{cidr} lets the whole internet reach the Kubernetes API",
                "name the addresses of your office or VPN",
            )


RULE = Rule(
    code="EKS002",
    severity="warning",
    title="The whole internet may reach the Kubernetes API.",
    find=_find,
    source="EKS best practices, cluster endpoint access; read November 2026",
)

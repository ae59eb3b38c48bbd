"""EKS005: GB200 and GB300 UltraServers on a Kubernetes without dynamic resource allocation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

OLDEST_MINOR = 33
"""EKS turns on dynamic resource allocation from Kubernetes 1.33 on; IMEX channels are handed out by it."""


def _find(subject: Subject) -> Iterator[Violation]:
    version = subject.kubernetes.version
    if int(version.split(".")[1]) >= OLDEST_MINOR:
        return
    needing = [name for name, _, spec in subject.pools if spec.name.startswith("p6e-")]
    if needing:
        yield Violation(
            ("orchestrator", "version"),
            f"the pools {', '.join(needing)} of p6e UltraServers need Kubernetes 1.{OLDEST_MINOR} or newer, "
            f"not {version}",
            f'write version: "1.{OLDEST_MINOR}" or newer',
        )


RULE = Rule(
    code="EKS005",
    severity="error",
    title="Kubernetes is too old for GB200 and GB300 UltraServers.",
    find=_find,
    source="awslabs/ai-on-eks, dynamic resource allocation for GPUs; read November 2026",
)

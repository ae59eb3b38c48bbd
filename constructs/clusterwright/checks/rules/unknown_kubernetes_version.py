"""EKS004: a Kubernetes version that this release does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.orchestrator import EKS_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    version = subject.kubernetes.version
    if version not in EKS_VERSIONS:
        message = f"this release does not know Kubernetes {version} on EKS"
        yield Violation(("orchestrator", "version"), message, f"it knows {', '.join(EKS_VERSIONS)}")


RULE = Rule(
    code="EKS004",
    severity="error",
    title="This release does not know the Kubernetes version.",
    find=_find,
    source="awslabs/amazon-eks-ami, versions with an AL2023 image, August 2026",
)

"""POL007: labels and taints under a domain that EKS keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

RESERVED_DOMAINS = ("kubernetes.io", "k8s.io", "eks.amazonaws.com")


def _find(subject: Subject) -> Iterator[Violation]:
    hint = "use a domain of your own, such as example.com/team, or none"
    for name, pool in subject.cluster.pools.items():
        for key in pool.labels:
            if _is_reserved(key):
                message = f"EKS refuses the label {key}: it keeps that domain for itself and Kubernetes"
                yield Violation(("pools", name, "labels", key), message, hint, is_about_key=True)
        for at, taint in enumerate(pool.taints):
            if _is_reserved(taint):
                message = f"EKS refuses the taint {taint}: it keeps that domain for itself and Kubernetes"
                yield Violation(("pools", name, "taints", at), message, hint)


def _is_reserved(key: str) -> bool:
    domain, slash, _ = key.partition("/")
    return bool(slash) and any(domain == each or domain.endswith(f".{each}") for each in RESERVED_DOMAINS)


RULE = Rule(
    code="POL007",
    severity="error",
    title="A label or taint lies under a domain that EKS keeps for itself and Kubernetes.",
    find=_find,
    source="aws/containers-roadmap #1451: the EKS API's own message; read November 2026",
)

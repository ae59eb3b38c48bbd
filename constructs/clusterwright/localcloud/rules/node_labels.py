"""EKS and Kubernetes: labels and taints of a managed node group.

Sources, read 2026-11-20: Kubernetes documentation, "Labels and Selectors" and "NodeRestriction"; EKS API
reference, "CreateNodegroup", for lengths; EKS user guide, "Place Kubernetes Pods on nodes with taints", for
the number of taints; eksctl issue 4007 and containers-roadmap issue 2465 for reserved labels.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

MOST_TAINTS = 50
LONGEST = 63
"""Characters of a key with its domain, and of a value, as EKS counts; Kubernetes allows longer domains."""

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")

RESERVED_DOMAINS = ("eks.amazonaws.com", "k8s.io", "kubernetes.io")
OPEN_DOMAINS = ("kubelet.kubernetes.io", "node.kubernetes.io")
"""Parts of the reserved domains in which a kubelet may label its own node."""

KUBELET_LABELS = frozenset(
    {
        "beta.kubernetes.io/arch",
        "beta.kubernetes.io/instance-type",
        "beta.kubernetes.io/os",
        "failure-domain.beta.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "kubernetes.io/arch",
        "kubernetes.io/hostname",
        "kubernetes.io/os",
        "topology.kubernetes.io/region",
        "topology.kubernetes.io/zone",
    }
)
"""Reserved labels that a kubelet may set on its own node."""


def label_problems(labels: Mapping[str, str]) -> Iterator[str]:
    """What EKS refuses, or would make every node fail to join, in the labels of a node group."""
    for key, value in labels.items():
        yield from _key_problems("Label", key)
        if _is_reserved(key):
            reserved = ", ".join(f"{domain}/" for domain in RESERVED_DOMAINS)
            yield f"Label {key} cannot contain reserved prefixes [{reserved}]."
        if not _is_name(value):
            yield f"Label {key} has the invalid value {value!r}: 1 to {LONGEST} letters, digits, '-_.'."


def taint_problems(taints: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What EKS refuses in the taints of a node group; a taint may go without a value."""
    if len(taints) > MOST_TAINTS:
        yield f"A node group has at most {MOST_TAINTS} taints, not {len(taints)}."
    for taint in taints:
        yield from _key_problems("Taint", taint["key"])
        value = taint.get("value")
        if value and not _is_name(value):
            yield f"Taint {taint['key']} has the invalid value {value!r}."


def _key_problems(kind: str, key: str) -> Iterator[str]:
    domain, slash, name = key.rpartition("/")
    if not _is_name(name) or len(key) > LONGEST or (slash and not DOMAIN.fullmatch(domain)):
        yield (
            f"{kind} key {key!r} is invalid: at most {LONGEST} characters, letters, digits, '-', '_' and '.' "
            "after an optional domain in lower case and a slash."
        )


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST and NAME.fullmatch(text) is not None


def _is_reserved(key: str) -> bool:
    domain = key.rpartition("/")[0]
    if key in KUBELET_LABELS or _is_within(domain, OPEN_DOMAINS):
        return False
    return _is_within(domain, RESERVED_DOMAINS)


def _is_within(domain: str, parents: Collection[str]) -> bool:
    return any(domain == parent or domain.endswith(f".{parent}") for parent in parents)

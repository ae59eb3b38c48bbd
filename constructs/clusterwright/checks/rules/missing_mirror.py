"""ORC009: nodes that run Slurm, and nothing to give them what their image lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

FROM_MIRROR = ("enroot", "pyxis", "node-exporter")
"""What nodes get from a mirror alone: it has no published checksum, or is on GitHub, which no node reads.

A test holds this and the next to the truth, so that nothing of the sets is loaded here.
"""

FROM_MIRROR_FOR_GPUS = ("nccl", "gdrcopy")
"""The same of nodes with NVIDIA GPUs and EFA."""


def _find(subject: Subject) -> Iterator[Violation]:
    cluster = subject.cluster
    if cluster.software.mirror is not None:
        return
    has_gpus = any(spec.accelerators and spec.accelerators.vendor == "nvidia" for _, _, spec in subject.pools)
    names = ", ".join((*FROM_MIRROR, *(FROM_MIRROR_FOR_GPUS if has_gpus else ())))
    alone = "nodes reach no publisher (`egress: none`)" if cluster.network.egress == "none" else ""
    reason = alone or "their files have no published checksum, or are on GitHub, which nodes do not read"
    yield Violation(
        ("orchestrator", "kind"),
        f"a node whose image lacks one of {names} cannot install it, and does not come up: {reason}",
        "fill a mirror with `clusterwright scripts mirror`, and name it in software.mirror",
    )


RULE = Rule(
    code="ORC009",
    severity="warning",
    title="Nodes run Slurm, and have no mirror for what their image lacks.",
    find=_find,
)

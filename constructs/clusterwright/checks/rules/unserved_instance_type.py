"""SOF001: an instance type that the default version set cannot serve."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusterwright.checks.rule import Subject


class Reason(NamedTuple):
    """Why a family is not served, and what to do."""

    orchestrators: tuple[str, ...]
    message: str
    hint: str


_BROKEN_EFA = Reason(
    ("pcs",),
    "has no GPUDirect over EFA with NVIDIA driver 595, which every image ready for PCS has",
    "build an image of your own from the Deep Learning AMI 20251205, which has driver 580, and write "
    '`overrides: {pcs-image: "20251205"}` into `software`',
)

UNSERVED_FAMILIES: Mapping[str, Reason] = MappingProxyType(
    {
        "g7": Reason(
            ("eks", "hyperpod-eks", "hyperpod-slurm"),
            "needs NVIDIA driver 595, and the images of this orchestrator have 580",
            "use another family, such as g7e, whose GPUs driver 580 serves",
        ),
        "p6e-gb200": _BROKEN_EFA,
        "p6e-gb300": _BROKEN_EFA,
    }
)
"""Instance families for which the default set has an error; a test holds it to the truth.

So nothing of the sets is loaded for the many clusters that leave the choice of versions to the toolkit.
"""


def _find(subject: Subject) -> Iterator[Violation]:
    if "software" in subject.cluster.model_fields_set:
        return  # then the compatibility rules say more
    kind = subject.cluster.orchestrator.kind
    for name, _, spec in subject.pools:
        reason = UNSERVED_FAMILIES.get(spec.name.partition(".")[0])
        if reason is not None and kind in reason.orchestrators:
            yield Violation(("pools", name, "instance_type"), f"{spec.name} {reason.message}", reason.hint)


RULE = Rule(
    code="SOF001",
    severity="error",
    title="The default version set cannot serve an instance type.",
    find=_find,
    source="awslabs/amazon-eks-ami, doc/usage/g7-ami.md, July 2026; NVIDIA/aicr#2383, 2026-08-28",
)

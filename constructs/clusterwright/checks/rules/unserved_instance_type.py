"""SOF001: an instance type that the default version set cannot serve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

UNSERVED_FAMILIES = ("g7",)
"""Instance families for which the default set has an error; a test holds it to the truth.

So nothing of the sets is loaded for the many clusters that leave the choice of versions to the toolkit.
"""


def _find(subject: Subject) -> Iterator[Violation]:
    if "software" in subject.cluster.model_fields_set:
        return  # then the compatibility rules say more
    for name, _, spec in subject.pools:
        if spec.name.partition(".")[0] in UNSERVED_FAMILIES:
            yield Violation(
                ("pools", name, "instance_type"),
                f"{spec.name} needs NVIDIA driver 595, and every version set has 580, as AWS's images do",
                "use another family, such as g7e, whose GPUs driver 580 serves",
            )


RULE = Rule(
    code="SOF001",
    severity="error",
    title="The default version set cannot serve an instance type.",
    find=_find,
    source="awslabs/amazon-eks-ami, doc/usage/g7-ami.md, July 2026",
)

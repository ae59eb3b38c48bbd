"""STO014: local disks on nodes that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    knows_all = len(subject.pools) == len(subject.cluster.pools)
    if subject.cluster.storage.local_nvme is None or not knows_all:
        return
    if not any(spec.local_nvme for _, _, spec in subject.pools):
        types = sorted({spec.name for _, _, spec in subject.pools})
        yield Violation(
            ("storage", "local_nvme"),
            f"no pool has local NVMe disks: {', '.join(types)} come without",
            "remove the section, or use a type with an instance store; `clusterwright hardware` shows which",
            is_about_key=True,
        )


RULE = Rule(
    code="STO014",
    severity="error",
    title="The file says how local disks are used, and no pool has any.",
    find=_find,
    source="EC2 DescribeInstanceTypes, in the hardware catalogue",
)

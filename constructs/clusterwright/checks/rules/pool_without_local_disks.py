"""STO015: a pool that lacks the disks which others have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    storage, resolved = subject.cluster.storage, subject.resolved
    if storage.local_nvme is None or resolved is None:
        return
    if not any(pool.spec.local_nvme for pool in resolved.pools):
        return
    for pool in resolved.pools:
        if not pool.spec.local_nvme and pool.purpose != "system":
            yield Violation(
                ("pools", pool.name, "instance_type"),
                f"{pool.spec.name} has no local NVMe disks, so nothing is at {storage.local_nvme.mount} here",
                "let jobs on this pool use a file system instead",
            )


RULE = Rule(
    code="STO015",
    severity="warning",
    title="A pool that is not for the system lacks the local disks that the file describes.",
    find=_find,
    source="EC2 DescribeInstanceTypes, in the hardware catalogue",
)

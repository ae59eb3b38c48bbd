"""STO033: a KMS key of another region than the cluster's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

_REGION_FIELD = 3
"""Position of the region in an ARN, whose fields are separated by colons."""


_REPLICATED = ":key/mrk-"
"""In the ARN of a multi-Region key, whose replicas differ in the region alone."""


def _find(subject: Subject) -> Iterator[Violation]:
    region = subject.cluster.region
    for path, arn in iterate_keys(subject):
        found = arn.split(":")[_REGION_FIELD]
        if found == region:
            continue
        hint = f"name a key of {region}"
        if _REPLICATED in arn:
            hint = f"name its replica in {region}, if it has one: {arn.replace(f':{found}:', f':{region}:')}"
        yield Violation(path, f"{arn} is a key of {found}, and the cluster is in {region}", hint)


RULE = Rule(
    code="STO033",
    severity="error",
    title="Storage names a KMS key of another region than the cluster's.",
    find=_find,
    source="AWS KMS developer guide, Multi-Region keys in AWS KMS, November 2026",
)

"""STO033: a KMS key of another region than the cluster's, or of another partition of AWS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

_PARTITION_FIELD, _REGION_FIELD = 1, 3
"""Positions in an ARN, whose fields are separated by colons."""

_PARTITIONS = {
    "cn-": "aws-cn",
    "eu-isoe-": "aws-iso-e",
    "eusc-": "aws-eusc",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "us-isof-": "aws-iso-f",
}
"""Partitions by how their regions' names begin; all others are in ``aws`` (botocore's partitions, November
2026)."""

_REPLICATED = ":key/mrk-"
"""In the ARN of a multi-Region key, whose replicas differ in the region alone."""


def _find(subject: Subject) -> Iterator[Violation]:
    region = subject.cluster.region
    partition = next((name for start, name in _PARTITIONS.items() if region.startswith(start)), "aws")
    for path, arn in iterate_keys(subject):
        fields = arn.split(":")
        found = fields[_REGION_FIELD]
        if found == region:
            if fields[_PARTITION_FIELD] != partition:
                message = f"{arn} is of {fields[_PARTITION_FIELD]}, and {region} is in {partition}"
                yield Violation(path, message, f"the ARN of a key of {region} begins with arn:{partition}:")
            continue
        hint = f"name a key of {region}"
        if _REPLICATED in arn:
            hint = f"name its replica in {region}, if it has one: {arn.replace(f':{found}:', f':{region}:')}"
        yield Violation(path, f"{arn} is a key of {found}, and the cluster is in {region}", hint)


RULE = Rule(
    code="STO033",
    severity="error",
    title="Storage names a KMS key of another region or partition than the cluster's.",
    find=_find,
    source="AWS KMS developer guide, Multi-Region keys in AWS KMS, November 2026",
)

"""STO025: the name of a bucket that cannot exist, or cannot be made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.buckets import (
    NAME_SOURCE,
    explain_bucket_name,
    explain_express_name,
    name_bucket,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.cluster import ClusterConfig


def _judge_cluster_name(cluster: ClusterConfig) -> Iterator[Violation]:
    """Buckets' names begin with the cluster's, so that one fault is all buckets'."""
    existing = [bucket.existing for bucket in cluster.storage.buckets.values()]
    existing += [bucket.existing for bucket in cluster.storage.express.values()]
    if None not in existing:
        return
    name = name_bucket(cluster.name, "data", "111122223333", cluster.region)
    fault = explain_bucket_name(name)
    if fault:
        message = f"the names of its buckets would begin with {cluster.name}--, and {fault}"
        yield Violation(("name",), message, "take another name for the cluster")


def _find(subject: Subject) -> Iterator[Violation]:
    yield from _judge_cluster_name(subject.cluster)
    for name, bucket in subject.cluster.storage.buckets.items():
        fault = explain_bucket_name(bucket.existing) if bucket.existing is not None else ""
        if fault:
            path = ("storage", "buckets", name, "existing")
            message = f"{bucket.existing} is not the name of a bucket: {fault}"
            yield Violation(path, message, "for example research-datasets")
    for name, express in subject.cluster.storage.express.items():
        fault = explain_express_name(express.existing) if express.existing is not None else ""
        if fault:
            path = ("storage", "express", name, "existing")
            message = f"{express.existing} is not the name of a directory bucket: {fault}"
            yield Violation(path, message, f"for example hot--{subject.zone or 'usw2-az3'}--x-s3")


RULE = Rule(
    code="STO025",
    severity="error",
    title="A bucket has, or would get, a name that S3 refuses.",
    find=_find,
    source=str(NAME_SOURCE),
)

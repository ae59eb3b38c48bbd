"""STO024: a bucket whose name would be too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.storage_limits.buckets import (
    BUCKET_NAME_LENGTH,
    NAME_SOURCE,
    name_bucket,
    name_express_bucket,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path


_ACCOUNT = "<account id>"
"""Stands for the account, and is as long."""


def _find(subject: Subject) -> Iterator[Violation]:
    for path, name in _list_names(subject):
        surplus = len(name) - BUCKET_NAME_LENGTH
        if surplus > 0:
            yield Violation(
                path,
                f"the bucket would be called {name}, {len(name)} characters of which S3 allows "
                f"{BUCKET_NAME_LENGTH}",
                f"shorten its name or the cluster's by {surplus}",
                is_about_key=True,
            )


def _list_names(subject: Subject) -> Iterator[tuple[Path, str]]:
    cluster = subject.cluster
    for name, bucket in cluster.storage.buckets.items():
        if bucket.existing is None:
            yield ("storage", "buckets", name), name_bucket(cluster.name, name, _ACCOUNT, cluster.region)
    for name, express in cluster.storage.express.items():
        if express.existing is None and subject.zone is not None:
            path = ("storage", "express", name)
            yield path, name_express_bucket(cluster.name, name, _ACCOUNT, subject.zone)


RULE = Rule(
    code="STO024",
    severity="error",
    title="The name that a bucket would get is longer than S3 allows.",
    find=_find,
    source=str(NAME_SOURCE),
)

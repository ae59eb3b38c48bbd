"""The parts of the ``storage`` section as rules look at them: who uses them, and where they are mounted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.config.buckets import BucketConfig, ExpressConfig
    from clusterwright.config.lustre import LustreConfig
    from clusterwright.config.source_map import Path


def iterate_shared(subject: Subject) -> Iterator[tuple[Path, BucketConfig | ExpressConfig | LustreConfig]]:
    """Everything that is shared among pools, with its path."""
    storage = subject.cluster.storage
    for name, bucket in storage.buckets.items():
        yield ("storage", "buckets", name), bucket
    for name, express in storage.express.items():
        yield ("storage", "express", name), express
    yield from iterate_lustre(subject)


def iterate_lustre(subject: Subject) -> Iterator[tuple[Path, LustreConfig]]:
    """Each Lustre file system, with its path."""
    for name, system in subject.cluster.storage.lustre.items():
        yield ("storage", "lustre", name), system


def iterate_keys(subject: Subject) -> Iterator[tuple[Path, str]]:
    """The ARN of each KMS key that the storage names, with the path of the field."""
    home = subject.cluster.storage.home
    fields = [((*path, "kms"), item.kms) for path, item in iterate_shared(subject)]
    fields += [(("storage", "home", "kms"), home.kms)] if home is not None else []
    yield from ((path, choice) for path, choice in fields if choice.startswith("arn:"))


def iterate_mounts(subject: Subject) -> Iterator[tuple[Path, str]]:
    """Each directory that something is mounted at, with the path of the section that says so."""
    storage = subject.cluster.storage
    for path, system in iterate_lustre(subject):
        yield path, system.mount
    if storage.home is not None:
        yield ("storage", "home"), storage.home.mount
    if storage.local_nvme is not None:
        yield ("storage", "local_nvme"), storage.local_nvme.mount


def contains(outer: str, inner: str) -> bool:
    """Whether a directory is another one, or lies in it."""
    return outer in {"/", inner} or inner.startswith(f"{outer}/")

"""FSx for Lustre: which data repository associations a file system may have.

Source: FSx API reference, "CreateDataRepositoryAssociation", and FSx for Lustre user guide, "Using data
repositories" and "Protecting your data with backups", read 2026-11-20.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_LINKS = 8
SCHEME = "s3://"


def link_problems(
    file_system: Mapping[str, Any], existing: Sequence[Mapping[str, Any]], params: Mapping[str, Any]
) -> Iterator[str]:
    """What FSx refuses in a new association.

    Args:
        file_system: As DescribeFileSystems tells it.
        existing: The file system's associations.
        params: Of CreateDataRepositoryAssociation.
    """
    yield from _file_system_problems(file_system)
    if len(existing) >= MOST_LINKS:
        yield f"A file system has at most {MOST_LINKS} data repository associations."
    path = params.get("FileSystemPath", "/")
    if not path.startswith("/"):
        yield f"FileSystemPath {path} does not begin with /."
    repository = params["DataRepositoryPath"].rstrip("/")
    for other in existing:
        if overlap(path, other["FileSystemPath"]):
            yield f"FileSystemPath {path} overlaps {other['FileSystemPath']} of {other['AssociationId']}."
        # AWS's words are "a unique S3 bucket or prefix"; of prefixes within each other they say nothing.
        if repository == other["DataRepositoryPath"].rstrip("/"):
            yield f"DataRepositoryPath {repository} is that of {other['AssociationId']}."
    if not bucket_of(params["DataRepositoryPath"]):
        yield f"DataRepositoryPath {params['DataRepositoryPath']} is not of the form s3://BUCKET/PREFIX/."


def overlap(first: str, second: str) -> bool:
    """Whether two directories are the same, or one contains the other."""
    one, other = (path.rstrip("/") + "/" for path in (first, second))
    return one.startswith(other) or other.startswith(one)


def bucket_of(data_repository_path: str) -> str:
    """The bucket of a path such as ``s3://bucket/prefix/``; empty where it is none."""
    if not data_repository_path.startswith(SCHEME):
        return ""
    return data_repository_path.removeprefix(SCHEME).partition("/")[0]


def _file_system_problems(file_system: Mapping[str, Any]) -> Iterator[str]:
    name, config = file_system["FileSystemId"], file_system.get("LustreConfiguration")
    if config is None:
        yield f"{name} is not an FSx for Lustre file system."
        return
    if file_system["StorageType"] != "SSD":
        yield f"{name} has storage type {file_system['StorageType']}, which has no data repositories."
    if config.get("AutomaticBackupRetentionDays"):
        yield f"{name} has automatic backups, which a file system with data repositories cannot have."

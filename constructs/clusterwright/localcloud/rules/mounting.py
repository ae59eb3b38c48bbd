"""Whether what a PersistentVolume points to is there, asked of the embedded AWS itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from clusterwright.localcloud.rules.volumes import (
    FSX_DRIVER,
    S3_DRIVER,
    bucket_problems,
    driver_problems,
    fsx_problems,
    volume_problems,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusterwright.localcloud.account import Account


def mounting_problems(account: Account, cluster: str, volume: Mapping[str, Any]) -> list[str]:
    """What is wrong with a volume of a cluster, one line each; its schema holds already."""
    spec = volume["spec"]
    problems = list(volume_problems(spec))
    if "csi" in spec:
        problems += _csi_problems(account, cluster, volume)
    if "nfs" in spec:
        problems += _nfs_problems(account, spec["nfs"]["server"])
    return problems


def _csi_problems(account: Account, cluster: str, volume: Mapping[str, Any]) -> Iterator[str]:
    csi = volume["spec"]["csi"]
    yield from driver_problems(
        csi["driver"], account.client("eks").list_addons(clusterName=cluster)["addons"]
    )
    if csi["driver"] == FSX_DRIVER:
        yield from fsx_problems(csi, _file_system(account, csi["volumeHandle"]))
    if csi["driver"] == S3_DRIVER:
        yield from bucket_problems(csi, _bucket_names(account))
    for other in account.kubernetes[cluster].list("PersistentVolume"):
        handle = other["spec"].get("csi", {}).get("volumeHandle")
        if handle == csi["volumeHandle"] and other["metadata"]["name"] != volume["metadata"]["name"]:
            yield f"spec.csi.volumeHandle: {handle} is that of the volume {other['metadata']['name']}"


def _nfs_problems(account: Account, server: str) -> Iterator[str]:
    """A server whose name is one of FSx's must be a file system's; other servers are not known here."""
    systems = account.client("fsx").describe_file_systems()["FileSystems"]
    is_fsx = server.endswith(f".fsx.{account.region}.amazonaws.com")
    if is_fsx and server not in {system["DNSName"] for system in systems}:
        yield f"spec.nfs.server: there is no file system {server}"


def _file_system(account: Account, identifier: str) -> Mapping[str, Any] | None:
    try:
        found = account.client("fsx").describe_file_systems(FileSystemIds=[identifier])["FileSystems"]
    except ClientError:
        return None
    first: Mapping[str, Any] = found[0]
    return first


def _bucket_names(account: Account) -> set[str]:
    s3 = account.client("s3")
    rows = [*s3.list_buckets()["Buckets"], *s3.list_directory_buckets()["Buckets"]]
    return {row["Name"] for row in rows}

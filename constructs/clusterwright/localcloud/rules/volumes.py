"""Kubernetes: which persistent volumes a server takes, and which of them a driver could mount.

Sources, read 2026-11-20: Kubernetes documentation, "Persistent Volumes"; FSx CSI driver, static provisioning;
Mountpoint for Amazon S3 CSI driver, "Configuration".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.kubernetes.immutable import VOLUME_SOURCES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

ACCESS_MODES = frozenset({"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"})
RECLAIM_POLICIES = frozenset({"Delete", "Recycle", "Retain"})
QUANTITY = re.compile(r"[0-9]+(\.[0-9]+)?([EPTGMk]i?|Ki)?")
FSX_DRIVER, S3_DRIVER = "fsx.csi.aws.com", "s3.csi.aws.com"
ADDONS = {
    "ebs.csi.aws.com": "aws-ebs-csi-driver",
    "efs.csi.aws.com": "aws-efs-csi-driver",
    FSX_DRIVER: "aws-fsx-csi-driver",
    S3_DRIVER: "aws-mountpoint-s3-csi-driver",
}
"""The add-on that brings each driver."""


def volume_problems(spec: Mapping[str, Any]) -> Iterator[str]:
    """What a server refuses in a PersistentVolume beside its schema."""
    modes = set(spec.get("accessModes") or [])
    if not modes or not modes <= ACCESS_MODES:
        yield f"spec.accessModes: {sorted(modes)} must be some of {', '.join(sorted(ACCESS_MODES))}"
    size = str((spec.get("capacity") or {}).get("storage", ""))
    if not QUANTITY.fullmatch(size):
        yield f"spec.capacity.storage: {size!r} is not a quantity"
    sources = VOLUME_SOURCES & spec.keys()
    if len(sources) != 1:
        yield f"spec: must have exactly one source of data, not {', '.join(sorted(sources)) or 'none'}"
    if spec.get("persistentVolumeReclaimPolicy", "Retain") not in RECLAIM_POLICIES:
        yield f"spec.persistentVolumeReclaimPolicy: {spec['persistentVolumeReclaimPolicy']} is not known"


def driver_problems(driver: str, addons: Collection[str]) -> Iterator[str]:
    """Whether a cluster has a CSI driver."""
    if driver not in ADDONS:
        yield f"no add-on of EKS brings the CSI driver {driver}"
    elif ADDONS[driver] not in addons:
        yield f"the CSI driver {driver} needs the add-on {ADDONS[driver]}, which the cluster does not have"


def fsx_problems(csi: Mapping[str, Any], file_system: Mapping[str, Any] | None) -> Iterator[str]:
    """Whether the FSx driver could mount a volume.

    Args:
        csi: The volume's ``spec.csi``.
        file_system: The file system of its handle, as DescribeFileSystems tells it, or None.
    """
    if file_system is None or "LustreConfiguration" not in file_system:
        yield f"the Lustre file system {csi['volumeHandle']} does not exist"
        return
    attributes = csi.get("volumeAttributes") or {}
    for key, real in (
        ("dnsname", file_system["DNSName"]),
        ("mountname", file_system["LustreConfiguration"]["MountName"]),
    ):
        if attributes.get(key) != real:
            yield f"spec.csi.volumeAttributes.{key}: {attributes.get(key)} is not the file system's {real}"


def bucket_problems(csi: Mapping[str, Any], buckets: Collection[str]) -> Iterator[str]:
    """Whether the S3 driver could mount a volume."""
    bucket = (csi.get("volumeAttributes") or {}).get("bucketName")
    if bucket not in buckets:
        yield f"the bucket {bucket} does not exist"

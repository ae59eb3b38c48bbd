"""Kubernetes manifests of the cluster's storage: a StorageClass and a static PersistentVolume each.

The class only pairs claims with the volume; nothing is ever provisioned through it, so no claim can buy a
file system by accident. A volume can be used on the nodes that carry its label, and on no others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterwright.labels import MOUNT_ANNOTATION, storage_label, volume_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusterwright.config.buckets import BucketConfig
    from clusterwright.config.lustre import LustreConfig
    from clusterwright.config.openzfs import OpenZfsConfig

FSX_DRIVER = "fsx.csi.aws.com"
S3_DRIVER = "s3.csi.aws.com"

NOMINAL_BUCKET_SIZE = "1Pi"
"""Kubernetes wants a size of every volume; the S3 driver does not look at it."""


@dataclass(frozen=True, slots=True)
class Volume:
    """What makes one volume differ from another.

    Attributes:
        name: Name of the class and the volume; a claim names it as ``storageClassName``.
        size: Capacity in Kubernetes' notation, such as ``19200Gi``.
        source: The part of the volume's specification that says where the data is.
        mount_options: Options of the mount.
        is_read_only: Whether pods may only read.
        mount: Directory that the file names; empty where it names none. Each pod chooses its own.
    """

    name: str
    size: str
    source: Mapping[str, Any]
    mount_options: Sequence[str] = ()
    is_read_only: bool = False
    mount: str = ""

    def manifests(self) -> list[dict[str, Any]]:
        """The StorageClass and the PersistentVolume."""
        return [
            {
                "apiVersion": "storage.k8s.io/v1",
                "kind": "StorageClass",
                "metadata": {"name": self.name},
                "provisioner": "kubernetes.io/no-provisioner",
                "reclaimPolicy": "Retain",
                "volumeBindingMode": "Immediate",
            },
            {
                "apiVersion": "v1",
                "kind": "PersistentVolume",
                "metadata": {"name": self.name, **self._annotations()},
                "spec": {
                    "accessModes": ["ReadOnlyMany" if self.is_read_only else "ReadWriteMany"],
                    "capacity": {"storage": self.size},
                    "mountOptions": list(self.mount_options),
                    "nodeAffinity": {"required": {"nodeSelectorTerms": [self._node_term()]}},
                    "persistentVolumeReclaimPolicy": "Retain",
                    "storageClassName": self.name,
                    "volumeMode": "Filesystem",
                    **self.source,
                },
            },
        ]

    def _annotations(self) -> dict[str, Any]:
        return {"annotations": {MOUNT_ANNOTATION: self.mount}} if self.mount else {}

    def _node_term(self) -> dict[str, Any]:
        return {"matchExpressions": [{"key": storage_label(self.name), "operator": "Exists"}]}


def lustre_volume(
    name: str,
    config: LustreConfig,
    *,
    file_system_id: str,
    dns_name: str,
    mount_name: str,
) -> Volume:
    """The volume of an FSx for Lustre file system."""
    return Volume(
        name=volume_name(f"lustre.{name}"),
        # Intelligent-Tiering has no size of its own; the driver does not look at this one.
        size=f"{config.capacity_gib}Gi" if config.capacity_gib else NOMINAL_BUCKET_SIZE,
        source={
            "csi": {
                "driver": FSX_DRIVER,
                "volumeHandle": file_system_id,
                "volumeAttributes": {"dnsname": dns_name, "mountname": mount_name},
            }
        },
        mount_options=("flock", "noatime"),
        mount=config.mount,
    )


def home_volume(config: OpenZfsConfig, *, dns_name: str, export: str) -> Volume:
    """The volume of the home directories, over NFS."""
    return Volume(
        name="home",
        size=f"{config.capacity_gib}Gi",
        source={"nfs": {"server": dns_name, "path": export}},
        mount_options=("nfsvers=4.2", "hard", "timeo=600", "rsize=1048576", "wsize=1048576", "nconnect=16"),
        mount=config.mount,
    )


def bucket_volume(name: str, config: BucketConfig, *, bucket_name: str, region: str) -> Volume:
    """The volume of an S3 bucket, through Mountpoint for Amazon S3."""
    writing = [] if config.read_only else ["allow-delete", "allow-overwrite"]
    options = [f"region {region}", *writing]
    return _mountpoint_volume(
        volume_name(f"buckets.{name}"), bucket_name, options, is_read_only=config.read_only
    )


def express_volume(name: str, *, bucket_name: str, region: str) -> Volume:
    """The volume of a directory bucket, through Mountpoint for Amazon S3."""
    options = [f"region {region}", "allow-delete", "allow-overwrite"]
    return _mountpoint_volume(volume_name(f"express.{name}"), bucket_name, options, is_read_only=False)


def _mountpoint_volume(name: str, bucket_name: str, options: Sequence[str], *, is_read_only: bool) -> Volume:
    return Volume(
        name=name,
        size=NOMINAL_BUCKET_SIZE,
        source={
            "csi": {
                "driver": S3_DRIVER,
                "volumeHandle": name,
                "volumeAttributes": {"bucketName": bucket_name},
            }
        },
        mount_options=(*options, "read-only") if is_read_only else tuple(options),
        is_read_only=is_read_only,
    )

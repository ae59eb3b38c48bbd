"""Changes that would part a cluster from its data: the deployed storage template against the one to deploy.

CloudFormation answers some changes of a file system or a bucket with a new, empty one. Ours keep the old one
(see `storage.retention`), so nothing is lost but the way to it; a person should know before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from clusterwright.errors import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CODE = "DIF001"

REPLACING_PROPERTIES: Mapping[str, tuple[str, ...]] = {
    "AWS::FSx::FileSystem": (
        "BackupId",
        "FileSystemType",
        "FileSystemTypeVersion",
        "KmsKeyId",
        "SecurityGroupIds",
        "StorageType",
        "SubnetIds",
        "LustreConfiguration.DeploymentType",
        "LustreConfiguration.EfaEnabled",
        "LustreConfiguration.PerUnitStorageThroughput",
        "OpenZFSConfiguration.DeploymentType",
        "OpenZFSConfiguration.PreferredSubnetId",
        "OpenZFSConfiguration.RootVolumeConfiguration",
    ),
    "AWS::FSx::Volume": ("BackupId", "Name", "VolumeType", "OpenZFSConfiguration.ParentVolumeId"),
    "AWS::S3::Bucket": ("BucketName",),
    "AWS::S3Express::DirectoryBucket": ("BucketName", "DataRedundancy", "LocationName"),
}
"""What CloudFormation replaces a resource for, or FSx never changes in place, by type
(CloudFormation template reference, "Update requires"; November 2026)."""

Effect = Literal["replaced", "kept", "deleted"]

_MESSAGES: Mapping[Effect, str] = {
    "replaced": "{what} cannot change {reason} in place: a new, empty one takes its place, and the old one "
    "stays behind with its data",
    "kept": "{what} is taken out of the cluster; it stays behind with its data",
    "deleted": "{what} is taken out of the cluster, and deleted with all that is in it",
}


@dataclass(frozen=True, slots=True)
class DataChange:
    """A change of something that holds data.

    Attributes:
        resource_type: CloudFormation's type.
        path: The CDK's path of the resource, or its logical id.
        effect: What becomes of the data.
        properties: The properties that cannot change in place.
    """

    resource_type: str
    path: str
    effect: Effect
    properties: tuple[str, ...] = ()

    def as_finding(self, file: str) -> Finding:
        """The change as an error, to be shown beside the difference."""
        message = _MESSAGES[self.effect].format(
            what=f"{self.resource_type} {self.path}", reason=" and ".join(self.properties)
        )
        return Finding(
            code=CODE,
            severity="error",
            message=message,
            path="storage",
            file=file,
            hint="undo the change; or copy the data first, and deploy knowing that",
        )


def find_data_changes(deployed: Mapping[str, Any], planned: Mapping[str, Any]) -> Iterator[DataChange]:
    """The changes between two templates that part the cluster from data.

    Args:
        deployed: The template that stands.
        planned: The template to deploy.
    """
    after = planned.get("Resources", {})
    for logical_id, before in deployed.get("Resources", {}).items():
        paths = REPLACING_PROPERTIES.get(before["Type"])
        if paths is None:
            continue
        path = before.get("Metadata", {}).get("aws:cdk:path", logical_id)
        if logical_id not in after:
            is_kept = before.get("DeletionPolicy") in ("Retain", "RetainExceptOnCreate")
            yield DataChange(before["Type"], path, "kept" if is_kept else "deleted")
            continue
        changed = tuple(each for each in paths if _pick(before, each) != _pick(after[logical_id], each))
        if changed:
            yield DataChange(before["Type"], path, "replaced", changed)


def _pick(resource: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401  a property is any JSON
    value: Any = resource.get("Properties", {})
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value

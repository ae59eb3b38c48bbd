"""Resources that hold data and would be replaced or dropped: one storage template against another.

The net below `data_changes`: it knows no fields, so it finds what no field of the file explains, such as a
new release that makes a resource anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterwright.data_changes import CANNOT_CHANGE
from clusterwright.errors import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

REPLACING_PROPERTIES: Mapping[str, tuple[str, ...]] = {
    "AWS::FSx::FileSystem": (
        "BackupId",
        "FileSystemType",
        "FileSystemTypeVersion",
        "KmsKeyId",
        "SecurityGroupIds",
        "StorageType",
        "SubnetIds",
        "LustreConfiguration.CopyTagsToBackups",
        "LustreConfiguration.DeploymentType",
        "LustreConfiguration.EfaEnabled",
        "LustreConfiguration.PerUnitStorageThroughput",
        "OpenZFSConfiguration.DeploymentType",
        "OpenZFSConfiguration.PreferredSubnetId",
        "OpenZFSConfiguration.RootVolumeConfiguration",
    ),
    "AWS::FSx::Volume": ("BackupId", "VolumeType", "OpenZFSConfiguration.ParentVolumeId"),
    "AWS::S3::Bucket": ("BucketName",),
    "AWS::S3Express::DirectoryBucket": ("BucketName", "DataRedundancy", "LocationName"),
}
"""What CloudFormation replaces a resource for, or FSx never changes in place, by type.

CloudFormation template reference, "Update requires", which says so of PerUnitStorageThroughput and
CopyTagsToBackups, although the schemas do not list them as create-only and UpdateFileSystem could change the
former; CloudFormation's schemas; FSx API reference, "UpdateFileSystem"; November 2026.
"""


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A resource with data that a deployment would replace, or drop from its stack.

    Attributes:
        resource_type: CloudFormation's type.
        path: The CDK's path of the resource, or its logical id.
        properties: The properties that cannot change in place; none where the resource is dropped.
    """

    resource_type: str
    path: str
    properties: tuple[str, ...] = ()

    def as_finding(self, file: str) -> Finding:
        """The change as an error."""
        what = f"{self.resource_type} {self.path}"
        reason = (
            f"cannot change {' and '.join(self.properties)} in place"
            if self.properties
            else "is in the deployed stack, and not in that of this file"
        )
        return Finding(
            code=CANNOT_CHANGE,
            severity="error",
            message=f"{what} {reason}: a new, empty one may take its place",
            path="storage",
            file=file,
            hint="if the file did not change, this clusterwright makes the resource anew: see its changelog",
        )


def find_replaced_resources(
    deployed: Mapping[str, Any], planned: Mapping[str, Any]
) -> Iterator[ResourceChange]:
    """The resources with data that a deployment would replace or drop.

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
            yield ResourceChange(before["Type"], path)
            continue
        changed = tuple(each for each in paths if _pick(before, each) != _pick(after[logical_id], each))
        if changed:
            yield ResourceChange(before["Type"], path, changed)


def _pick(resource: Mapping[str, Any], path: str) -> Any:  # noqa: ANN401  a property is any JSON
    value: Any = resource.get("Properties", {})
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value

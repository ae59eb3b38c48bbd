"""FSx: file systems, volumes and data repository associations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.errors import ResourceRefusedError
from clusterwright.localcloud.resources.resource_type import Made, ResourceType, removed_tags, tag_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

CONFIGURATIONS = ("LustreConfiguration", "OpenZFSConfiguration")
DELETE_OPTIONS = "Options"
"""A property of OpenZFS that is a parameter of the operation that deletes, not of the one that makes."""


class FsxType(ResourceType):
    """A type of FSx whose tags can change in place."""

    def retag(self, request: Request, current: StackResource, changed: frozenset[str]) -> None:
        """Bring the tags to those of a request."""
        if "Tags" not in changed:
            return
        fsx, arn = request.client("fsx"), current.attributes["ResourceARN"]
        dropped = removed_tags(current.properties, request.properties)
        if dropped:
            fsx.untag_resource(ResourceARN=arn, TagKeys=dropped)
        if tag_pairs(request.properties):
            fsx.tag_resource(ResourceARN=arn, Tags=tag_pairs(request.properties))


class FileSystem(FsxType):
    """A file system for Lustre or OpenZFS."""

    name = "AWS::FSx::FileSystem"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = dict(request.properties)
        if "BackupId" in options:
            raise ResourceRefusedError("the embedded AWS makes no file system from a backup")
        if "OpenZFSConfiguration" in options:
            options["OpenZFSConfiguration"] = _without_delete_options(options["OpenZFSConfiguration"])
        record = request.client("fsx").create_file_system(**options)["FileSystem"]
        return Made(record["FileSystemId"], self._attributes(record))

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change what UpdateFileSystem can change; a property that goes away keeps its value, as in AWS."""
        rest = changed - {"Tags"}
        if not rest <= {"StorageCapacity", *CONFIGURATIONS}:
            return super().update(request, current, changed)
        options = request.picked(*(rest & {"StorageCapacity"}))
        for name in rest.intersection(CONFIGURATIONS):
            options[name] = _changed_settings(request, current, name, "UpdateFileSystem")
        if any(options.values()):
            request.client("fsx").update_file_system(FileSystemId=current.physical_id, **options)
        self.retag(request, current, changed)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it with everything in it."""
        options = current.properties.get("OpenZFSConfiguration", {}).get(DELETE_OPTIONS)
        extra = {"OpenZFSConfiguration": {DELETE_OPTIONS: options}} if options else {}
        account.client("fsx").delete_file_system(FileSystemId=current.physical_id, **extra)

    @staticmethod
    def _attributes(record: Mapping[str, Any]) -> dict[str, Any]:
        attributes = {
            "Id": record["FileSystemId"],
            "DNSName": record["DNSName"],
            "ResourceARN": record["ResourceARN"],
        }
        if "LustreConfiguration" in record:
            attributes["LustreMountName"] = record["LustreConfiguration"]["MountName"]
        if "OpenZFSConfiguration" in record:
            attributes["RootVolumeId"] = record["OpenZFSConfiguration"]["RootVolumeId"]
        return attributes


class Volume(FsxType):
    """A volume of an OpenZFS file system."""

    name = "AWS::FSx::Volume"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = dict(request.properties)
        options["OpenZFSConfiguration"] = _without_delete_options(options.get("OpenZFSConfiguration", {}))
        volume = request.client("fsx").create_volume(**options)["Volume"]
        attributes = {"VolumeId": volume["VolumeId"], "ResourceARN": volume["ResourceARN"]}
        return Made(volume["VolumeId"], attributes)

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change what UpdateVolume can change; a property that goes away keeps its value, as in AWS."""
        rest = changed - {"Tags"}
        if not rest <= {"Name", "OpenZFSConfiguration"}:
            return super().update(request, current, changed)
        options = request.picked(*(rest & {"Name"}))
        settings = _changed_settings(request, current, "OpenZFSConfiguration", "UpdateVolume")
        if settings:
            options["OpenZFSConfiguration"] = settings
        if options:
            request.client("fsx").update_volume(VolumeId=current.physical_id, **options)
        self.retag(request, current, changed)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it with everything in it."""
        options = current.properties.get("OpenZFSConfiguration", {}).get(DELETE_OPTIONS)
        extra = {"OpenZFSConfiguration": {DELETE_OPTIONS: options}} if options else {}
        account.client("fsx").delete_volume(VolumeId=current.physical_id, **extra)


class DataRepositoryAssociation(FsxType):
    """A directory of a Lustre file system that shows a bucket."""

    name = "AWS::FSx::DataRepositoryAssociation"

    def create(self, request: Request) -> Made:
        """Make it."""
        link = request.client("fsx").create_data_repository_association(**request.properties)["Association"]
        attributes = {"AssociationId": link["AssociationId"], "ResourceARN": link["ResourceARN"]}
        return Made(link["AssociationId"], attributes)

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change what it imports and exports; policies that the template drops are switched off."""
        options = request.picked("ImportedFileChunkSize")
        if "S3" in changed:
            options["S3"] = request.properties.get("S3", {})
        if options:
            request.client("fsx").update_data_repository_association(
                AssociationId=current.physical_id, **options
            )
        self.retag(request, current, changed)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Take it away; neither side loses a file."""
        account.client("fsx").delete_data_repository_association(
            AssociationId=current.physical_id, DeleteDataInFileSystem=False
        )


def _without_delete_options(config: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in config.items() if key != DELETE_OPTIONS}


def _changed_settings(request: Request, current: StackResource, name: str, operation: str) -> dict[str, Any]:
    """The settings of a configuration that differ.

    Raises:
        ResourceRefusedError: The operation that updates does not take one of them.
    """
    old = _without_delete_options(current.properties.get(name, {}))
    new = _without_delete_options(request.properties.get(name, {}))
    settings = {key: value for key, value in new.items() if old.get(key) != value}
    update = request.client("fsx").meta.service_model.operation_model(operation)
    for key in settings:
        if key not in update.input_shape.members[name].members:
            raise ResourceRefusedError(f"{name}.{key} of {current.physical_id} cannot be changed")
    return settings


TYPES: tuple[ResourceType, ...] = (FileSystem(), Volume(), DataRepositoryAssociation())

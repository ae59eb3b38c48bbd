"""FSx: volumes of OpenZFS file systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.errors import ApiError, refuse
from clusterwright.localcloud.rules.zfs_volumes import quota_problems
from clusterwright.localcloud.service import operation
from clusterwright.localcloud.services.fsx_state import FsxState, Record, new_id, now

if TYPE_CHECKING:
    from collections.abc import Mapping

BAD_REQUEST = "BadRequest"
ROOT_NAME = "fsx"


class FsxVolumes(FsxState):
    """Volumes: the root of each OpenZFS file system, and those below it."""

    @operation
    def create_volume(self, params: Mapping[str, Any]) -> Record:
        """Make a volume below another one."""
        settings = dict(params.get("OpenZFSConfiguration") or {})
        if params["VolumeType"] != "OPENZFS" or "ParentVolumeId" not in settings:
            refuse(["The embedded AWS makes OPENZFS volumes below another volume."], BAD_REQUEST)
        parent, name = self.volume(settings["ParentVolumeId"]), params["Name"]
        siblings = {item["Name"] for item in self._below(parent["VolumeId"])}
        if name in siblings:
            refuse([f"A volume {name} exists below {parent['VolumeId']}."], BAD_REQUEST)
        refuse(quota_problems(settings), BAD_REQUEST)
        path = f"{parent['OpenZFSConfiguration']['VolumePath']}/{name}"
        tags = list(params.get("Tags") or [])
        return {
            "Volume": self.add_volume(parent["FileSystemId"], name, {**settings, "VolumePath": path}, tags)
        }

    @operation
    def describe_volumes(self, params: Mapping[str, Any]) -> Record:
        """Volumes by id, or all."""
        return {
            "Volumes": [self.volume(identifier) for identifier in params.get("VolumeIds") or self.volumes]
        }

    @operation
    def update_volume(self, params: Mapping[str, Any]) -> Record:
        """Change a volume in place."""
        volume, settings = self.volume(params["VolumeId"]), params.get("OpenZFSConfiguration") or {}
        refuse(quota_problems(settings), BAD_REQUEST)
        volume["OpenZFSConfiguration"] |= settings
        volume["Name"] = params.get("Name") or volume["Name"]
        return {"Volume": volume}

    @operation
    def delete_volume(self, params: Mapping[str, Any]) -> Record:
        """Delete a volume with everything in it; those below it only where asked."""
        volume = self.volume(params["VolumeId"])
        identifier = volume["VolumeId"]
        if "ParentVolumeId" not in volume["OpenZFSConfiguration"]:
            refuse([f"{identifier} is a root volume, which goes with its file system."], BAD_REQUEST)
        options = (params.get("OpenZFSConfiguration") or {}).get("Options") or []
        below = self._below(identifier)
        if below and "DELETE_CHILD_VOLUMES_AND_SNAPSHOTS" not in options:
            refuse([f"{identifier} has volumes below it: {below[0]['VolumeId']}."], BAD_REQUEST)
        for item in (volume, *below):
            self.volumes.pop(item["VolumeId"], None)
        return {"VolumeId": identifier, "Lifecycle": "DELETING"}

    def add_volume(
        self, file_system_id: str, name: str, settings: Mapping[str, Any], tags: list[Mapping[str, str]]
    ) -> Record:
        """Put a volume into the account."""
        identifier = new_id("fsvol")
        volume = {
            "VolumeId": identifier,
            "FileSystemId": file_system_id,
            "Name": name,
            "VolumeType": "OPENZFS",
            "Lifecycle": "AVAILABLE",
            "CreationTime": now(),
            "ResourceARN": self.account.arn("fsx", f"volume/{file_system_id}/{identifier}"),
            "OpenZFSConfiguration": dict(settings),
            "Tags": tags,
        }
        self.volumes[identifier] = volume
        return volume

    def _below(self, identifier: str) -> list[Record]:
        """The volumes below a volume, at any depth."""
        children = [
            item
            for item in self.volumes.values()
            if item["OpenZFSConfiguration"].get("ParentVolumeId") == identifier
        ]
        return children + [found for child in children for found in self._below(child["VolumeId"])]

    def volume(self, identifier: str) -> Record:
        """A volume by id.

        Raises:
            ApiError: There is none.
        """
        if identifier not in self.volumes:
            raise ApiError("VolumeNotFound", f"Volume '{identifier}' does not exist.")
        return self.volumes[identifier]

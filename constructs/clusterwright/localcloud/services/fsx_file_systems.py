"""FSx: file systems for Lustre and OpenZFS."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ApiError, refuse
from clusterwright.localcloud.rules.file_systems import (
    automatic_metadata_iops,
    growth_problems,
    lustre_network_problems,
    lustre_problems,
    openzfs_problems,
)
from clusterwright.localcloud.rules.lookup import described_subnets, refuse_unknown_groups
from clusterwright.localcloud.rules.zfs_volumes import quota_problems
from clusterwright.localcloud.service import operation
from clusterwright.localcloud.services.fsx_state import Record, new_id, now
from clusterwright.localcloud.services.fsx_volumes import ROOT_NAME, FsxVolumes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BAD_REQUEST = "BadRequest"
BAD_NETWORK = "InvalidNetworkSettings"
CONFIGURATIONS = {"LUSTRE": "LustreConfiguration", "OPENZFS": "OpenZFSConfiguration"}
GIVEN = ("FileSystemType", "StorageCapacity", "SubnetIds", "KmsKeyId", "FileSystemTypeVersion", "NetworkType")


class FsxFileSystems(FsxVolumes):
    """File systems; each is available before the call that makes it returns."""

    @operation
    def create_file_system(self, params: Mapping[str, Any]) -> Record:
        """Make a file system, with a network interface in each of its subnets."""
        kind = params["FileSystemType"]
        if kind not in CONFIGURATIONS:
            refuse(
                [f"The embedded AWS makes file systems of {', '.join(CONFIGURATIONS)}, not {kind}."],
                BAD_REQUEST,
            )
        refuse(_problems(params), BAD_REQUEST)
        self._refuse_key(params.get("KmsKeyId"))
        vpc_id, groups = self._network(params)
        identifier = new_id("fs")
        record = {
            **{name: params[name] for name in GIVEN if params.get(name) is not None},
            "StorageType": params.get("StorageType") or "SSD",
            "FileSystemId": identifier,
            "OwnerId": self.account.id,
            "CreationTime": now(),
            "Lifecycle": "AVAILABLE",
            "VpcId": vpc_id,
            "NetworkInterfaceIds": [
                self._interface(subnet, groups, identifier) for subnet in params["SubnetIds"]
            ],
            "DNSName": f"{identifier}.fsx.{self.account.region}.amazonaws.com",
            "ResourceARN": self.account.arn("fsx", f"file-system/{identifier}"),
            "Tags": list(params.get("Tags") or []),
            CONFIGURATIONS[kind]: _configuration(params),
        }
        self.file_systems[identifier] = record
        if kind == "OPENZFS":
            asked = params["OpenZFSConfiguration"].get("RootVolumeConfiguration") or {}
            refuse(quota_problems(asked), BAD_REQUEST)
            root = self.add_volume(identifier, ROOT_NAME, {**asked, "VolumePath": f"/{ROOT_NAME}"}, [])
            record["OpenZFSConfiguration"]["RootVolumeId"] = root["VolumeId"]
        return {"FileSystem": record}

    @operation
    def describe_file_systems(self, params: Mapping[str, Any]) -> Record:
        """File systems by id, or all."""
        wanted = params.get("FileSystemIds") or list(self.file_systems)
        return {"FileSystems": [self.file_system(identifier) for identifier in wanted]}

    @operation
    def update_file_system(self, params: Mapping[str, Any]) -> Record:
        """Change a file system in place."""
        current = self.file_system(params["FileSystemId"])
        updated = deepcopy(current)
        if params.get("StorageCapacity"):
            updated["StorageCapacity"] = params["StorageCapacity"]
        key = CONFIGURATIONS[current["FileSystemType"]]
        updated[key].update(params.get(key) or {})
        asked = {**updated, key: _without_answers(updated[key])}
        refuse([*_problems(asked), *growth_problems(current, _completed(updated))], BAD_REQUEST)
        current.update(_completed(updated))
        return {"FileSystem": current}

    @operation
    def delete_file_system(self, params: Mapping[str, Any]) -> Record:
        """Delete a file system, its links and its network interfaces; everything in it is gone."""
        record = self.file_system(params["FileSystemId"])
        identifier = record["FileSystemId"]
        self._delete_volumes(identifier, (params.get("OpenZFSConfiguration") or {}).get("Options") or [])
        self.links = {key: link for key, link in self.links.items() if link["FileSystemId"] != identifier}
        for interface in record["NetworkInterfaceIds"]:
            self.account.client("ec2").delete_network_interface(NetworkInterfaceId=interface)
        del self.file_systems[identifier]
        return {"FileSystemId": identifier, "Lifecycle": "DELETING"}

    def _delete_volumes(self, file_system_id: str, options: Sequence[str]) -> None:
        """Delete the volumes of a file system; those below the root only where asked."""
        own = [item for item in self.volumes.values() if item["FileSystemId"] == file_system_id]
        below = [item["VolumeId"] for item in own if "ParentVolumeId" in item["OpenZFSConfiguration"]]
        if below and "DELETE_CHILD_VOLUMES_AND_SNAPSHOTS" not in options:
            refuse([f"{file_system_id} has volumes below its root: {', '.join(below)}."], BAD_REQUEST)
        for item in own:
            del self.volumes[item["VolumeId"]]

    def _network(self, params: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
        """The VPC and the security groups; without any, FSx takes the VPC's default group."""
        ec2 = self.account.client("ec2")
        subnets = described_subnets(self.account, params["SubnetIds"])
        vpc_ids = {subnet["VpcId"] for subnet in subnets}
        if len(vpc_ids) != 1:
            refuse(["The subnets of a file system must be in one VPC."], BAD_NETWORK)
        vpc_id = vpc_ids.pop()
        filters = [{"Name": "vpc-id", "Values": [vpc_id]}, {"Name": "group-name", "Values": ["default"]}]
        given = params.get("SecurityGroupIds") or [
            group["GroupId"] for group in ec2.describe_security_groups(Filters=filters)["SecurityGroups"]
        ]
        refuse_unknown_groups(self.account, given, vpc_id)
        if params["FileSystemType"] == "LUSTRE":
            described = ec2.describe_security_groups(GroupIds=list(given))["SecurityGroups"]
            has_efa = bool(params["LustreConfiguration"].get("EfaEnabled"))
            by_id = {group["GroupId"]: group for group in described}
            refuse(lustre_network_problems(by_id, has_efa=has_efa), BAD_NETWORK)
        return vpc_id, given

    def _interface(self, subnet_id: str, groups: Sequence[str], file_system_id: str) -> str:
        made = self.account.client("ec2").create_network_interface(
            SubnetId=subnet_id, Groups=list(groups), Description=f"Created by Amazon FSx: {file_system_id}"
        )
        return str(made["NetworkInterface"]["NetworkInterfaceId"])

    def _refuse_key(self, key_id: str | None) -> None:
        if key_id is None or (key_id.startswith("arn:") and f":{self.account.id}:" not in key_id):
            return
        try:
            self.account.client("kms").describe_key(KeyId=key_id)
        except ClientError as error:
            raise ApiError(BAD_REQUEST, f"The KMS key {key_id} does not exist.") from error


def _problems(params: Mapping[str, Any]) -> Iterator[str]:
    return lustre_problems(params) if params["FileSystemType"] == "LUSTRE" else openzfs_problems(params)


def _configuration(params: Mapping[str, Any]) -> Record:
    """The configuration as FSx keeps it, with what it adds by itself."""
    config = deepcopy(dict(params.get(CONFIGURATIONS[params["FileSystemType"]]) or {}))
    if params["FileSystemType"] == "OPENZFS":
        config.pop("RootVolumeConfiguration", None)
        return config
    config["MountName"] = uuid4().hex[:8]
    return _with_metadata_iops(config, params.get("StorageCapacity"))


def _completed(record: Mapping[str, Any]) -> Record:
    if record["FileSystemType"] != "LUSTRE":
        return dict(record)
    config = _with_metadata_iops(record["LustreConfiguration"], record.get("StorageCapacity"))
    return {**record, "LustreConfiguration": config}


def _with_metadata_iops(config: Mapping[str, Any], capacity_gib: int | None) -> Record:
    """The configuration with the metadata operations that FSx gives in mode AUTOMATIC."""
    metadata = config.get("MetadataConfiguration")
    if not metadata or metadata["Mode"] != "AUTOMATIC" or capacity_gib is None:
        return dict(config)
    return {**config, "MetadataConfiguration": {**metadata, "Iops": automatic_metadata_iops(capacity_gib)}}


def _without_answers(config: Mapping[str, Any]) -> Record:
    """The configuration as it was asked for, without what FSx added."""
    metadata = config.get("MetadataConfiguration")
    if metadata and metadata["Mode"] == "AUTOMATIC":
        return {**config, "MetadataConfiguration": {"Mode": "AUTOMATIC"}}
    return dict(config)

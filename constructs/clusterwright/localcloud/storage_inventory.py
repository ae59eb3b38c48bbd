"""The storage in the embedded AWS, read back through boto3 as a person would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusterwright.localcloud.cloud import LocalCloud

SKIPPED = "DELETE_SKIPPED"
GIB_PER_TIB = 1000
"""FSx's own measure: 2,400 GiB at 50 MB/s/TiB give 120 MB/s (CreateFileSystemLustreConfiguration,
PerUnitStorageThroughput; read 2026-11-20)."""

KINDS_OF_DATA = ("bucket ", "file system ", "key ", "volume ")


@dataclass(frozen=True, slots=True)
class FileSystemRow:
    """A file system.

    Attributes:
        name: From its Name tag; its id without one.
        kind: Such as ``Lustre SSD, EFA`` or ``OpenZFS SINGLE_AZ_HA_2``.
        capacity_gib: Size in GiB, or None where it grows with what is in it.
        throughput_mbps: Throughput in MB/s: for Lustre on SSD, the size in TiB times that of each TiB.
        mount: What clients mount, such as ``fs-0….amazonaws.com@tcp:/x7yqzbmv``.
        links: Directories that show a bucket, such as ``/datasets = s3://bucket/``.
    """

    name: str
    kind: str
    capacity_gib: int | None
    throughput_mbps: int
    mount: str
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VolumeRow:
    """A PersistentVolume of a cluster.

    Attributes:
        name: Its name, which is that of its StorageClass, too.
        size: As Kubernetes writes it.
        access: The first access mode.
        source: What it shows: a file system, a bucket or an NFS export.
    """

    name: str
    size: str
    access: str
    source: str


@dataclass(frozen=True, slots=True)
class StorageInventory:
    """The storage that a deployment made or uses.

    Attributes:
        file_systems: The file systems.
        buckets: Buckets and directory buckets, without the CDK's own.
        volumes: The PersistentVolumes of all clusters.
    """

    file_systems: tuple[FileSystemRow, ...] = ()
    buckets: tuple[str, ...] = ()
    volumes: tuple[VolumeRow, ...] = ()


def take_storage_inventory(cloud: LocalCloud) -> StorageInventory:
    """Read back the storage."""
    fsx = cloud.client("fsx")
    links = fsx.describe_data_repository_associations()["Associations"]
    below = [row for row in fsx.describe_volumes()["Volumes"] if _has_parent(row)]
    assets = f"-assets-{cloud.account.id}-{cloud.account.region}"
    clusters = cloud.client("eks").list_clusters()["clusters"]
    return StorageInventory(
        file_systems=tuple(
            _file_system(record, links, below) for record in fsx.describe_file_systems()["FileSystems"]
        ),
        buckets=tuple(name for name in _buckets(cloud) if not name.endswith(assets)),
        volumes=tuple(
            _volume(manifest)
            for cluster in clusters
            for manifest in cloud.kubernetes(cluster).list("PersistentVolume")
        ),
    )


def stored_data(cloud: LocalCloud) -> dict[str, list[str]]:
    """Ids of all that holds data, by kind."""
    fsx = cloud.client("fsx")
    volumes = fsx.describe_volumes()["Volumes"]
    links = fsx.describe_data_repository_associations()["Associations"]
    return {
        "bucket": _buckets(cloud),
        "file system": [row["FileSystemId"] for row in fsx.describe_file_systems()["FileSystems"]],
        "volume": [row["VolumeId"] for row in volumes if _has_parent(row)],
        "link to a bucket": [row["AssociationId"] for row in links],
    }


def kept_ids(cloud: LocalCloud, lasting: Iterable[str] = ()) -> set[str]:
    """Ids of what is in the account on purpose after a destruction.

    Args:
        cloud: The embedded AWS.
        lasting: Names of the stacks that still stand: what is in them stays, and what comes with it.
    """
    stacks = cloud.client("cloudformation")
    kept = {
        event["PhysicalResourceId"]
        for stack in stacks.list_stacks()["StackSummaries"]
        for event in stacks.describe_stack_events(StackName=stack["StackId"])["StackEvents"]
        if event["ResourceStatus"] == SKIPPED
    }
    for name in lasting:
        resources = stacks.list_stack_resources(StackName=name)["StackResourceSummaries"]
        kept |= {name, *(row["PhysicalResourceId"] for row in resources)}
    return kept | _with_file_systems(cloud, kept) | _with_vpcs(cloud, kept)


def describe_kept(lasting: Sequence[str], kept: Iterable[str]) -> str:
    """What stays after a destruction, and why, in one line.

    Args:
        lasting: Names of the stacks that still stand.
        kept: Everything that is kept, each as ``kind id``.
    """
    data = sorted(item for item in kept if item.startswith(KINDS_OF_DATA))
    stacks = f"{' and '.join(lasting)} stay, with " if lasting else ""
    return f"{stacks}data that is kept (retain: true): {', '.join(data)}"


def _with_file_systems(cloud: LocalCloud, kept: set[str]) -> set[str]:
    """The interfaces that FSx made with file systems that are kept."""
    records = cloud.client("fsx").describe_file_systems()["FileSystems"]
    own = (record for record in records if record["FileSystemId"] in kept)
    return {interface for record in own for interface in record["NetworkInterfaceIds"]}


def _with_vpcs(cloud: LocalCloud, kept: set[str]) -> set[str]:
    """What EC2 made with VPCs that are kept, and with what is in them."""
    ec2, vpcs = cloud.client("ec2"), [each for each in kept if each.startswith("vpc-")]
    if not vpcs:
        return set()
    filters = [{"Name": "vpc-id", "Values": vpcs}]
    groups = ec2.describe_security_groups(Filters=filters)["SecurityGroups"]
    return {
        *(row["RouteTableId"] for row in ec2.describe_route_tables(Filters=filters)["RouteTables"]),
        *(row["GroupId"] for row in groups if row["GroupName"] == "default"),
        *(
            row["NetworkInterfaceId"]
            for row in ec2.describe_network_interfaces(Filters=filters)["NetworkInterfaces"]
        ),
    }


def _buckets(cloud: LocalCloud) -> list[str]:
    s3 = cloud.client("s3")
    rows = [*s3.list_buckets()["Buckets"], *s3.list_directory_buckets()["Buckets"]]
    return [row["Name"] for row in rows]


def _has_parent(volume: Mapping[str, Any]) -> bool:
    """Whether a volume is below the root of its file system."""
    return "ParentVolumeId" in volume["OpenZFSConfiguration"]


def _file_system(
    record: Mapping[str, Any], links: Sequence[Mapping[str, Any]], volumes: Sequence[Mapping[str, Any]]
) -> FileSystemRow:
    tags = {tag["Key"]: tag["Value"] for tag in record["Tags"]}
    own = [link for link in links if link["FileSystemId"] == record["FileSystemId"]]
    is_lustre = "LustreConfiguration" in record
    return FileSystemRow(
        name=tags.get("Name", record["FileSystemId"]),
        kind=_kind(record),
        capacity_gib=record.get("StorageCapacity"),
        throughput_mbps=_throughput_mbps(record),
        mount=_lustre_mount(record) if is_lustre else _openzfs_mount(record, volumes),
        links=tuple(f"{link['FileSystemPath']} = {link['DataRepositoryPath']}" for link in own),
    )


def _kind(record: Mapping[str, Any]) -> str:
    if "OpenZFSConfiguration" in record:
        return f"OpenZFS {record['OpenZFSConfiguration']['DeploymentType']}"
    efa = ", EFA" if record["LustreConfiguration"].get("EfaEnabled") else ""
    return f"Lustre {record['StorageType']}{efa}"


def _lustre_mount(record: Mapping[str, Any]) -> str:
    return f"{record['DNSName']}@tcp:/{record['LustreConfiguration']['MountName']}"


def _openzfs_mount(record: Mapping[str, Any], volumes: Sequence[Mapping[str, Any]]) -> str:
    """The volume below the root; the root itself where there is none."""
    own = (volume for volume in volumes if volume["FileSystemId"] == record["FileSystemId"])
    path = next((volume["OpenZFSConfiguration"]["VolumePath"] for volume in own), "/fsx")
    return f"{record['DNSName']}:{path}"


def _throughput_mbps(record: Mapping[str, Any]) -> int:
    config = record.get("LustreConfiguration") or record["OpenZFSConfiguration"]
    if "PerUnitStorageThroughput" in config:
        return int(record["StorageCapacity"] * config["PerUnitStorageThroughput"] / GIB_PER_TIB)
    return int(config["ThroughputCapacity"])


def _volume(manifest: Mapping[str, Any]) -> VolumeRow:
    spec = manifest["spec"]
    return VolumeRow(
        name=manifest["metadata"]["name"],
        size=spec["capacity"]["storage"],
        access=spec["accessModes"][0],
        source=_source(spec),
    )


def _source(spec: Mapping[str, Any]) -> str:
    if "nfs" in spec:
        return f"{spec['nfs']['server']}:{spec['nfs']['path']}"
    csi = spec["csi"]
    return str(csi.get("volumeAttributes", {}).get("bucketName", csi["volumeHandle"]))

"""FSx for Lustre: file systems and their links to S3."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import CfnTag
from aws_cdk import aws_fsx as fsx
from constructs import Construct

from clusterwright.storage.lustre_access import LustreSecurityGroup
from clusterwright.storage.retention import keep_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aws_cdk import aws_ec2 as ec2
    from aws_cdk import aws_kms as kms
    from aws_cdk import aws_s3 as s3

    from clusterwright.config.lustre import LinkConfig, LustreConfig

LUSTRE_VERSION = "2.15"
"""The newest that FSx offers, and the oldest with EFA (FSx for Lustre user guide, "Deployment options")."""

BACKUP_TIME = "04:00"


class LustreFileSystem(Construct):
    """A file system with its security group and its links to S3.

    Attributes:
        file_system_id: Id of the file system.
        dns_name: Name by which clients find it.
        mount_name: What clients mount.
        security_group_id: Security group of its servers; `LustreClients` lets nodes in.
        has_efa: Whether it speaks EFA.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        config: LustreConfig,
        vpc: ec2.IVpc,
        subnet_id: str,
        name: str,
        buckets: Mapping[str, s3.IBucket] | None = None,
        key: kms.IKey | None = None,
        security_group_id: str | None = None,
        more_security_group_ids: Sequence[str] = (),
    ) -> None:
        """Make the file system.

        Args:
            scope: The parent.
            construct_id: The id; a change makes another file system.
            config: Size, throughput, links; legal, as the checks have found.
            vpc: The VPC.
            subnet_id: Subnet in the zone of the nodes.
            name: Its Name tag.
            buckets: The buckets that links name.
            key: KMS key; the key that AWS manages for FSx unless given.
            security_group_id: Security group of its servers; one is made unless given.
            more_security_group_ids: Groups that its servers are in as well.
        """
        super().__init__(scope, construct_id)
        access = None
        if security_group_id is None:
            access = LustreSecurityGroup(self, "Access", vpc=vpc, has_efa=config.efa, name=name)
            security_group_id = access.security_group_id
        self.security_group_id = security_group_id
        self.has_efa = config.efa
        resource = fsx.CfnFileSystem(
            self,
            "FileSystem",
            file_system_type="LUSTRE",
            file_system_type_version=LUSTRE_VERSION,
            storage_type="SSD" if config.type == "ssd" else "INTELLIGENT_TIERING",
            storage_capacity=config.capacity_gib,
            subnet_ids=[subnet_id],
            security_group_ids=[security_group_id, *more_security_group_ids],
            kms_key_id=key.key_arn if key else None,
            lustre_configuration=make_lustre_configuration(config),
            tags=[CfnTag(key="Name", value=name)],
        )
        if access is not None:
            # A file system needs its group as long as it stands; FSx looks at the rules as it makes one.
            for each in (access.group, *access.rules):
                keep_data(each, is_retained=config.retain)
            for rule in access.rules:
                resource.add_resource_dependency(rule)
        keep_data(resource, is_retained=config.retain)
        self.file_system_id = resource.ref
        self.dns_name = resource.attr_dns_name
        self.mount_name = resource.attr_lustre_mount_name
        for link in config.links:
            self._add_link(link, (buckets or {})[link.bucket])

    def _add_link(self, link: LinkConfig, bucket: s3.IBucket) -> None:
        policies = {
            "autoImportPolicy": {"events": [event.upper() for event in link.import_]}
            if link.import_
            else None,
            "autoExportPolicy": {"events": [event.upper() for event in link.export]} if link.export else None,
        }
        fsx.CfnDataRepositoryAssociation(
            self,
            # The directory as it is written, with what no directory has for the slashes that no id may have:
            # paths that look alike are links of their own.
            f"Link{link.path.replace('/', ':')}",
            file_system_id=self.file_system_id,
            file_system_path=link.path,
            data_repository_path=f"s3://{bucket.bucket_name}/{link.prefix}",
            batch_import_meta_data_on_create=link.batch_import,
            s3=policies,
        )


def make_lustre_configuration(config: LustreConfig) -> dict[str, Any]:
    """The ``LustreConfiguration`` of a file system.

    Backups get no copy of its tags: CloudFormation replaces a file system for ``CopyTagsToBackups``, so that
    switching backups on would put an empty one in its place, and one with links may not have it (template
    reference and CreateFileSystemLustreConfiguration; November 2026).
    """
    configuration: dict[str, Any] = {
        "deploymentType": "PERSISTENT_2",
        "efaEnabled": config.efa or None,
        "metadataConfiguration": _make_metadata_configuration(config),
        "dataCompressionType": "LZ4" if config.compression == "lz4" else "NONE",
        "automaticBackupRetentionDays": config.backup_days,
        "dailyAutomaticBackupStartTime": BACKUP_TIME if config.backup_days else None,
        "weeklyMaintenanceStartTime": config.maintenance,
    }
    if config.type == "ssd":
        return configuration | {"perUnitStorageThroughput": config.throughput_mbps_per_tib}
    return configuration | {
        "throughputCapacity": config.throughput_mbps,
        "dataReadCacheConfiguration": _make_read_cache(config.read_cache_gib),
    }


INTELLIGENT_TIERING_METADATA_IOPS = 6000
"""What an Intelligent-Tiering file system gets unless told; it has no automatic mode (FSx API reference)."""


def _make_metadata_configuration(config: LustreConfig) -> dict[str, Any]:
    if config.metadata_iops is not None:
        return {"mode": "USER_PROVISIONED", "iops": config.metadata_iops}
    if config.type == "ssd":
        return {"mode": "AUTOMATIC"}
    return {"mode": "USER_PROVISIONED", "iops": INTELLIGENT_TIERING_METADATA_IOPS}


def _make_read_cache(size_gib: int | None) -> dict[str, Any]:
    if size_gib is None:
        return {"sizingMode": "PROPORTIONAL_TO_THROUGHPUT_CAPACITY"}
    if size_gib == 0:
        return {"sizingMode": "NO_CACHE"}
    return {"sizingMode": "USER_PROVISIONED", "sizeGiB": size_gib}

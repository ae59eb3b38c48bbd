"""FSx for Lustre: file systems, their links to S3, and the security group that clients share with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import CfnTag
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from constructs import Construct

from clusterwright.storage.retention import keep_data

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import CfnResource
    from aws_cdk import aws_kms as kms
    from aws_cdk import aws_s3 as s3

    from clusterwright.config.lustre import LinkConfig, LustreConfig

LUSTRE_VERSION = "2.15"
"""The newest that FSx offers, and the oldest with EFA (FSx for Lustre user guide, "Deployment options")."""

LUSTRE_PORTS = ((988, 988), (1018, 1023))
"""FSx for Lustre user guide, "File system access control with Amazon VPC"."""

BACKUP_TIME = "04:00"


class LustreSecurityGroup(Construct):
    """A security group for Lustre servers and clients alike: its members reach each other.

    Attributes:
        security_group_id: Id of the group.
        rules: What it lets pass.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, vpc: ec2.IVpc, has_efa: bool, name: str = "cluster"
    ) -> None:
        """Make the group.

        Args:
            scope: The parent.
            construct_id: The id.
            vpc: The VPC.
            has_efa: Whether a file system speaks EFA, which needs all traffic to and from the group itself.
            name: What the Name tag begins with.
        """
        super().__init__(scope, construct_id)
        group = ec2.CfnSecurityGroup(
            self,
            "Group",
            group_description=f"{name}: Lustre servers and clients",
            vpc_id=vpc.vpc_id,
            tags=[CfnTag(key="Name", value=f"{name}-lustre")],
        )
        self.security_group_id = group.attr_group_id
        self.rules: list[CfnResource] = (
            self._allow_all() if has_efa else [self._allow_ports(*ports) for ports in LUSTRE_PORTS]
        )

    def _allow_all(self) -> list[CfnResource]:
        ingress = ec2.CfnSecurityGroupIngress(
            self,
            "FromItself",
            group_id=self.security_group_id,
            ip_protocol="-1",
            source_security_group_id=self.security_group_id,
            description="Lustre over TCP and EFA, from servers and clients",
        )
        egress = ec2.CfnSecurityGroupEgress(
            self,
            "ToItself",
            group_id=self.security_group_id,
            ip_protocol="-1",
            destination_security_group_id=self.security_group_id,
            description="Lustre over TCP and EFA, to servers and clients",
        )
        return [ingress, egress]

    def _allow_ports(self, first: int, last: int) -> CfnResource:
        return ec2.CfnSecurityGroupIngress(
            self,
            f"Port{first}",
            group_id=self.security_group_id,
            ip_protocol="tcp",
            from_port=first,
            to_port=last,
            source_security_group_id=self.security_group_id,
            description="Lustre, from servers and clients",
        )


class LustreFileSystem(Construct):
    """A file system with its links to S3.

    Attributes:
        file_system_id: Id of the file system.
        dns_name: Name by which clients find it.
        mount_name: What clients mount.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        config: LustreConfig,
        subnet_id: str,
        security_group_id: str,
        name: str,
        buckets: Mapping[str, s3.IBucket] | None = None,
        key: kms.IKey | None = None,
    ) -> None:
        """Make the file system.

        Args:
            scope: The parent.
            construct_id: The id; a change makes another file system.
            config: Size, throughput, links; legal, as the checks have found.
            subnet_id: Subnet in the zone of the nodes.
            security_group_id: Security group of servers and clients.
            name: Its Name tag.
            buckets: The buckets that links name.
            key: KMS key; the key that AWS manages for FSx unless given.
        """
        super().__init__(scope, construct_id)
        resource = fsx.CfnFileSystem(
            self,
            "FileSystem",
            file_system_type="LUSTRE",
            file_system_type_version=LUSTRE_VERSION,
            storage_type="SSD" if config.type == "ssd" else "INTELLIGENT_TIERING",
            storage_capacity=config.capacity_gib,
            subnet_ids=[subnet_id],
            security_group_ids=[security_group_id],
            kms_key_id=key.key_arn if key else None,
            lustre_configuration=make_lustre_configuration(config),
            tags=[CfnTag(key="Name", value=name)],
        )
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
            # The directory as it is written: paths that look alike are links of their own.
            f"Link{link.path.replace('/', '.')}",
            file_system_id=self.file_system_id,
            file_system_path=link.path,
            data_repository_path=f"s3://{bucket.bucket_name}/{link.prefix}",
            batch_import_meta_data_on_create=link.batch_import,
            s3=policies,
        )


def make_lustre_configuration(config: LustreConfig) -> dict[str, Any]:
    """The ``LustreConfiguration`` of a file system."""
    configuration: dict[str, Any] = {
        "deploymentType": "PERSISTENT_2",
        "efaEnabled": config.efa or None,
        "metadataConfiguration": _make_metadata_configuration(config),
        "dataCompressionType": "LZ4" if config.compression == "lz4" else "NONE",
        "automaticBackupRetentionDays": config.backup_days,
        "copyTagsToBackups": True if config.backup_days else None,
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

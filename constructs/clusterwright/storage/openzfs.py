"""FSx for OpenZFS: home directories over NFS."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from aws_cdk import Aws, CfnTag
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from constructs import Construct

from clusterwright.guardrails import acknowledge_wildcard
from clusterwright.storage.retention import keep_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aws_cdk import aws_kms as kms

    from clusterwright.config.openzfs import OpenZfsConfig

NFS_PORTS = ((111, 111), (2049, 2049), (20001, 20003))
"""FSx for OpenZFS user guide, "File system access control with Amazon VPC"; TCP and UDP alike."""

HOME_VOLUME = "home"

HOME_EXPORT = f"/fsx/{HOME_VOLUME}"
"""What clients mount: the volume of the homes, under the root volume, which FSx always calls ``/fsx``."""

SNAPSHOT_SCHEDULES = {"daily": "cron(0 3 * * ? *)", "weekly": "cron(0 3 ? * SUN *)"}

BACKUP_TIME = "04:00"

DELETE_SNAPSHOTS = ("DELETE_CHILD_VOLUMES_AND_SNAPSHOTS",)
"""Without this FSx refuses to delete a file system with volumes, and a volume with snapshots."""


class HomeSecurityGroup(Construct):
    """The security group of the NFS server, which lets its clients in.

    Attributes:
        security_group_id: Id of the group.
        group: The group.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        vpc: ec2.IVpc,
        clients_security_group_id: str,
        name: str = "home",
    ) -> None:
        super().__init__(scope, construct_id)
        self.group = ec2.CfnSecurityGroup(
            self,
            "Group",
            # Never changes: CloudFormation replaces groups for it, and file systems for their groups.
            group_description="NFS server of the homes",
            vpc_id=vpc.vpc_id,
            security_group_ingress=[
                {
                    "ipProtocol": protocol,
                    "fromPort": first,
                    "toPort": last,
                    "sourceSecurityGroupId": clients_security_group_id,
                    "description": "NFS, from the clients",
                }
                for protocol in ("tcp", "udp")
                for first, last in NFS_PORTS
            ],
            tags=[CfnTag(key="Name", value=name)],
        )
        self.security_group_id = self.group.attr_group_id


class HomeFileSystem(Construct):
    """A file system for home directories.

    The homes are on a volume of their own: CloudFormation replaces a file system whose root volume gets a new
    quota, and changes a volume in place.

    Attributes:
        file_system_id: Id of the file system.
        dns_name: Name by which clients find it.
        export: Path that clients mount.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        config: OpenZfsConfig,
        deployment: str,
        vpc: ec2.IVpc,
        subnet_ids: Sequence[str],
        clients_security_group_id: str,
        name: str,
        key: kms.IKey | None = None,
    ) -> None:
        """Make the file system.

        Args:
            scope: The parent.
            construct_id: The id; a change makes another file system.
            config: Size, throughput, quotas, snapshots.
            deployment: Deployment type in our words, such as ``single-az-ha-2``.
            vpc: The VPC.
            subnet_ids: One subnet, or two for ``multi-az-1``, the preferred first.
            clients_security_group_id: The group that is let in.
            name: Its Name tag.
            key: KMS key; the key that AWS manages for FSx unless given.
        """
        super().__init__(scope, construct_id)
        access = HomeSecurityGroup(
            self, "Access", vpc=vpc, clients_security_group_id=clients_security_group_id, name=name
        )
        keep_data(access.group, is_retained=config.retain)
        resource = fsx.CfnFileSystem(
            self,
            "FileSystem",
            file_system_type="OPENZFS",
            storage_type="SSD",
            storage_capacity=config.capacity_gib,
            subnet_ids=list(subnet_ids),
            security_group_ids=[access.security_group_id],
            kms_key_id=key.key_arn if key else None,
            open_zfs_configuration=make_openzfs_configuration(config, deployment, subnet_ids),
            tags=[CfnTag(key="Name", value=name)],
        )
        keep_data(resource, is_retained=config.retain)
        self.file_system_id = resource.ref
        self.dns_name = resource.attr_dns_name
        self.export = HOME_EXPORT
        volume = fsx.CfnVolume(
            self,
            "Volume",
            name=HOME_VOLUME,
            volume_type="OPENZFS",
            open_zfs_configuration=make_volume_configuration(config, resource.attr_root_volume_id),
            tags=[CfnTag(key="Name", value=name)],
        )
        keep_data(volume, is_retained=config.retain)
        if config.snapshots != "none":
            self._schedule_snapshots(volume.attr_volume_id, SNAPSHOT_SCHEDULES[config.snapshots])

    def _schedule_snapshots(self, volume_id: str, expression: str) -> None:
        role = iam.Role(self, "SnapshotRole", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com"))
        role.add_to_policy(
            iam.PolicyStatement(actions=["fsx:CreateSnapshot", "fsx:TagResource"], resources=["*"])
        )
        acknowledge_wildcard(
            role, "*", "FSx gives a snapshot its ARN as it is made, so no narrower resource can be named"
        )
        scheduler.CfnSchedule(
            self,
            "SnapshotSchedule",
            flexible_time_window={"mode": "FLEXIBLE", "maximumWindowInMinutes": 30},
            schedule_expression=expression,
            schedule_expression_timezone="UTC",
            target={
                "arn": f"arn:{Aws.PARTITION}:scheduler:::aws-sdk:fsx:createSnapshot",
                "roleArn": role.role_arn,
                "input": json.dumps({"Name": "<aws.scheduler.scheduled-time>", "VolumeId": volume_id}),
            },
        )


def make_openzfs_configuration(
    config: OpenZfsConfig, deployment: str, subnet_ids: Sequence[str]
) -> dict[str, Any]:
    """The ``OpenZFSConfiguration`` of a file system."""
    iops = {"mode": "USER_PROVISIONED", "iops": config.iops} if config.iops else {"mode": "AUTOMATIC"}
    return {
        "deploymentType": deployment.upper().replace("-", "_"),
        "throughputCapacity": config.throughput_mbps,
        "preferredSubnetId": subnet_ids[0] if len(subnet_ids) > 1 else None,
        "diskIopsConfiguration": iops,
        "automaticBackupRetentionDays": config.backup_days,
        "copyTagsToBackups": True if config.backup_days else None,
        "dailyAutomaticBackupStartTime": BACKUP_TIME if config.backup_days else None,
        "weeklyMaintenanceStartTime": config.maintenance,
        "options": None if config.retain else list(DELETE_SNAPSHOTS),
    }


def make_volume_configuration(config: OpenZfsConfig, parent_volume_id: str) -> dict[str, Any]:
    """The ``OpenZFSConfiguration`` of the volume of the homes.

    Root is not squashed: somebody must be able to make a home and give it to its user.
    """
    quotas = [
        {
            "type": "USER" if quota.user is not None else "GROUP",
            "id": quota.user if quota.user is not None else quota.group,
            "storageCapacityQuotaGiB": quota.gib,
        }
        for quota in config.quotas
    ]
    clients = [{"clients": "*", "options": ["rw", "crossmnt", "no_root_squash"]}]
    return {
        "parentVolumeId": parent_volume_id,
        "dataCompressionType": config.compression.upper(),
        "nfsExports": [{"clientConfigurations": clients}],
        "userAndGroupQuotas": quotas or None,
        "options": None if config.retain else list(DELETE_SNAPSHOTS),
    }

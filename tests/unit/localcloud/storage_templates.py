"""Small templates of storage, for tests of the embedded AWS."""

from __future__ import annotations

from typing import Any

from small_templates import att, network, ref, resource

TEAM = [{"Key": "team", "Value": "research"}]


def lustre_group() -> dict[str, Any]:
    """A network with a security group whose members reach each other in every way."""
    return {
        **network(),
        "Group": resource("EC2::SecurityGroup", GroupDescription="lustre", VpcId=ref("Vpc")),
        "In": resource(
            "EC2::SecurityGroupIngress",
            GroupId=att("Group", "GroupId"),
            IpProtocol="-1",
            SourceSecurityGroupId=att("Group", "GroupId"),
        ),
        "Out": resource(
            "EC2::SecurityGroupEgress",
            GroupId=att("Group", "GroupId"),
            IpProtocol="-1",
            DestinationSecurityGroupId=att("Group", "GroupId"),
        ),
    }


def lustre(capacity: int | None = 19_200, **config: Any) -> dict[str, Any]:
    """A network with a Lustre file system over EFA; None takes a setting away."""
    settings = {
        "DeploymentType": "PERSISTENT_2",
        "PerUnitStorageThroughput": 1000,
        "EfaEnabled": True,
        "MetadataConfiguration": {"Mode": "AUTOMATIC"},
        "DataCompressionType": "LZ4",
        **config,
    }
    system = resource(
        "FSx::FileSystem",
        FileSystemType="LUSTRE",
        FileSystemTypeVersion="2.15",
        StorageType="SSD",
        SubnetIds=[ref("First")],
        SecurityGroupIds=[att("Group", "GroupId")],
        LustreConfiguration={key: value for key, value in settings.items() if value is not None},
        Tags=TEAM,
        depends_on=["In", "Out"],
    )
    if capacity is not None:
        system["Properties"]["StorageCapacity"] = capacity
    return {**lustre_group(), "Scratch": system}


def homes(capacity: int = 1024, **config: Any) -> dict[str, Any]:
    """A network with an OpenZFS file system and a volume in it."""
    settings = {
        "DeploymentType": "SINGLE_AZ_HA_2",
        "ThroughputCapacity": 1280,
        "Options": ["DELETE_CHILD_VOLUMES_AND_SNAPSHOTS"],
        **config,
    }
    quotas = [{"Type": "USER", "Id": 1000, "StorageCapacityQuotaGiB": 100}]
    volume = {"ParentVolumeId": att("Home", "RootVolumeId"), "UserAndGroupQuotas": quotas}
    return {
        **network(),
        "Home": resource(
            "FSx::FileSystem",
            FileSystemType="OPENZFS",
            StorageCapacity=capacity,
            SubnetIds=[ref("First")],
            OpenZFSConfiguration=settings,
        ),
        "Users": resource("FSx::Volume", Name="users", VolumeType="OPENZFS", OpenZFSConfiguration=volume),
    }


def linked(path: str = "/datasets", **properties: Any) -> dict[str, Any]:
    """A Lustre file system that shows a bucket."""
    return {
        **lustre(),
        "Datasets": resource("S3::Bucket", BucketName="datasets"),
        "Link": resource(
            "FSx::DataRepositoryAssociation",
            **{
                "FileSystemId": ref("Scratch"),
                "FileSystemPath": path,
                "DataRepositoryPath": {"Fn::Sub": "s3://${Datasets}/"},
                "S3": {"AutoImportPolicy": {"Events": ["NEW"]}},
                **properties,
            },
        ),
    }

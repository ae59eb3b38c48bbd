"""File systems and their links to S3, through a stack: made, read back, changed in place, kept, refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from small_templates import att, network, ref, resource

if TYPE_CHECKING:
    from small_templates import Deployer

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
    """A network with an OpenZFS file system."""
    settings = {
        "DeploymentType": "SINGLE_AZ_HA_2",
        "ThroughputCapacity": 1280,
        "RootVolumeConfiguration": {
            "DataCompressionType": "LZ4",
            "UserAndGroupQuotas": [{"Type": "USER", "Id": 1000, "StorageCapacityQuotaGiB": 100}],
        },
        **config,
    }
    return {
        **network(),
        "Home": resource(
            "FSx::FileSystem",
            FileSystemType="OPENZFS",
            StorageCapacity=capacity,
            SubnetIds=[ref("First")],
            OpenZFSConfiguration=settings,
        ),
    }


def linked(path: str = "/datasets", **properties: Any) -> dict[str, Any]:
    """A Lustre file system that shows a bucket."""
    return {
        **lustre(),
        "Datasets": resource("S3::Bucket", BucketName="datasets"),
        "Link": resource(
            "FSx::DataRepositoryAssociation",
            FileSystemId=ref("Scratch"),
            FileSystemPath=path,
            DataRepositoryPath={"Fn::Sub": "s3://${Datasets}/"},
            **{"S3": {"AutoImportPolicy": {"Events": ["NEW"]}}, **properties},
        ),
    }


def described(deployer: Deployer, name: str) -> dict[str, Any]:
    """A file system as FSx tells it, by its logical id."""
    fsx = deployer.cloud.client("fsx")
    found: dict[str, Any] = fsx.describe_file_systems(FileSystemIds=[deployer.ids()[name]])["FileSystems"][0]
    return found


def created(deployer: Deployer, resources: dict[str, Any], **sections: Any) -> None:
    """Deploy; fails the test where that fails."""
    assert deployer.create(resources, **sections)["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()


def refused(deployer: Deployer, resources: dict[str, Any]) -> str:
    """Why a stack was rolled back; fails the test where it was not."""
    assert deployer.create(resources)["StackStatus"] == "ROLLBACK_COMPLETE"
    return deployer.reasons()


def test_a_lustre_file_system_is_there_with_all_that_mounts_need(deployer: Deployer) -> None:
    outputs = {
        "Mount": {"Value": att("Scratch", "LustreMountName")},
        "Name": {"Value": att("Scratch", "DNSName")},
    }
    created(deployer, lustre(), Outputs=outputs)
    found = described(deployer, "Scratch")
    assert (found["Lifecycle"], found["StorageCapacity"]) == ("AVAILABLE", 19_200)
    assert found["LustreConfiguration"]["EfaEnabled"] is True
    assert found["LustreConfiguration"]["MetadataConfiguration"] == {"Mode": "AUTOMATIC", "Iops": 12_000}
    assert found["Tags"] == TEAM
    mount, name = found["LustreConfiguration"]["MountName"], found["DNSName"]
    assert deployer.outputs() == {"Mount": mount, "Name": name}
    interfaces = deployer.cloud.client("ec2").describe_network_interfaces(
        NetworkInterfaceIds=found["NetworkInterfaceIds"]
    )["NetworkInterfaces"]
    assert [row["SubnetId"] for row in interfaces] == [deployer.ids()["First"]]
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    assert deployer.cloud.client("fsx").describe_file_systems()["FileSystems"] == []


def test_a_lustre_file_system_grows_in_place(deployer: Deployer) -> None:
    created(deployer, lustre())
    before = deployer.ids()["Scratch"]
    larger = lustre(38_400, DataCompressionType="NONE")
    larger["Scratch"]["Properties"]["Tags"] = [{"Key": "team", "Value": "platform"}]
    assert deployer.update(larger)["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    found = described(deployer, "Scratch")
    assert (found["FileSystemId"], found["StorageCapacity"]) == (before, 38_400)
    assert found["LustreConfiguration"]["DataCompressionType"] == "NONE"
    assert found["Tags"] == [{"Key": "team", "Value": "platform"}]
    assert deployer.update(lustre(19_200))["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert "StorageCapacity cannot shrink from 38400 to 19200 GiB" in deployer.reasons()

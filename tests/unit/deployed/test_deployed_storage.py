"""What stays of a cluster's storage, asked of the embedded AWS with the real clients."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from clusterwright.config.loading import parse_cluster
from clusterwright.deployed import DeployedCluster
from clusterwright.labels import CLUSTER_TAG
from clusterwright.localcloud import LocalCloud

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = """
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: eks}
pools:
  system: {instance_type: m7i.2xlarge, count: 3}
"""
NETWORK: dict[str, Any] = {
    "Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/16"}},
    "Subnet": {
        "Type": "AWS::EC2::Subnet",
        "Properties": {
            "VpcId": {"Ref": "Vpc"},
            "CidrBlock": "10.0.0.0/24",
            "AvailabilityZone": "us-east-2c",
        },
    },
}
TAGS = [{"Key": CLUSTER_TAG, "Value": "atlas"}]
OUTPUTS = {name: {"Value": {"Ref": name}} for name in NETWORK}


def read(stack: str, output: str) -> dict[str, Any]:
    return {"Fn::GetStackOutput": {"StackName": f"atlas-{stack}", "OutputName": output}}


def storage(policy: str) -> dict[str, Any]:
    """A file system, its group, and a key; they stay as the policy says."""
    resources: dict[str, Any] = {
        "Group": {
            "Type": "AWS::EC2::SecurityGroup",
            "Properties": {
                "GroupDescription": "Lustre",
                "Tags": TAGS,
                "VpcId": read("network", "Vpc"),
                "SecurityGroupIngress": [{"IpProtocol": "-1", "CidrIp": "10.0.0.0/16"}],
            },
        },
        "Scratch": {
            "Type": "AWS::FSx::FileSystem",
            "Properties": {
                "FileSystemType": "LUSTRE",
                "Tags": TAGS,
                "StorageCapacity": 1200,
                "SubnetIds": [read("network", "Subnet")],
                "SecurityGroupIds": [{"Fn::GetAtt": ["Group", "GroupId"]}],
                "LustreConfiguration": {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125},
            },
        },
        "Key": {
            "Type": "AWS::KMS::Key",
            "Properties": {"KeyPolicy": {"Version": "2012-10-17", "Statement": []}},
        },
        "Logs": {"Type": "AWS::Logs::LogGroup", "Properties": {}},
    }
    return {name: {**each, "DeletionPolicy": policy} for name, each in resources.items()}


@pytest.fixture
def cloud() -> Iterator[LocalCloud]:
    with LocalCloud(region="us-east-2") as running:
        make_stack(running, "network", NETWORK, OUTPUTS)
        yield running


@pytest.fixture
def deployed(cloud: LocalCloud) -> DeployedCluster:
    cluster = parse_cluster(TEXT).cluster
    assert cluster is not None
    return DeployedCluster(cluster, cloud.client)


def make_stack(
    cloud: LocalCloud, part: str, resources: dict[str, Any], outputs: dict[str, Any] | None = None
) -> None:
    client, name = cloud.client("cloudformation"), f"atlas-{part}"
    body = json.dumps({"Resources": resources, "Outputs": outputs or {}})
    client.create_stack(StackName=name, TemplateBody=body, Tags=TAGS)
    (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    assert stack["StackStatus"] == "CREATE_COMPLETE", client.describe_stack_events(StackName=name)


def test_a_file_system_that_stays_keeps_its_stacks_whatever_the_file_says(
    cloud: LocalCloud, deployed: DeployedCluster
) -> None:
    assert deployed.storage.find_lasting_stacks() == ()
    make_stack(cloud, "storage", storage("RetainExceptOnCreate"))
    assert deployed.storage.find_lasting_stacks() == ("atlas-network", "atlas-storage")
    left = {name: storage("Delete")[name] for name in ("Key", "Logs")}
    cloud.client("cloudformation").update_stack(
        StackName="atlas-storage", TemplateBody=json.dumps({"Resources": left})
    )
    assert deployed.storage.find_lasting_stacks() == ("atlas-network", "atlas-storage")


def test_a_file_system_that_goes_with_its_stack_keeps_none(
    cloud: LocalCloud, deployed: DeployedCluster
) -> None:
    make_stack(cloud, "storage", storage("Delete"))
    assert deployed.storage.find_lasting_stacks() == ()
    assert deployed.storage.find_kept() == ()


def test_what_stays_is_told_with_the_arn_of_the_key(cloud: LocalCloud, deployed: DeployedCluster) -> None:
    make_stack(cloud, "storage", storage("Retain"))
    key, system = sorted(map(str, deployed.storage.find_kept()))
    assert system.startswith("file system fs-")
    assert key.startswith("KMS key arn:aws:kms:us-east-2:123456789012:key/")


def test_groups_that_no_stack_has_go_once_nothing_uses_them(
    cloud: LocalCloud, deployed: DeployedCluster
) -> None:
    make_stack(cloud, "storage", storage("Retain"))

    def groups() -> list[str]:
        own = [{"Name": f"tag:{CLUSTER_TAG}", "Values": ["atlas"]}]
        return [
            row["GroupId"]
            for row in cloud.client("ec2").describe_security_groups(Filters=own)["SecurityGroups"]
        ]

    deployed.storage.delete_loose_groups()
    assert len(groups()) == 1
    cloud.client("cloudformation").delete_stack(StackName="atlas-storage")
    deployed.storage.delete_loose_groups()
    assert len(groups()) == 1, "a file system is in it"
    fsx = cloud.client("fsx")
    (system,) = fsx.describe_file_systems()["FileSystems"]
    fsx.delete_file_system(FileSystemId=system["FileSystemId"])
    deployed.storage.delete_loose_groups()
    assert groups() == []


def test_the_users_of_storage_are_those_that_read_it(cloud: LocalCloud, deployed: DeployedCluster) -> None:
    make_stack(cloud, "storage", storage("Delete"), {"Scratch": {"Value": {"Ref": "Scratch"}}})
    logs: dict[str, Any] = {"Type": "AWS::Logs::LogGroup"}
    make_stack(cloud, "cluster", {"Logs": logs})
    reading = {"LogGroupName": {"Fn::Join": ["-", ["a", read("storage", "Scratch")]]}}
    make_stack(cloud, "platform", {"Logs": {**logs, "Properties": reading}})
    assert deployed.find_users("atlas-storage") == ("atlas-platform",)
    assert deployed.find_users("atlas-network") == ("atlas-cluster", "atlas-platform", "atlas-storage")
    assert deployed.find_users("atlas-cluster") == ()


def test_buckets_are_found_with_their_keys(cloud: LocalCloud, deployed: DeployedCluster) -> None:
    s3, key = cloud.client("s3"), f"arn:aws:kms:us-east-2:123456789012:key/{'1' * 8}"
    place: Any = {"LocationConstraint": "us-east-2"}
    for name in ("plain", "sealed"):
        s3.create_bucket(Bucket=f"atlas--{name}", CreateBucketConfiguration=place)
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}}
    s3.put_bucket_encryption(Bucket="atlas--sealed", ServerSideEncryptionConfiguration={"Rules": [rule]})
    found = deployed.storage.find_buckets(["atlas--plain", "atlas--sealed", "atlas--hot--use2-az1--x-s3"])
    assert found == {"atlas--plain": None, "atlas--sealed": key}

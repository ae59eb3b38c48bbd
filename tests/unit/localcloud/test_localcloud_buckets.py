"""Buckets: every setting is read back, changes in place, and data stays where a policy says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from small_templates import att, ref, resource

from clusterwright.localcloud.cloudformation.deployment import KEEPING
from clusterwright.localcloud.inventory import account_contents
from clusterwright.localcloud.storage_inventory import kept_ids

if TYPE_CHECKING:
    from small_templates import Deployer

HOT = "hot--use2-az1--x-s3"
TEAM = [{"Key": "team", "Value": "research"}]


def bucket(**settings: Any) -> dict[str, Any]:
    """A bucket and one for its access logs."""
    return {
        "Logs": resource("S3::Bucket", BucketName="logs"),
        "Data": resource("S3::Bucket", BucketName="data", **settings),
    }


ALL_SETTINGS: dict[str, Any] = {
    "BucketEncryption": {
        "ServerSideEncryptionConfiguration": [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
    },
    "LifecycleConfiguration": {
        "Rules": [
            {
                "Id": "classes",
                "Status": "Enabled",
                "Transitions": [{"StorageClass": "GLACIER_IR", "TransitionInDays": 30}],
            },
            {
                "Id": "versions",
                "Status": "Enabled",
                "ExpiredObjectDeleteMarker": True,
                "NoncurrentVersionExpiration": {"NoncurrentDays": 7},
            },
            {
                "Id": "parts",
                "Status": "Enabled",
                "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7},
            },
        ]
    },
    "LoggingConfiguration": {"DestinationBucketName": ref("Logs"), "LogFilePrefix": "data/"},
    "OwnershipControls": {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]},
    "PublicAccessBlockConfiguration": {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    },
    "Tags": TEAM,
    "VersioningConfiguration": {"Status": "Enabled"},
}


def told(deployer: Deployer) -> dict[str, Any]:
    """What S3 tells of the bucket ``data``; None for what it does not have."""
    s3 = deployer.cloud.client("s3")

    def ask(operation: str, key: str) -> Any:
        try:
            return getattr(s3, operation)(Bucket="data").get(key)
        except s3.exceptions.ClientError:
            return None

    return {
        "encryption": ask("get_bucket_encryption", "ServerSideEncryptionConfiguration"),
        "rules": ask("get_bucket_lifecycle_configuration", "Rules"),
        "logging": ask("get_bucket_logging", "LoggingEnabled"),
        "ownership": ask("get_bucket_ownership_controls", "OwnershipControls"),
        "public": ask("get_public_access_block", "PublicAccessBlockConfiguration"),
        "tags": ask("get_bucket_tagging", "TagSet"),
        "versioning": ask("get_bucket_versioning", "Status"),
    }


def test_every_setting_of_a_bucket_is_read_back_and_taken_away(deployer: Deployer) -> None:
    stack = deployer.create(bucket(**ALL_SETTINGS))
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    found = told(deployer)
    rule = found["encryption"]["Rules"][0]["ApplyServerSideEncryptionByDefault"]
    assert rule == {"SSEAlgorithm": "AES256"}
    rules = {item["ID"]: item for item in found["rules"]}
    assert rules["classes"]["Transitions"] == [{"Days": 30, "StorageClass": "GLACIER_IR"}]
    assert rules["versions"]["Expiration"] == {"ExpiredObjectDeleteMarker": True}
    assert rules["versions"]["NoncurrentVersionExpiration"] == {"NoncurrentDays": 7}
    assert rules["parts"]["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 7}
    assert found["logging"] == {"TargetBucket": "logs", "TargetPrefix": "data/"}
    assert found["ownership"] == ALL_SETTINGS["OwnershipControls"]
    assert found["public"] == ALL_SETTINGS["PublicAccessBlockConfiguration"]
    assert (found["tags"], found["versioning"]) == (TEAM, "Enabled")
    assert deployer.update(bucket())["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    without = {name: value for name, value in told(deployer).items() if value is not None}
    assert without == {"versioning": "Suspended"}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (
            {"AccelerateConfiguration": {"AccelerationStatus": "Enabled"}},
            "does not keep AccelerateConfiguration",
        ),
        (
            {"LifecycleConfiguration": {"Rules": [{"Status": "Enabled", "ObjectSizeGreaterThan": "1"}]}},
            "does not keep ObjectSizeGreaterThan of a lifecycle rule",
        ),
        (
            {
                "LifecycleConfiguration": {
                    "Rules": [
                        {
                            "Status": "Enabled",
                            "Transitions": [{"StorageClass": "STANDARD_IA", "TransitionInDays": 30}],
                            "ExpirationInDays": 30,
                        }
                    ]
                }
            },
            "must be more than those of the transition to STANDARD_IA",
        ),
        ({"LoggingConfiguration": {"DestinationBucketName": "nowhere"}}, "target bucket for logging"),
    ],
)
def test_settings_that_are_not_kept_are_refused(
    deployer: Deployer, settings: dict[str, Any], reason: str
) -> None:
    assert deployer.create(bucket(**settings))["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


def directory_bucket(name: str = HOT, zone: str = "use2-az1", **settings: Any) -> dict[str, Any]:
    """A directory bucket."""
    return {
        "Hot": resource(
            "S3Express::DirectoryBucket",
            BucketName=name,
            LocationName=zone,
            DataRedundancy="SingleAvailabilityZone",
            **settings,
        )
    }


def test_a_directory_bucket_is_there_and_is_no_ordinary_bucket(deployer: Deployer) -> None:
    rules = {"Rules": [{"Id": "expire", "Status": "Enabled", "ExpirationInDays": 14}]}
    outputs = {"Zone": {"Value": att("Hot", "AvailabilityZoneName")}, "Arn": {"Value": att("Hot", "Arn")}}
    stack = deployer.create(directory_bucket(LifecycleConfiguration=rules), Outputs=outputs)
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    s3 = deployer.cloud.client("s3")
    assert [row["Name"] for row in s3.list_directory_buckets()["Buckets"]] == [HOT]
    assert s3.list_buckets()["Buckets"] == []
    assert deployer.outputs() == {
        "Zone": "us-east-2a",
        "Arn": f"arn:aws:s3express:us-east-2:123456789012:bucket/{HOT}",
    }
    found = s3.get_bucket_lifecycle_configuration(Bucket=HOT)["Rules"][0]
    assert found["Expiration"] == {"Days": 14}
    s3.put_object(Bucket=HOT, Key="checkpoint/1", Body=b"weights")
    assert s3.get_object(Bucket=HOT, Key="checkpoint/1")["Body"].read() == b"weights"
    s3.delete_object(Bucket=HOT, Key="checkpoint/1")
    assert deployer.update(directory_bucket(Tags=TEAM))["StackStatus"] == "UPDATE_COMPLETE"
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    assert s3.list_directory_buckets()["Buckets"] == []


def encrypted(key: str | None) -> dict[str, Any]:
    """A directory bucket with a KMS key, or with S3's own."""
    choice = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key} if key else {"SSEAlgorithm": "AES256"}
    rules = [{"ServerSideEncryptionByDefault": choice}]
    return directory_bucket(BucketEncryption={"ServerSideEncryptionConfiguration": rules})


def test_a_directory_bucket_has_one_key_in_its_life(deployer: Deployer) -> None:
    deployer.create(encrypted(None))
    assert deployer.update(encrypted("key-1"))["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    rule = deployer.cloud.client("s3").get_bucket_encryption(Bucket=HOT)
    (found,) = rule["ServerSideEncryptionConfiguration"]["Rules"]
    assert found["ApplyServerSideEncryptionByDefault"]["KMSMasterKeyID"] == "key-1"
    assert deployer.update(encrypted(None))["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert deployer.update(encrypted("key-2"))["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert f"{HOT} has the KMS key key-1, and can have no other" in deployer.reasons()
    assert deployer.update(encrypted("key-1"))["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        (directory_bucket(zone="use2-az2"), f"{HOT} names the zone use2-az1, but its location is use2-az2"),
        (directory_bucket("hot--usw2-az1--x-s3", "usw2-az1"), "There is no zone usw2-az1 in this region"),
    ],
)
def test_directory_buckets_that_s3_refuses(
    deployer: Deployer, resources: dict[str, Any], reason: str
) -> None:
    assert deployer.create(resources)["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


def kept(name: str, **policies: str) -> dict[str, Any]:
    """A bucket with policies."""
    return {"Data": {**resource("S3::Bucket", BucketName=name), **policies}}


def test_kept_data_stays_and_is_told_apart_from_what_was_forgotten(deployer: Deployer) -> None:
    key = {
        **resource("KMS::Key", KeyPolicy={"Version": "2012-10-17", "Statement": []}),
        "DeletionPolicy": "Retain",
    }
    before = account_contents(deployer.cloud)
    deployer.create({**kept("data", DeletionPolicy="Retain"), "Key": key})
    ids = deployer.ids()
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    left = account_contents(deployer.cloud) - before
    assert left == {"bucket data", f"key {ids['Key']}"}
    assert kept_ids(deployer.cloud) == {"data", ids["Key"]}


@pytest.mark.parametrize(("policy", "left"), [("Retain", ["first", "second"]), ("Delete", ["second"])])
def test_a_replaced_bucket_stays_where_the_policy_says_so(
    deployer: Deployer, policy: str, left: list[str]
) -> None:
    deployer.create(kept("first", UpdateReplacePolicy=policy))
    assert deployer.update(kept("second", UpdateReplacePolicy=policy))["StackStatus"] == "UPDATE_COMPLETE"
    names = [row["Name"] for row in deployer.cloud.client("s3").list_buckets()["Buckets"]]
    assert names == left


@pytest.mark.parametrize("policy", KEEPING)
def test_a_resource_that_the_template_drops_stays(deployer: Deployer, policy: str) -> None:
    rest = {"Other": resource("S3::Bucket", BucketName="other")}
    deployer.create({**kept("data", DeletionPolicy=policy), **rest})
    assert deployer.update(rest)["StackStatus"] == "UPDATE_COMPLETE"
    names = [row["Name"] for row in deployer.cloud.client("s3").list_buckets()["Buckets"]]
    assert names == ["data", "other"]


@pytest.mark.parametrize(("policy", "left"), [("Retain", ["data"]), ("RetainExceptOnCreate", [])])
def test_what_a_failed_creation_leaves_behind(deployer: Deployer, policy: str, left: list[str]) -> None:
    refused = resource("S3::BucketPolicy", Bucket="nowhere", PolicyDocument={}, depends_on="Data")
    stack = deployer.create({**kept("data", DeletionPolicy=policy), "Policy": refused})
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    names = [row["Name"] for row in deployer.cloud.client("s3").list_buckets()["Buckets"]]
    assert names == left

"""Functions, layers, schedules and custom resources, through a stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from function_templates import CODE, function, put_code
from small_templates import att, network, ref, resource, role

from clusterwright.localcloud.inventory import account_contents

if TYPE_CHECKING:
    from small_templates import Deployer

TEAM = [{"Key": "team", "Value": "research"}]


@pytest.fixture(autouse=True)
def code(deployer: Deployer) -> None:
    """An archive of code in S3."""
    put_code(deployer.cloud)


def functions(**properties: Any) -> dict[str, Any]:
    """A function with a layer, in a network, that S3 may call."""
    return {
        **network(),
        "Group": resource("EC2::SecurityGroup", GroupDescription="function", VpcId=ref("Vpc")),
        "Layer": resource("Lambda::LayerVersion", Content=CODE, Description="kubectl"),
        **function(
            **{
                "Layers": [ref("Layer")],
                "MemorySize": 1024,
                "VpcConfig": {"SubnetIds": [ref("First")], "SecurityGroupIds": [att("Group", "GroupId")]},
                "Tags": TEAM,
                **properties,
            }
        ),
        "Permission": resource(
            "Lambda::Permission",
            FunctionName=ref("Function"),
            Action="lambda:InvokeFunction",
            Principal="s3.amazonaws.com",
        ),
    }


def test_a_function_is_there_changes_in_place_and_goes(deployer: Deployer) -> None:
    before = account_contents(deployer.cloud)
    assert deployer.create(functions())["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    client, ids = deployer.cloud.client("lambda"), deployer.ids()
    found = client.get_function(FunctionName=ids["Function"])
    configuration = found["Configuration"]
    assert configuration["MemorySize"] == 1024
    assert configuration["Layers"][0]["Arn"] == ids["Layer"]
    assert configuration["VpcConfig"]["SubnetIds"] == [ids["First"]]
    assert found["Tags"] == {"team": "research"}
    assert "s3.amazonaws.com" in client.get_policy(FunctionName=ids["Function"])["Policy"]
    changed = functions(MemorySize=512, Tags=[{"Key": "team", "Value": "platform"}])
    assert deployer.update(changed)["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert deployer.ids() == ids
    found = client.get_function(FunctionName=ids["Function"])
    assert (found["Configuration"]["MemorySize"], found["Tags"]) == (512, {"team": "platform"})
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE", deployer.reasons()
    assert account_contents(deployer.cloud) - before == frozenset()


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({"Role": "arn:aws:iam::123456789012:role/nobody"}, "role/nobody does not exist"),
        ({"Layers": ["arn:aws:lambda:us-east-2:123456789012:layer:none:1"]}, "ResourceNotFoundException"),
        ({"Code": {"S3Bucket": "code", "S3Key": "none.zip"}}, "there is no s3://code/none.zip"),
        ({"Code": {"ZipFile": "print()"}}, "from S3 only"),
        ({"KmsKeyArn": "arn:aws:kms:us-east-2:123456789012:key/1"}, "does not keep KmsKeyArn of a function"),
        ({"VpcConfig": {"SubnetIds": ["subnet-00000000000000000"]}}, "subnet-00000000000000000"),
    ],
)
def test_functions_that_are_refused(deployer: Deployer, properties: dict[str, Any], reason: str) -> None:
    assert deployer.create(function(**properties))["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


def schedule(**properties: Any) -> dict[str, Any]:
    """A schedule that takes snapshots."""
    target = {
        "Arn": "arn:aws:scheduler:::aws-sdk:fsx:createSnapshot",
        "RoleArn": att("Role", "Arn"),
        "Input": "{}",
        **properties.pop("Target", {}),
    }
    return {
        "Role": role("scheduler"),
        "Schedule": resource(
            "Scheduler::Schedule",
            **{
                "FlexibleTimeWindow": {"Mode": "OFF"},
                "ScheduleExpression": "cron(0 3 * * ? *)",
                "Target": target,
                **properties,
            },
        ),
    }


def test_a_schedule_is_there_changes_in_place_and_goes(deployer: Deployer) -> None:
    assert deployer.create(schedule())["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    scheduler, name = deployer.cloud.client("scheduler"), deployer.ids()["Schedule"]
    assert scheduler.get_schedule(Name=name)["ScheduleExpression"] == "cron(0 3 * * ? *)"
    weekly = "cron(0 3 ? * SUN *)"
    assert deployer.update(schedule(ScheduleExpression=weekly))["StackStatus"] == "UPDATE_COMPLETE"
    assert scheduler.get_schedule(Name=name)["ScheduleExpression"] == weekly
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    assert scheduler.list_schedules()["Schedules"] == []


def test_a_schedule_needs_its_role(deployer: Deployer) -> None:
    wrong = schedule(Target={"RoleArn": "arn:aws:iam::123456789012:role/nobody"})
    assert deployer.create(wrong)["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "role/nobody does not exist" in deployer.reasons()


def emptied(*, is_tagged: bool = True, **properties: Any) -> dict[str, Any]:
    """A bucket that the CDK's function empties."""
    tags = {"Tags": [{"Key": "aws-cdk:auto-delete-objects", "Value": "true"}]} if is_tagged else {}
    custom = {
        "Type": "Custom::S3AutoDeleteObjects",
        "Properties": {"ServiceToken": att("Function", "Arn"), "BucketName": ref("Data"), **properties},
    }
    versions = {"VersioningConfiguration": {"Status": "Enabled"}}
    return {
        **function(),
        "Data": resource("S3::Bucket", BucketName="data", **versions, **tags),
        "Emptying": custom,
    }


@pytest.mark.parametrize(("is_tagged", "status"), [(True, "DELETE_COMPLETE"), (False, "DELETE_FAILED")])
def test_a_bucket_is_emptied_before_it_goes(deployer: Deployer, is_tagged: bool, status: str) -> None:
    assert deployer.create(emptied(is_tagged=is_tagged))["StackStatus"] == "CREATE_COMPLETE", (
        deployer.reasons()
    )
    s3 = deployer.cloud.client("s3")
    for body in (b"one", b"two"):
        s3.put_object(Bucket="data", Key="model", Body=body)
    s3.delete_object(Bucket="data", Key="model")
    assert deployer.delete()["StackStatus"] == status, deployer.reasons()


def test_a_custom_resource_needs_its_function_and_its_own_properties(deployer: Deployer) -> None:
    stranger = emptied(ServiceToken="arn:aws:lambda:us-east-2:123456789012:function:none")
    assert deployer.create(stranger)["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "function:none does not exist" in deployer.reasons()
    assert deployer.create(emptied(Prefix="old/"), name="more")["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "missing or unknown properties Prefix" in deployer.reasons("more")


def test_another_custom_resource_is_refused_by_name(deployer: Deployer) -> None:
    other = {"Type": "Custom::Mine", "Properties": {"ServiceToken": att("Function", "Arn")}}
    client = deployer.cloud.client("cloudformation")
    with pytest.raises(client.exceptions.ClientError, match=r"Unrecognized resource types: \[Custom::Mine\]"):
        deployer.create({**function(), "Other": other})

"""What a change set tells before it runs, and what one stack has from another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from small_templates import att, network, ref, resource
from storage_templates import homes, linked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from small_templates import Deployer

Change = dict[str, Any]


def changes(
    deployer: Deployer, before: Mapping[str, Any], after: Mapping[str, Any], **sections: Any
) -> dict[str, Change]:
    """What a change set says of each resource that differs between two deployments."""
    assert deployer.create(before, **sections)["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    client = deployer.cloud.client("cloudformation")
    body = json.dumps({"Resources": after, **sections})
    client.create_change_set(StackName="test", ChangeSetName="set", TemplateBody=body)
    told = client.describe_change_set(StackName="test", ChangeSetName="set")["Changes"]
    return {each["ResourceChange"]["LogicalResourceId"]: each["ResourceChange"] for each in told}


def targets(change: Change) -> list[tuple[str, str, str, str]]:
    """Name, recreation, evaluation and source of each detail."""
    return [
        (
            detail["Target"].get("Name", detail["Target"]["Attribute"]),
            detail["Target"]["RequiresRecreation"],
            detail["Evaluation"],
            detail["ChangeSource"],
        )
        for detail in change["Details"]
    ]


def test_a_change_in_place_names_its_property(deployer: Deployer) -> None:
    before, after = homes(), homes()
    after["Users"]["Properties"]["OpenZFSConfiguration"]["UserAndGroupQuotas"] = []
    (change,) = changes(deployer, before, after).values()
    assert change["Action"] == "Modify"
    assert change["Replacement"] == "False"
    assert change["Scope"] == ["Properties"]
    assert change["PhysicalResourceId"] == deployer.ids()["Users"]
    assert targets(change) == [("OpenZFSConfiguration", "Never", "Static", "DirectModification")]


def test_a_replacement_is_told_with_all_that_follows_from_it(deployer: Deployer) -> None:
    before, after = linked(), linked()
    before["Scratch"]["UpdateReplacePolicy"] = after["Scratch"]["UpdateReplacePolicy"] = "Retain"
    after["Scratch"]["Properties"]["KmsKeyId"] = "alias/aws/fsx"
    found = changes(deployer, before, after)
    assert set(found) == {"Scratch", "Link"}
    assert found["Scratch"]["Replacement"] == "True"
    assert found["Scratch"]["PolicyAction"] == "ReplaceAndRetain"
    assert targets(found["Scratch"]) == [("KmsKeyId", "Always", "Static", "DirectModification")]
    assert found["Link"]["Replacement"] == "Conditional"
    assert targets(found["Link"]) == [("FileSystemId", "Always", "Dynamic", "ResourceReference")]
    assert found["Link"]["Details"][0]["CausingEntity"] == "Scratch"


def test_an_attribute_of_what_is_replaced_may_change(deployer: Deployer) -> None:
    before, after = homes(), homes(DeploymentType="SINGLE_AZ_2")
    found = changes(deployer, before, after)
    assert targets(found["Users"]) == [("OpenZFSConfiguration", "Always", "Dynamic", "ResourceAttribute")]
    assert found["Users"]["Details"][0]["CausingEntity"] == "Home.RootVolumeId"


def test_tags_and_policies_are_no_properties(deployer: Deployer) -> None:
    before = {"Logs": resource("Logs::LogGroup", LogGroupName="/logs")}
    after = {"Logs": resource("Logs::LogGroup", LogGroupName="/logs", Tags=[{"Key": "a", "Value": "b"}])}
    after["Logs"] |= {"DeletionPolicy": "Retain", "Metadata": {"by": "hand"}}
    (change,) = changes(deployer, before, after).values()
    assert change["Scope"] == ["Tags", "Metadata", "DeletionPolicy"]
    assert change["Replacement"] == "False"


def test_what_comes_and_goes_has_no_details(deployer: Deployer) -> None:
    kept = {**resource("Logs::LogGroup"), "DeletionPolicy": "RetainExceptOnCreate"}
    before = {"Kept": kept, "Gone": resource("Logs::LogGroup")}
    found = changes(deployer, before, {"New": resource("Logs::LogGroup")})
    assert {name: change["Action"] for name, change in found.items()} == {
        "New": "Add",
        "Kept": "Remove",
        "Gone": "Remove",
    }
    assert (found["Kept"]["PolicyAction"], found["Gone"]["PolicyAction"]) == ("Retain", "Delete")
    assert not any(change.get("Details") for change in found.values())


def test_a_parameter_changes_what_refers_to_it(deployer: Deployer) -> None:
    group = {"Logs": resource("Logs::LogGroup", LogGroupName={"Fn::Sub": "/${Team}/${AWS::StackName}"})}
    research = {"Team": {"Type": "String", "Default": "research"}}
    deployer.create(group, Parameters=research)
    client = deployer.cloud.client("cloudformation")
    client.create_change_set(
        StackName="test",
        ChangeSetName="set",
        UsePreviousTemplate=True,
        Parameters=[{"ParameterKey": "Team", "ParameterValue": "platform"}],
    )
    (told,) = client.describe_change_set(StackName="test", ChangeSetName="set")["Changes"]
    assert told["ResourceChange"]["Replacement"] == "True"
    assert targets(told["ResourceChange"]) == [("LogGroupName", "Always", "Static", "ParameterReference")]


def exporting(cidr: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A network, and its outputs, one of them exported."""
    resources = network()
    resources["Vpc"]["Properties"]["CidrBlock"] = cidr
    output = {"Value": ref("Vpc"), "Export": {"Name": "shared-vpc"}}
    return resources, {"VpcId": output, "Range": {"Value": att("Vpc", "CidrBlock")}}


def group_in(vpc: Mapping[str, Any]) -> dict[str, Any]:
    """A security group in the VPC of another stack."""
    return {"Group": resource("EC2::SecurityGroup", GroupDescription="of another stack", VpcId=vpc)}


def test_an_export_that_is_in_use_keeps_its_value(deployer: Deployer) -> None:
    resources, outputs = exporting("10.0.0.0/16")
    deployer.create(resources, "network", Outputs=outputs)
    deployer.create(group_in({"Fn::ImportValue": "shared-vpc"}), "user")
    before = deployer.outputs("network")
    replaced, outputs = exporting("10.0.0.0/17")
    assert deployer.update(replaced, "network", Outputs=outputs)["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    events = deployer.cloud.client("cloudformation").describe_stack_events(StackName="network")["StackEvents"]
    reason = "Export shared-vpc cannot be updated as it is in use by user"
    assert reason in [event.get("ResourceStatusReason") for event in events]
    assert deployer.outputs("network") == before
    deployer.delete("user")
    assert deployer.update(replaced, "network", Outputs=outputs)["StackStatus"] == "UPDATE_COMPLETE"


def test_a_weak_reference_holds_nothing_back(deployer: Deployer) -> None:
    resources, outputs = exporting("10.0.0.0/16")
    deployer.create(resources, "network", Outputs=outputs)
    weak = {"Fn::GetStackOutput": {"StackName": "network", "OutputName": "VpcId"}}
    assert deployer.create(group_in(weak), "user")["StackStatus"] == "CREATE_COMPLETE"
    found = deployer.cloud.client("ec2").describe_security_groups(GroupIds=[deployer.ids("user")["Group"]])
    assert found["SecurityGroups"][0]["VpcId"] == deployer.outputs("network")["VpcId"]
    assert deployer.update(resources, "network", Outputs={})["StackStatus"] == "UPDATE_COMPLETE"


@pytest.mark.parametrize(
    "argument",
    [
        {"StackName": "missing", "OutputName": "VpcId"},
        {"StackName": "network", "OutputName": "Missing"},
        {"StackName": "network", "OutputName": "VpcId", "Region": "eu-west-1"},
    ],
)
def test_a_weak_reference_to_nothing_fails(deployer: Deployer, argument: dict[str, str]) -> None:
    resources, outputs = exporting("10.0.0.0/16")
    deployer.create(resources, "network", Outputs=outputs)
    stack = deployer.create(group_in({"Fn::GetStackOutput": argument}), "user")
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"

"""CloudFormation: stacks are created, changed, rolled back and deleted as in AWS."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from botocore.exceptions import ClientError
from small_templates import att, network, ref, resource

if TYPE_CHECKING:
    from small_templates import Deployer


def test_a_stack_makes_its_resources_and_deletes_them(deployer: Deployer) -> None:
    ec2 = deployer.cloud.client("ec2")
    before = len(ec2.describe_vpcs()["Vpcs"])
    assert deployer.create(network())["StackStatus"] == "CREATE_COMPLETE"
    vpc = deployer.ids()["Vpc"]
    subnets = ec2.describe_subnets(Filters=[{"Name": "vpc-id", "Values": [vpc]}])["Subnets"]
    assert {subnet["AvailabilityZoneId"] for subnet in subnets} == {"use2-az3", "use2-az1"}
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    assert len(ec2.describe_vpcs()["Vpcs"]) == before


def test_an_unknown_type_is_refused_by_name(deployer: Deployer) -> None:
    with pytest.raises(ClientError, match=r"Unrecognized resource types: \[AWS::FSx::FileCache\]"):
        deployer.create({"Cache": resource("FSx::FileCache")})
    assert deployer.cloud.client("cloudformation").describe_stacks()["Stacks"] == []


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({"CidrBlok": "10.0.0.0/16"}, "'CidrBlok' was unexpected"),
        ({"CidrBlock": "10.0.0.0/16", "EnableDnsSupport": "maybe"}, "#/EnableDnsSupport: 'maybe'"),
        ({"CidrBlock": "10.0.0.0/16", "VpcId": "vpc-1"}, "#/VpcId: is read-only"),
    ],
)
def test_properties_are_held_against_the_schema(
    deployer: Deployer, properties: dict[str, str], reason: str
) -> None:
    stack = deployer.create({"Vpc": resource("EC2::VPC", **properties)})
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "Properties validation failed" in deployer.reasons()
    assert reason in deployer.reasons()


def test_a_missing_property_and_a_wrong_enum_are_refused(deployer: Deployer) -> None:
    stack = deployer.create({"Group": resource("EKS::Nodegroup", CapacityType="CHEAP", Subnets=["subnet-1"])})
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "'ClusterName' is a required property" in deployer.reasons()
    assert "'CHEAP' is not one of" in deployer.reasons()


def test_a_failure_takes_back_what_was_made(deployer: Deployer) -> None:
    ec2 = deployer.cloud.client("ec2")
    before = len(ec2.describe_vpcs()["Vpcs"])
    outside = resource("EC2::Subnet", VpcId=ref("Vpc"), CidrBlock="192.168.0.0/24")
    stack = deployer.create({**network(), "Outside": outside})
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "Outside: InvalidSubnet.Range: The CIDR '192.168.0.0/24' is invalid." in deployer.reasons()
    assert deployer.ids() == {}
    assert len(ec2.describe_vpcs()["Vpcs"]) == before


def test_a_failure_keeps_what_was_made_where_asked(deployer: Deployer) -> None:
    outside = resource("EC2::Subnet", VpcId=ref("Vpc"), CidrBlock="192.168.0.0/24")
    body = json.dumps({"Resources": {**network(), "Outside": outside}})
    deployer.cloud.client("cloudformation").create_stack(
        StackName="test", TemplateBody=body, OnFailure="DO_NOTHING"
    )
    assert deployer.stack()["StackStatus"] == "CREATE_FAILED"
    assert set(deployer.ids()) >= {"Vpc"}


def test_nothing_to_update_is_refused(deployer: Deployer) -> None:
    deployer.create(network())
    with pytest.raises(ClientError, match="No updates are to be performed"):
        deployer.update(network())


def test_an_update_adds_and_removes(deployer: Deployer) -> None:
    deployer.create(network())
    changed = network()
    del changed["Second"]
    changed["Third"] = resource("EC2::Subnet", VpcId=ref("Vpc"), CidrBlock="10.0.32.0/20")
    before = deployer.ids()
    assert deployer.update(changed)["StackStatus"] == "UPDATE_COMPLETE"
    after = deployer.ids()
    assert (after["Vpc"], set(after)) == (before["Vpc"], {"Vpc", "First", "Third"})


def test_a_change_in_place_keeps_the_resource(deployer: Deployer) -> None:
    deployer.create(network())
    changed = network()
    changed["Vpc"]["Properties"] |= {
        "EnableDnsHostnames": True,
        "Tags": [{"Key": "team", "Value": "research"}],
    }
    before = deployer.ids()
    deployer.update(changed)
    assert deployer.ids() == before
    ec2, vpc = deployer.cloud.client("ec2"), before["Vpc"]
    attribute = ec2.describe_vpc_attribute(VpcId=vpc, Attribute="enableDnsHostnames")
    assert attribute["EnableDnsHostnames"]["Value"] is True
    tags = ec2.describe_vpcs(VpcIds=[vpc])["Vpcs"][0]["Tags"]
    assert {"Key": "team", "Value": "research"} in tags


def test_a_replacement_reaches_what_refers_to_it(deployer: Deployer) -> None:
    deployer.create(network())
    changed = network()
    changed["Vpc"]["Properties"]["CidrBlock"] = "10.0.0.0/17"
    before = deployer.ids()
    assert deployer.update(changed)["StackStatus"] == "UPDATE_COMPLETE"
    after = deployer.ids()
    assert not set(before.values()) & set(after.values())
    ec2 = deployer.cloud.client("ec2")
    assert before["Vpc"] not in {vpc["VpcId"] for vpc in ec2.describe_vpcs()["Vpcs"]}
    subnet = ec2.describe_subnets(SubnetIds=[after["First"]])["Subnets"][0]
    assert subnet["VpcId"] == after["Vpc"]


def test_a_failed_update_goes_back(deployer: Deployer) -> None:
    deployer.create(network(), Outputs={"Vpc": {"Value": ref("Vpc")}})
    changed = network()
    changed["Vpc"]["Properties"]["Tags"] = [{"Key": "team", "Value": "research"}]
    changed["Outside"] = resource("EC2::Subnet", VpcId=ref("Vpc"), CidrBlock="192.168.0.0/24")
    before = deployer.ids()
    assert deployer.update(changed)["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert deployer.ids() == before
    assert deployer.outputs() == {"Vpc": before["Vpc"]}
    vpc = deployer.cloud.client("ec2").describe_vpcs(VpcIds=[before["Vpc"]])["Vpcs"][0]
    assert {"Key": "team", "Value": "research"} not in vpc.get("Tags", [])
    template = deployer.cloud.client("cloudformation").get_template(StackName="test")["TemplateBody"]
    assert "Outside" not in template["Resources"]


def test_outputs_and_imports_join_stacks(deployer: Deployer) -> None:
    output = {"Value": ref("Vpc"), "Export": {"Name": "shared-vpc"}}
    deployer.create(network(), "network", Outputs={"VpcId": output})
    group = resource(
        "EC2::SecurityGroup", GroupDescription="of another stack", VpcId={"Fn::ImportValue": "shared-vpc"}
    )
    deployer.create({"Group": group}, "user")
    groups = deployer.cloud.client("ec2").describe_security_groups(GroupIds=[deployer.ids("user")["Group"]])
    assert groups["SecurityGroups"][0]["VpcId"] == deployer.outputs("network")["VpcId"]
    with pytest.raises(ClientError, match="shared-vpc cannot be deleted as it is in use by user"):
        deployer.delete("network")
    deployer.delete("user")
    assert deployer.delete("network")["StackStatus"] == "DELETE_COMPLETE"


def test_an_export_that_is_not_there_fails(deployer: Deployer) -> None:
    stack = deployer.create({"Vpc": resource("EC2::VPC", CidrBlock={"Fn::ImportValue": "missing"})})
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "No export named missing found" in deployer.reasons()


@pytest.mark.parametrize(
    ("resources", "message"),
    [
        ({"Vpc": resource("EC2::VPC", CidrBlock=ref("Nowhere"))}, r"dependencies \[Nowhere\]"),
        (
            {**network(), "More": resource("EC2::VPC", CidrBlock=att("Vpc", "Colour"))},
            "does not support attribute type Colour",
        ),
        (
            {
                "A": resource("EC2::VPC", CidrBlock=att("B", "CidrBlock")),
                "B": resource("EC2::VPC", CidrBlock=att("A", "CidrBlock")),
            },
            "Circular dependency",
        ),
        ({"Vpc": resource("EC2::VPC", CidrBlock="10.0.0.0/16", depends_on="Gone")}, "depends on Gone"),
        ({"Vpc": resource("EC2::VPC", CidrBlock={"Fn::Cidr": ["10.0.0.0/8", 1, 8]})}, "Fn::Cidr"),
    ],
)
def test_a_wrong_template_is_refused_or_rolled_back(
    deployer: Deployer, resources: dict[str, object], message: str
) -> None:
    try:
        deployer.create(resources)
    except ClientError as error:
        told = str(error)
    else:
        told = deployer.reasons()
    assert re.search(message, told)


def test_a_change_set_describes_and_then_does(deployer: Deployer) -> None:
    client = deployer.cloud.client("cloudformation")
    body = json.dumps({"Resources": network(), "Outputs": {"Vpc": {"Value": ref("Vpc")}}})
    client.create_change_set(
        StackName="test", ChangeSetName="first", ChangeSetType="CREATE", TemplateBody=body
    )
    described = client.describe_change_set(StackName="test", ChangeSetName="first")
    assert {change["ResourceChange"]["Action"] for change in described["Changes"]} == {"Add"}
    assert deployer.stack()["StackStatus"] == "REVIEW_IN_PROGRESS"
    client.execute_change_set(StackName="test", ChangeSetName="first")
    assert deployer.stack()["StackStatus"] == "CREATE_COMPLETE"
    assert deployer.outputs() == {"Vpc": deployer.ids()["Vpc"]}
    client.create_change_set(StackName="test", ChangeSetName="again", TemplateBody=body)
    again = client.describe_change_set(StackName="test", ChangeSetName="again")
    assert again["Status"] == "FAILED"
    assert "didn't contain changes" in again["StatusReason"]


def test_change_sets_go_with_their_stack(deployer: Deployer) -> None:
    """The CDK CLI gives each change set the same name, and clears none away where no stack is."""
    client = deployer.cloud.client("cloudformation")
    body = json.dumps({"Resources": network()})
    named = {"StackName": "test", "ChangeSetName": "cdk-deploy-change-set"}
    for _ in range(2):
        client.create_change_set(**named, TemplateBody=body, ChangeSetType="CREATE")
        client.execute_change_set(**named)
        assert deployer.stack()["StackStatus"] == "CREATE_COMPLETE"
        with pytest.raises(ClientError, match="its execution status EXECUTE_COMPLETE"):
            client.execute_change_set(**named)
        deployer.delete()


def test_parameters_conditions_mappings_and_rules(deployer: Deployer) -> None:
    client = deployer.cloud.client("cloudformation")
    template = {
        "Parameters": {
            "Size": {"Type": "String", "AllowedValues": ["small", "large"]},
            "Path": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/team"},
        },
        "Mappings": {"Blocks": {"small": {"Cidr": "10.0.0.0/20"}, "large": {"Cidr": "10.0.0.0/16"}}},
        "Conditions": {"IsLarge": {"Fn::Equals": [ref("Size"), "large"]}},
        "Rules": {
            "Team": {
                "Assertions": [
                    {
                        "Assert": {"Fn::Contains": [["research"], ref("Path")]},
                        "AssertDescription": "only research may deploy",
                    }
                ]
            }
        },
        "Resources": {
            "Vpc": resource("EC2::VPC", CidrBlock={"Fn::FindInMap": ["Blocks", ref("Size"), "Cidr"]}),
            "Gateway": {**resource("EC2::InternetGateway"), "Condition": "IsLarge"},
        },
        "Outputs": {
            "Name": {"Value": {"Fn::Sub": "${AWS::StackName}-${Vpc.CidrBlock}-${!kept}"}},
            "Kind": {"Value": {"Fn::If": ["IsLarge", "large", "small"]}},
        },
    }
    body = json.dumps(template)
    small = [{"ParameterKey": "Size", "ParameterValue": "small"}]
    with pytest.raises(ClientError, match=r"Unable to fetch parameters \[/team\]"):
        client.create_stack(StackName="test", TemplateBody=body, Parameters=small)
    ssm = deployer.cloud.client("ssm")
    ssm.put_parameter(Name="/team", Value="sales", Type="String")
    with pytest.raises(ClientError, match="only research may deploy"):
        client.create_stack(StackName="test", TemplateBody=body, Parameters=small)
    ssm.put_parameter(Name="/team", Value="research", Type="String", Overwrite=True)
    with pytest.raises(ClientError, match=r"\[Size\] must have values"):
        client.create_stack(StackName="test", TemplateBody=body)
    client.create_stack(StackName="test", TemplateBody=body, Parameters=small)
    assert set(deployer.ids()) == {"Vpc"}
    assert deployer.outputs() == {"Name": "test-10.0.0.0/20-${kept}", "Kind": "small"}
    large = [{"ParameterKey": "Size", "ParameterValue": "large"}]
    client.update_stack(StackName="test", TemplateBody=body, Parameters=large)
    assert set(deployer.ids()) == {"Vpc", "Gateway"}


def test_a_protected_stack_stays(deployer: Deployer) -> None:
    client = deployer.cloud.client("cloudformation")
    deployer.create(network())
    client.update_termination_protection(StackName="test", EnableTerminationProtection=True)
    with pytest.raises(ClientError, match="TerminationProtection is enabled"):
        deployer.delete()


def test_a_retained_resource_outlives_its_stack(deployer: Deployer) -> None:
    kept = {**resource("Logs::LogGroup", LogGroupName="/kept"), "DeletionPolicy": "Retain"}
    deployer.create({"Kept": kept})
    deployer.delete()
    groups = deployer.cloud.client("logs").describe_log_groups()["logGroups"]
    assert [group["logGroupName"] for group in groups] == ["/kept"]


def test_a_vpc_with_something_in_it_stays(deployer: Deployer) -> None:
    deployer.create(network())
    deployer.cloud.client("ec2").create_security_group(
        GroupName="foreign", Description="made by hand", VpcId=deployer.ids()["Vpc"]
    )
    assert deployer.delete()["StackStatus"] == "DELETE_FAILED"
    assert "has dependencies and cannot be deleted" in deployer.reasons()

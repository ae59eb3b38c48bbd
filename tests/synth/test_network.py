"""The network: subnets by zone id, a way out or none, EFA's security group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template
from synthesis import ULTRASERVER_BLOCK

from clusterwright.network import CLOSED_NETWORK_SERVICES, EfaSecurityGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from synthesis import Templates


def subnets_by_name(templates: Templates) -> dict[str, dict[str, Any]]:
    return {
        key.removeprefix("Network").rpartition("Subnet")[0]: value["Properties"]
        for key, value in templates.resources("network", "AWS::EC2::Subnet").items()
    }


def test_subnets_are_placed_by_zone_id_and_never_by_name(h200: Templates) -> None:
    subnets = subnets_by_name(h200)
    assert {name: (each["AvailabilityZoneId"], each["CidrBlock"]) for name, each in subnets.items()} == {
        "Nodes": ("use2-az3", "10.0.0.0/17"),
        "ControlPlaneA": ("use2-az3", "10.0.128.0/21"),
        "ControlPlaneB": ("use2-az1", "10.0.136.0/21"),
        "Public": ("use2-az3", "10.0.144.0/21"),
        "Pods": ("use2-az3", "100.64.0.0/16"),
    }
    assert not any("AvailabilityZone" in each for each in subnets.values())
    assert not any(each["MapPublicIpOnLaunch"] for each in subnets.values())


def test_pod_subnet_waits_for_the_pod_block(h200: Templates) -> None:
    resources = h200.resources("network", "AWS::EC2::Subnet")
    (pods,) = [each for key, each in resources.items() if key.startswith("NetworkPodsSubnet")]
    (block,) = h200.resources("network", "AWS::EC2::VPCCidrBlock")
    assert pods["DependsOn"] == [block]


def test_only_the_public_subnet_reaches_the_internet_gateway(h200: Templates) -> None:
    routes = [each["Properties"] for each in h200.resources("network", "AWS::EC2::Route").values()]
    assert {next(key for key in each if key.endswith("GatewayId")) for each in routes} == {
        "GatewayId",
        "NatGatewayId",
    }
    public = next(each["RouteTableId"]["Ref"] for each in routes if "GatewayId" in each)
    uses = h200.resources("network", "AWS::EC2::SubnetRouteTableAssociation").values()
    (user,) = [
        each["Properties"]["SubnetId"]["Ref"]
        for each in uses
        if each["Properties"]["RouteTableId"]["Ref"] == public
    ]
    assert user.startswith("NetworkPublicSubnet")


def test_s3_goes_past_the_nat_gateway(h200: Templates) -> None:
    endpoint = h200.one("network", "AWS::EC2::VPCEndpoint")
    assert endpoint["ServiceName"] == "com.amazonaws.us-east-2.s3"
    assert endpoint["VpcEndpointType"] == "Gateway"


@pytest.mark.parametrize("egress", ["nat", "none"])
def test_s3_express_has_a_way_of_its_own(synthesize: Callable[..., Templates], egress: str) -> None:
    templates = synthesize(
        zone="use2-az1", network={"egress": egress}, storage={"express": {"hot": {"pools": ["system"]}}}
    )
    endpoints = [
        each["Properties"] for each in templates.resources("network", "AWS::EC2::VPCEndpoint").values()
    ]
    gateways = {each["ServiceName"]: each for each in endpoints if each["VpcEndpointType"] == "Gateway"}
    express = gateways["com.amazonaws.us-east-2.s3express"]
    assert express["RouteTableIds"] == gateways["com.amazonaws.us-east-2.s3"]["RouteTableIds"]
    assert len(gateways) == 2


def test_closed_network_has_endpoints_and_no_way_out(synthesize: Callable[..., Templates]) -> None:
    templates = synthesize(network={"egress": "none", "pod_cidr": "100.64.0.0/16"})
    for kind in ("NatGateway", "InternetGateway", "EIP", "Route"):
        assert not templates.resources("network", f"AWS::EC2::{kind}"), kind
    assert "Public" not in subnets_by_name(templates)
    endpoints = [
        each["Properties"] for each in templates.resources("network", "AWS::EC2::VPCEndpoint").values()
    ]
    interfaces = {each["ServiceName"] for each in endpoints if each["VpcEndpointType"] == "Interface"}
    assert interfaces == {f"com.amazonaws.us-east-2.{service}" for service in CLOSED_NETWORK_SERVICES}
    assert all(each["PrivateDnsEnabled"] for each in endpoints if each["VpcEndpointType"] == "Interface")
    group = next(
        each["Properties"]
        for key, each in templates.resources("network", "AWS::EC2::SecurityGroup").items()
        if "Endpoint" in key
    )
    assert {(rule["CidrIp"], rule["FromPort"]) for rule in group["SecurityGroupIngress"]} == {
        ("10.0.0.0/16", 443),
        ("100.64.0.0/16", 443),
    }


def test_local_zone_holds_the_accelerators_and_the_region_the_rest(
    synthesize: Callable[..., Templates],
) -> None:
    templates = synthesize(
        region="us-east-1",
        zone="use1-dfw2-az1",
        network={"pod_cidr": "100.64.0.0/16"},
        pools={
            "train": {
                "instance_type": "p6e-gb200.36xlarge",
                "count": 18,
                "ultraserver": "u-p6e-gb200x72",
                "capacity": "nvl72",
            }
        },
        capacity={"nvl72": ULTRASERVER_BLOCK},
    )
    zones = {name: each["AvailabilityZoneId"] for name, each in subnets_by_name(templates).items()}
    assert zones["Nodes"] == zones["Pods"] == "use1-dfw2-az1"
    # The zone that runs the local zone's control plane comes first; use1-az3 cannot hold EKS.
    assert zones["ControlPlaneA"] == zones["RegionalNodes"] == zones["RegionalPods"] == "use1-az4"
    assert zones["ControlPlaneB"] == "use1-az1"
    assert zones["Public"] == "use1-az4"
    system = templates.one("pool-system", "AWS::EKS::Nodegroup")["Subnets"]
    train = templates.one("pool-train", "AWS::EKS::Nodegroup")["Subnets"]
    assert "RegionalNodes" in str(system)
    assert "NetworkNodesSubnet" in str(train)


def test_existing_network_is_used_and_not_touched(synthesize: Callable[..., Templates]) -> None:
    subnets = {"use2-az3": "subnet-0aaaaaaaaaaaaaaa3", "use2-az1": "subnet-0aaaaaaaaaaaaaaa1"}
    templates = synthesize(network={"existing": {"vpc": "vpc-0aaaaaaaaaaaaaaaa", "subnets": subnets}})
    kinds = {each["Type"] for each in templates["network"]["Resources"].values()}
    assert kinds == {
        "AWS::EC2::SecurityGroup",
        "AWS::EC2::SecurityGroupIngress",
        "AWS::EC2::SecurityGroupEgress",
    }
    cluster = templates.one("cluster", "AWS::EKS::Cluster")
    assert cluster["ResourcesVpcConfig"]["SubnetIds"] == [subnets["use2-az3"], subnets["use2-az1"]]
    assert templates.one("pool-system", "AWS::EKS::Nodegroup")["Subnets"] == [subnets["use2-az3"]]


def test_efa_group_names_itself_in_both_directions(h200: Templates) -> None:
    (group,) = h200.resources("network", "AWS::EC2::SecurityGroup")
    own_id = {"Fn::GetAtt": [group, "GroupId"]}
    ingress = h200.one("network", "AWS::EC2::SecurityGroupIngress")
    egress = h200.one("network", "AWS::EC2::SecurityGroupEgress")
    assert ingress["GroupId"] == ingress["SourceSecurityGroupId"] == own_id
    assert egress["GroupId"] == egress["DestinationSecurityGroupId"] == own_id
    assert ingress["IpProtocol"] == egress["IpProtocol"] == "-1"


def test_efa_group_brings_its_own_vpc() -> None:
    stack = cdk.Stack(cdk.App(), "Mine")
    vpc = ec2.Vpc.from_vpc_attributes(stack, "Vpc", vpc_id="vpc-12345678", availability_zones=["us-east-2a"])
    EfaSecurityGroup(stack, "Efa", vpc=vpc)
    Template.from_stack(stack).has_resource_properties("AWS::EC2::SecurityGroup", {"VpcId": "vpc-12345678"})


def test_traffic_is_logged(h200: Templates) -> None:
    assert h200.one("network", "AWS::EC2::FlowLog")["TrafficType"] == "ALL"
    assert h200.one("network", "AWS::Logs::LogGroup")["RetentionInDays"] == 30

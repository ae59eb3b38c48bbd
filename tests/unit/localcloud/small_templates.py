"""Small templates, and a way to deploy them into an embedded AWS without the CDK."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud import LocalCloud

BLOCK_ID = "cr-0123456789abcdef0"


class Deployer:
    """Deploys templates of resources, without the CDK.

    Attributes:
        cloud: The embedded AWS.
    """

    def __init__(self, cloud: LocalCloud) -> None:
        self.cloud = cloud
        self._client = cloud.client("cloudformation")

    def create(self, resources: Mapping[str, Any], name: str = "test", **sections: Any) -> Mapping[str, Any]:
        """Create a stack; returns its description."""
        body = json.dumps({"Resources": resources, **sections})
        self._client.create_stack(StackName=name, TemplateBody=body)
        return self.stack(name)

    def update(self, resources: Mapping[str, Any], name: str = "test", **sections: Any) -> Mapping[str, Any]:
        """Update a stack; returns its description."""
        body = json.dumps({"Resources": resources, **sections})
        self._client.update_stack(StackName=name, TemplateBody=body)
        return self.stack(name)

    def delete(self, name: str = "test") -> Mapping[str, Any]:
        """Delete a stack; returns its description, which outlives it."""
        stack_id = self.stack(name)["StackId"]
        self._client.delete_stack(StackName=name)
        return self.stack(stack_id)

    def stack(self, name: str = "test") -> Mapping[str, Any]:
        """A stack's description."""
        described: Mapping[str, Any] = self._client.describe_stacks(StackName=name)["Stacks"][0]
        return described

    def outputs(self, name: str = "test") -> dict[str, str]:
        """A stack's outputs."""
        return {item["OutputKey"]: item["OutputValue"] for item in self.stack(name).get("Outputs", [])}

    def ids(self, name: str = "test") -> dict[str, str]:
        """Physical ids by logical id."""
        rows = self._client.list_stack_resources(StackName=name)["StackResourceSummaries"]
        return {row["LogicalResourceId"]: row["PhysicalResourceId"] for row in rows}

    def reasons(self, name: str = "test") -> str:
        """Why resources failed, from the stack's events."""
        events = self._client.describe_stack_events(StackName=name)["StackEvents"]
        failed = [event for event in events if event["ResourceStatus"].endswith("_FAILED")]
        return "\n".join(
            f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason')}" for event in failed
        )


def resource(kind: str, **properties: Any) -> dict[str, Any]:
    """A resource's declaration; ``depends_on`` becomes DependsOn."""
    depends_on = properties.pop("depends_on", None)
    declaration = {"Type": f"AWS::{kind}", "Properties": properties}
    return {**declaration, "DependsOn": depends_on} if depends_on else declaration


def ref(name: str) -> dict[str, str]:
    """A Ref."""
    return {"Ref": name}


def att(name: str, attribute: str) -> dict[str, list[str]]:
    """A Fn::GetAtt."""
    return {"Fn::GetAtt": [name, attribute]}


def role(service: str) -> dict[str, Any]:
    """A role that a service may take."""
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": f"{service}.amazonaws.com"},
        "Action": "sts:AssumeRole",
    }
    return resource("IAM::Role", AssumeRolePolicyDocument={"Version": "2012-10-17", "Statement": [statement]})


def network(second_zone: str = "use2-az1") -> dict[str, Any]:
    """A VPC with a subnet in use2-az3 and one in another zone."""
    return {
        "Vpc": resource("EC2::VPC", CidrBlock="10.0.0.0/16"),
        "First": resource(
            "EC2::Subnet", VpcId=ref("Vpc"), CidrBlock="10.0.0.0/20", AvailabilityZoneId="use2-az3"
        ),
        "Second": resource(
            "EC2::Subnet", VpcId=ref("Vpc"), CidrBlock="10.0.16.0/20", AvailabilityZoneId=second_zone
        ),
    }


def cluster(**properties: Any) -> dict[str, Any]:
    """A network with an EKS cluster in it."""
    config = {"SubnetIds": [ref("First"), ref("Second")], "EndpointPrivateAccess": True}
    return {
        **network(),
        "ClusterRole": role("eks"),
        "Cluster": resource(
            "EKS::Cluster",
            **{
                "Name": "atlas",
                "RoleArn": att("ClusterRole", "Arn"),
                "Version": "1.34",
                "ResourcesVpcConfig": config,
                **properties,
            },
        ),
    }


def interfaces(efa_cards: int = 16) -> list[dict[str, Any]]:
    """The interfaces of a p5en.48xlarge: one for IP, and EFA on its cards."""
    primary = {"NetworkCardIndex": 0, "DeviceIndex": 0, "InterfaceType": "interface"}
    efa = [
        {"NetworkCardIndex": card, "DeviceIndex": 0 if card else 1, "InterfaceType": "efa-only"}
        for card in range(efa_cards)
    ]
    return [primary, *efa]


def block_template(**changes: Any) -> dict[str, Any]:
    """The data of a launch template for nodes of the capacity block; None takes a key away."""
    data = {
        "InstanceType": "p5en.48xlarge",
        "InstanceMarketOptions": {"MarketType": "capacity-block"},
        "CapacityReservationSpecification": {
            "CapacityReservationTarget": {"CapacityReservationId": BLOCK_ID}
        },
        "NetworkInterfaces": interfaces(),
        **changes,
    }
    return {key: value for key, value in data.items() if value is not None}


def node_group(
    template: Mapping[str, Any] | None = None, *, depends_on: str | None = None, **properties: Any
) -> dict[str, Any]:
    """A cluster with a node group on the capacity block."""
    return {
        **cluster(),
        "NodeRole": role("ec2"),
        "Template": resource("EC2::LaunchTemplate", LaunchTemplateData=template or block_template()),
        "Nodes": resource(
            "EKS::Nodegroup",
            depends_on=depends_on,
            **{
                "ClusterName": ref("Cluster"),
                "NodegroupName": "train",
                "NodeRole": att("NodeRole", "Arn"),
                "Subnets": [ref("First")],
                "CapacityType": "CAPACITY_BLOCK",
                "AmiType": "AL2023_x86_64_NVIDIA",
                "ScalingConfig": {"MinSize": 0, "MaxSize": 4, "DesiredSize": 4},
                "LaunchTemplate": {
                    "Id": ref("Template"),
                    "Version": att("Template", "LatestVersionNumber"),
                },
                **properties,
            },
        ),
    }

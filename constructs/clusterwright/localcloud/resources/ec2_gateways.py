"""EC2: ways out of a VPC, private ways to services, and the log of what went through."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.ec2_type import Ec2Type
from clusterwright.localcloud.resources.resource_type import Made, ResourceType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request


class InternetGateway(Ec2Type):
    """An internet gateway."""

    name = "AWS::EC2::InternetGateway"
    tag_type = "internet-gateway"

    def create(self, request: Request) -> Made:
        """Make it; it is attached to a VPC separately."""
        answer = request.client("ec2").create_internet_gateway(**self.tag_specifications(request))
        gateway_id = answer["InternetGateway"]["InternetGatewayId"]
        return Made(gateway_id, {"InternetGatewayId": gateway_id})

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("ec2").delete_internet_gateway(InternetGatewayId=current.physical_id)


class VpcGatewayAttachment(ResourceType):
    """An internet gateway attached to a VPC."""

    name = "AWS::EC2::VPCGatewayAttachment"

    def create(self, request: Request) -> Made:
        """Attach."""
        options = request.picked("InternetGatewayId", "VpcId")
        request.client("ec2").attach_internet_gateway(**options)
        return Made(f"IGW|{options['VpcId']}", {"AttachmentType": "IGW"})

    def delete(self, account: Account, current: StackResource) -> None:
        """Detach."""
        account.client("ec2").detach_internet_gateway(
            InternetGatewayId=current.properties["InternetGatewayId"], VpcId=current.properties["VpcId"]
        )


class ElasticIp(Ec2Type):
    """A public address."""

    name = "AWS::EC2::EIP"
    tag_type = "elastic-ip"

    def create(self, request: Request) -> Made:
        """Allocate one."""
        address = request.client("ec2").allocate_address(Domain="vpc", **self.tag_specifications(request))
        attributes = {"AllocationId": address["AllocationId"], "PublicIp": address["PublicIp"]}
        return Made(address["PublicIp"], attributes)

    def tagged_id(self, current: StackResource) -> str:
        """EC2 tags the allocation, not the address."""
        return str(current.attributes["AllocationId"])

    def delete(self, account: Account, current: StackResource) -> None:
        """Release it."""
        account.client("ec2").release_address(AllocationId=current.attributes["AllocationId"])


class NatGateway(Ec2Type):
    """A NAT gateway."""

    name = "AWS::EC2::NatGateway"
    tag_type = "natgateway"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = request.picked("SubnetId", "AllocationId", "ConnectivityType")
        answer = request.client("ec2").create_nat_gateway(**options, **self.tag_specifications(request))
        gateway = answer["NatGateway"]
        interface = gateway["NatGatewayAddresses"][0]["NetworkInterfaceId"]
        return Made(gateway["NatGatewayId"], {"NatGatewayId": gateway["NatGatewayId"], "EniId": interface})

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it, and its interface and the use of its address, which moto leaves behind."""
        ec2 = account.client("ec2")
        ec2.delete_nat_gateway(NatGatewayId=current.physical_id)
        for address in _addresses_on(ec2, current.attributes["EniId"]):
            ec2.disassociate_address(AssociationId=address["AssociationId"])
        _delete_interfaces(ec2, [current.attributes["EniId"]])


class VpcEndpoint(Ec2Type):
    """A private way to a service, by routes (gateway) or by interfaces."""

    name = "AWS::EC2::VPCEndpoint"
    tag_type = "vpc-endpoint"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = request.picked(
            "VpcId",
            "ServiceName",
            "VpcEndpointType",
            "RouteTableIds",
            "SubnetIds",
            "SecurityGroupIds",
            "PrivateDnsEnabled",
        )
        if "PolicyDocument" in request.properties:
            options["PolicyDocument"] = json.dumps(request.properties["PolicyDocument"])
        answer = request.client("ec2").create_vpc_endpoint(**options, **self.tag_specifications(request))
        endpoint = answer["VpcEndpoint"]
        return Made(endpoint["VpcEndpointId"], self._attributes(endpoint))

    def change(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the routes, subnets, groups or policy."""
        options: dict[str, Any] = {}
        for name, added, removed in (
            ("RouteTableIds", "AddRouteTableIds", "RemoveRouteTableIds"),
            ("SubnetIds", "AddSubnetIds", "RemoveSubnetIds"),
            ("SecurityGroupIds", "AddSecurityGroupIds", "RemoveSecurityGroupIds"),
        ):
            old, new = set(current.properties.get(name, [])), set(request.properties.get(name, []))
            options |= {key: sorted(ids) for key, ids in ((added, new - old), (removed, old - new)) if ids}
        if "PolicyDocument" in changed:
            options["PolicyDocument"] = json.dumps(request.properties.get("PolicyDocument", {}))
        ec2 = request.client("ec2")
        ec2.modify_vpc_endpoint(VpcEndpointId=current.physical_id, **options)
        answer = ec2.describe_vpc_endpoints(VpcEndpointIds=[current.physical_id])
        return self._attributes(answer["VpcEndpoints"][0])

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it and its interfaces, which moto leaves behind."""
        ec2 = account.client("ec2")
        ec2.delete_vpc_endpoints(VpcEndpointIds=[current.physical_id])
        _delete_interfaces(ec2, current.attributes["NetworkInterfaceIds"])

    @staticmethod
    def _attributes(endpoint: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "Id": endpoint["VpcEndpointId"],
            "CreationTimestamp": endpoint["CreationTimestamp"].isoformat(),
            "NetworkInterfaceIds": endpoint.get("NetworkInterfaceIds", []),
            "DnsEntries": [
                f"{entry['HostedZoneId']}:{entry['DnsName']}" for entry in endpoint.get("DnsEntries", [])
            ],
        }


class FlowLog(Ec2Type):
    """A log of a network's traffic."""

    name = "AWS::EC2::FlowLog"
    tag_type = "vpc-flow-log"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = request.picked(
            "ResourceType",
            "TrafficType",
            "LogDestinationType",
            "LogDestination",
            "LogGroupName",
            "LogFormat",
            "DeliverLogsPermissionArn",
            "MaxAggregationInterval",
        )
        answer = request.client("ec2").create_flow_logs(
            ResourceIds=[request.properties["ResourceId"]], **options, **self.tag_specifications(request)
        )
        return Made(answer["FlowLogIds"][0], {"Id": answer["FlowLogIds"][0]})

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; what it logged stays."""
        account.client("ec2").delete_flow_logs(FlowLogIds=[current.physical_id])


def _addresses_on(ec2: Any, interface_id: str) -> list[dict[str, Any]]:  # noqa: ANN401  a boto3 client
    addresses = ec2.describe_addresses()["Addresses"]
    return [item for item in addresses if item.get("NetworkInterfaceId") == interface_id]


def _delete_interfaces(ec2: Any, interface_ids: list[str]) -> None:  # noqa: ANN401  a boto3 client
    existing = ec2.describe_network_interfaces(
        Filters=[{"Name": "network-interface-id", "Values": interface_ids or ["none"]}]
    )
    for interface in existing["NetworkInterfaces"]:
        ec2.delete_network_interface(NetworkInterfaceId=interface["NetworkInterfaceId"])


TYPES: tuple[ResourceType, ...] = (
    InternetGateway(),
    VpcGatewayAttachment(),
    ElasticIp(),
    NatGateway(),
    VpcEndpoint(),
    FlowLog(),
)

"""EC2: the VPC, its blocks of addresses, subnets and routes."""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.errors import ResourceRefusedError
from clusterwright.localcloud.resources.ec2_type import Ec2Type
from clusterwright.localcloud.resources.resource_type import Made, ResourceType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

DNS_ATTRIBUTES = ("EnableDnsSupport", "EnableDnsHostnames")


class Vpc(Ec2Type):
    """A VPC."""

    name = "AWS::EC2::VPC"
    tag_type = "vpc"

    def create(self, request: Request) -> Made:
        """Make it, and switch its DNS as asked."""
        ec2 = request.client("ec2")
        options = request.picked("CidrBlock", "InstanceTenancy")
        vpc = ec2.create_vpc(**options, **self.tag_specifications(request))["Vpc"]
        self._set_dns(request, vpc["VpcId"])
        return Made(vpc["VpcId"], self._attributes(request, vpc))

    def change(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Switch DNS; nothing else of a VPC changes here."""
        if not changed <= set(DNS_ATTRIBUTES):
            return super().change(request, current, changed)
        self._set_dns(request, current.physical_id)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; refused while anything is in it, of which moto overlooks security groups."""
        ec2 = account.client("ec2")
        in_vpc = [{"Name": "vpc-id", "Values": [current.physical_id]}]
        for group in ec2.describe_security_groups(Filters=in_vpc)["SecurityGroups"]:
            if group["GroupName"] != "default":
                raise ResourceRefusedError(
                    f"The vpc '{current.physical_id}' has dependencies and cannot be deleted: "
                    f"{group['GroupId']}"
                )
        ec2.delete_vpc(VpcId=current.physical_id)

    @staticmethod
    def _set_dns(request: Request, vpc_id: str) -> None:
        for attribute in DNS_ATTRIBUTES:
            if attribute in request.properties:
                value = str(request.properties[attribute]).lower() == "true"
                request.client("ec2").modify_vpc_attribute(VpcId=vpc_id, **{attribute: {"Value": value}})

    @staticmethod
    def _attributes(request: Request, vpc: Mapping[str, Any]) -> dict[str, Any]:
        ec2 = request.client("ec2")
        in_vpc = [{"Name": "vpc-id", "Values": [vpc["VpcId"]]}]
        default_group = {"Name": "group-name", "Values": ["default"]}
        groups = ec2.describe_security_groups(Filters=[*in_vpc, default_group])["SecurityGroups"]
        acls = ec2.describe_network_acls(Filters=[*in_vpc, {"Name": "default", "Values": ["true"]}])
        return {
            "VpcId": vpc["VpcId"],
            "CidrBlock": vpc["CidrBlock"],
            "CidrBlockAssociations": [item["AssociationId"] for item in vpc["CidrBlockAssociationSet"]],
            "DefaultSecurityGroup": groups[0]["GroupId"],
            "DefaultNetworkAcl": acls["NetworkAcls"][0]["NetworkAclId"],
            "Ipv6CidrBlocks": [],
        }


class VpcCidrBlock(ResourceType):
    """A further block of addresses of a VPC."""

    name = "AWS::EC2::VPCCidrBlock"

    def create(self, request: Request) -> Made:
        """Associate it; a block that overlaps one of the VPC's is refused, which moto does not do."""
        ec2 = request.client("ec2")
        options = request.picked("VpcId", "CidrBlock")
        self._refuse_overlap(ec2.describe_vpcs(VpcIds=[options["VpcId"]])["Vpcs"][0], options["CidrBlock"])
        association = ec2.associate_vpc_cidr_block(**options)["CidrBlockAssociation"]
        return Made(association["AssociationId"], {"Id": association["AssociationId"]})

    def delete(self, account: Account, current: StackResource) -> None:
        """Take it away; refused while a subnet uses it."""
        ec2 = account.client("ec2")
        block = ip_network(current.properties["CidrBlock"])
        in_vpc = [{"Name": "vpc-id", "Values": [current.properties["VpcId"]]}]
        for subnet in ec2.describe_subnets(Filters=in_vpc)["Subnets"]:
            if ip_network(subnet["CidrBlock"]).overlaps(block):
                raise ResourceRefusedError(f"{block} is in use by {subnet['SubnetId']}")
        ec2.disassociate_vpc_cidr_block(AssociationId=current.physical_id)

    @staticmethod
    def _refuse_overlap(vpc: Mapping[str, Any], cidr: str) -> None:
        for association in vpc["CidrBlockAssociationSet"]:
            if association["CidrBlockState"]["State"] not in ("associated", "associating"):
                continue
            if ip_network(association["CidrBlock"]).overlaps(ip_network(cidr)):
                raise ResourceRefusedError(
                    f"{cidr} overlaps {association['CidrBlock']}, which {vpc['VpcId']} already has"
                )


class Subnet(Ec2Type):
    """A subnet, placed by zone id or zone name."""

    name = "AWS::EC2::Subnet"
    tag_type = "subnet"

    def create(self, request: Request) -> Made:
        """Make it.

        A zone id becomes a name first: moto files subnets that are made by id under no zone. It also gives
        the first subnet of a zone public addresses, so the switch is always set.
        """
        ec2 = request.client("ec2")
        options = request.picked("VpcId", "CidrBlock", "AvailabilityZone")
        if "AvailabilityZoneId" in request.properties:
            options["AvailabilityZone"] = _zone_name(ec2, request.properties["AvailabilityZoneId"])
        subnet = ec2.create_subnet(**options, **self.tag_specifications(request))["Subnet"]
        self._set_public_addresses(request, subnet["SubnetId"])
        acl_filter = [{"Name": "association.subnet-id", "Values": [subnet["SubnetId"]]}]
        acls = ec2.describe_network_acls(Filters=acl_filter)["NetworkAcls"]
        associations = [
            item["NetworkAclAssociationId"]
            for acl in acls
            for item in acl["Associations"]
            if item["SubnetId"] == subnet["SubnetId"]
        ]
        attributes = {
            name: subnet[name]
            for name in ("SubnetId", "VpcId", "CidrBlock", "AvailabilityZone", "AvailabilityZoneId")
        }
        if associations:
            attributes["NetworkAclAssociationId"] = associations[0]
        return Made(subnet["SubnetId"], attributes)

    def change(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Switch public addresses."""
        if changed != {"MapPublicIpOnLaunch"}:
            return super().change(request, current, changed)
        self._set_public_addresses(request, current.physical_id)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; refused while something has an interface in it, which moto does not check."""
        ec2 = account.client("ec2")
        in_subnet = [{"Name": "subnet-id", "Values": [current.physical_id]}]
        interfaces = ec2.describe_network_interfaces(Filters=in_subnet)["NetworkInterfaces"]
        if interfaces:
            raise ResourceRefusedError(
                f"The subnet '{current.physical_id}' has dependencies and cannot be deleted: "
                f"{interfaces[0]['NetworkInterfaceId']}"
            )
        ec2.delete_subnet(SubnetId=current.physical_id)

    @staticmethod
    def _set_public_addresses(request: Request, subnet_id: str) -> None:
        value = str(request.properties.get("MapPublicIpOnLaunch", False)).lower() == "true"
        request.client("ec2").modify_subnet_attribute(
            SubnetId=subnet_id, MapPublicIpOnLaunch={"Value": value}
        )


class RouteTable(Ec2Type):
    """A route table."""

    name = "AWS::EC2::RouteTable"
    tag_type = "route-table"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = {**request.picked("VpcId"), **self.tag_specifications(request)}
        table_id = request.client("ec2").create_route_table(**options)["RouteTable"]["RouteTableId"]
        return Made(table_id, {"RouteTableId": table_id})

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("ec2").delete_route_table(RouteTableId=current.physical_id)


class Route(ResourceType):
    """A route of a route table, through one target."""

    name = "AWS::EC2::Route"
    targets = ("GatewayId", "NatGatewayId", "TransitGatewayId", "VpcEndpointId", "NetworkInterfaceId")

    def create(self, request: Request) -> Made:
        """Make it."""
        options = request.picked("RouteTableId", "DestinationCidrBlock", *self.targets)
        request.client("ec2").create_route(**options)
        destination = options["DestinationCidrBlock"]
        return Made(f"{options['RouteTableId']}|{destination}", {"CidrBlock": destination})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Lead it through another target."""
        if not changed <= set(self.targets):
            return super().update(request, current, changed)
        options = request.picked("RouteTableId", "DestinationCidrBlock", *self.targets)
        request.client("ec2").replace_route(**options)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("ec2").delete_route(
            RouteTableId=current.properties["RouteTableId"],
            DestinationCidrBlock=current.properties["DestinationCidrBlock"],
        )


class SubnetRouteTableAssociation(ResourceType):
    """Which route table a subnet uses."""

    name = "AWS::EC2::SubnetRouteTableAssociation"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = request.picked("RouteTableId", "SubnetId")
        association = request.client("ec2").associate_route_table(**options)["AssociationId"]
        return Made(association, {"Id": association})

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("ec2").disassociate_route_table(AssociationId=current.physical_id)


def _zone_name(ec2: Any, zone_id: str) -> str:  # noqa: ANN401  boto3 makes clients at run time
    """The name that a zone id has in this account."""
    zones = {
        zone["ZoneId"]: zone["ZoneName"]
        for zone in ec2.describe_availability_zones(AllAvailabilityZones=True)["AvailabilityZones"]
    }
    if zone_id not in zones:
        raise ResourceRefusedError(f"no zone {zone_id} in this region; it has {', '.join(sorted(zones))}")
    return str(zones[zone_id])


TYPES: tuple[ResourceType, ...] = (
    Vpc(),
    VpcCidrBlock(),
    Subnet(),
    RouteTable(),
    Route(),
    SubnetRouteTableAssociation(),
)

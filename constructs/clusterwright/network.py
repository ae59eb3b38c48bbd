"""The cluster's network: a VPC made for it, by zone id, with NAT or closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from aws_cdk import CfnTag, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from constructs import Construct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.addressing import SubnetPlan

CLOSED_NETWORK_SERVICES = (
    "autoscaling",
    "ec2",
    "ec2messages",
    "ecr.api",
    "ecr.dkr",
    "eks",
    "eks-auth",
    "elasticloadbalancing",
    "fsx",
    "kms",
    "lambda",
    "logs",
    "ssm",
    "ssmmessages",
    "sts",
)
"""Interface endpoints without which nodes of a closed network cannot join, pull or log
(EKS user guide, "Deploy private clusters with limited internet access"; SSM for access to nodes)."""


LOAD_BALANCER_TAGS = {
    "nodes": (CfnTag(key="kubernetes.io/role/internal-elb", value="1"),),
    "public": (CfnTag(key="kubernetes.io/role/elb", value="1"),),
}
"""By which Kubernetes finds the subnets for load balancers (EKS user guide, "View subnet requirements")."""


class ClusterNetwork(Construct):
    """A VPC with the subnets of a plan, a way out, and flow logs.

    Subnets are placed by zone *id*, which CloudFormation resolves at deployment: no look-up at synth.

    Attributes:
        vpc: The VPC.
        subnet_ids: Subnet ids by the plan's names, such as ``Nodes`` and ``ControlPlaneA``.
        zone_names: The zone name of each subnet in this account, by the same names; known at deployment.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        cidr: str,
        subnets: Sequence[SubnetPlan],
        pod_cidr: str | None = None,
        egress: Literal["nat", "none"] = "nat",
        has_express: bool = False,
        name: str = "cluster",
    ) -> None:
        """Make the network.

        Args:
            scope: The parent.
            construct_id: The id; a change replaces the network.
            cidr: The VPC's block.
            subnets: The subnets to make, as `addressing.plan_subnets` gives them.
            pod_cidr: A second block, which the subnets with role ``pods`` divide.
            egress: ``nat`` for a NAT gateway in the public subnet, ``none`` for VPC endpoints only.
            has_express: Whether S3 Express One Zone is used, to which S3's own endpoint leads no way.
            name: What the Name tags begin with.
        """
        super().__init__(scope, construct_id)
        self._name = name
        self._vpc = ec2.CfnVPC(
            self,
            "Vpc",
            cidr_block=cidr,
            enable_dns_hostnames=True,
            enable_dns_support=True,
            tags=self._name_tags("vpc"),
        )
        pod_block = (
            ec2.CfnVPCCidrBlock(self, "PodCidr", vpc_id=self._vpc.ref, cidr_block=pod_cidr)
            if pod_cidr
            else None
        )
        self._subnets = {plan.name: self._add_subnet(plan, pod_block) for plan in subnets}
        self.subnet_ids = {name: subnet.ref for name, subnet in self._subnets.items()}
        self.zone_names = {name: subnet.attr_availability_zone for name, subnet in self._subnets.items()}
        private = [plan for plan in subnets if plan.role != "public"]
        routes = self._add_private_routes(private, egress)
        self.vpc = ec2.Vpc.from_vpc_attributes(
            self,
            "Imported",
            vpc_id=self._vpc.ref,
            vpc_cidr_block=cidr,
            availability_zones=[self.zone_names[plan.name] for plan in private],
            private_subnet_ids=[self.subnet_ids[plan.name] for plan in private],
            private_subnet_route_table_ids=[routes.ref] * len(private),
        )
        self._add_gateway_endpoint("S3Endpoint", "s3", routes)
        if has_express:
            self._add_gateway_endpoint("S3ExpressEndpoint", "s3express", routes)
        if egress == "none":
            self._add_interface_endpoints([cidr, *([pod_cidr] if pod_cidr else [])])
        self._add_flow_logs()

    def _name_tags(self, suffix: str) -> list[CfnTag]:
        return [CfnTag(key="Name", value=f"{self._name}-{suffix}")]

    def _add_subnet(self, plan: SubnetPlan, pod_block: ec2.CfnVPCCidrBlock | None) -> ec2.CfnSubnet:
        subnet = ec2.CfnSubnet(
            self,
            f"{plan.name}Subnet",
            vpc_id=self._vpc.ref,
            availability_zone_id=plan.zone,
            cidr_block=str(plan.cidr),
            map_public_ip_on_launch=False,
            tags=[*self._name_tags(f"{plan.role}-{plan.zone}"), *LOAD_BALANCER_TAGS.get(plan.role, ())],
        )
        if plan.role == "pods" and pod_block is not None:
            subnet.add_resource_dependency(pod_block)
        return subnet

    def _add_private_routes(self, private: Sequence[SubnetPlan], egress: str) -> ec2.CfnRouteTable:
        routes = ec2.CfnRouteTable(
            self, "PrivateRoutes", vpc_id=self._vpc.ref, tags=self._name_tags("private")
        )
        for plan in private:
            ec2.CfnSubnetRouteTableAssociation(
                self,
                f"{plan.name}Routes",
                route_table_id=routes.ref,
                subnet_id=self.subnet_ids[plan.name],
            )
        if egress == "nat":
            ec2.CfnRoute(
                self,
                "WayOut",
                route_table_id=routes.ref,
                destination_cidr_block="0.0.0.0/0",
                nat_gateway_id=self._add_nat_gateway().ref,
            )
        return routes

    def _add_nat_gateway(self) -> ec2.CfnNatGateway:
        """One NAT gateway, in the nodes' own zone: a second zone would only add cost and distance."""
        gateway = ec2.CfnInternetGateway(self, "InternetGateway", tags=self._name_tags("internet"))
        attachment = ec2.CfnVPCGatewayAttachment(
            self, "InternetGatewayAttachment", vpc_id=self._vpc.ref, internet_gateway_id=gateway.ref
        )
        public = ec2.CfnRouteTable(self, "PublicRoutes", vpc_id=self._vpc.ref, tags=self._name_tags("public"))
        ec2.CfnSubnetRouteTableAssociation(
            self, "PublicRoutesUse", route_table_id=public.ref, subnet_id=self.subnet_ids["Public"]
        )
        outward = ec2.CfnRoute(
            self,
            "PublicWayOut",
            route_table_id=public.ref,
            destination_cidr_block="0.0.0.0/0",
            gateway_id=gateway.ref,
        )
        outward.add_resource_dependency(attachment)
        address = ec2.CfnEIP(self, "NatAddress", domain="vpc", tags=self._name_tags("nat"))
        address.add_resource_dependency(attachment)
        nat = ec2.CfnNatGateway(
            self,
            "NatGateway",
            subnet_id=self.subnet_ids["Public"],
            allocation_id=address.attr_allocation_id,
            tags=self._name_tags("nat"),
        )
        nat.add_resource_dependency(outward)
        return nat

    def _add_gateway_endpoint(self, construct_id: str, service: str, routes: ec2.CfnRouteTable) -> None:
        """S3 past the NAT gateway, always: it costs nothing, and NAT charges for every GB of data."""
        ec2.CfnVPCEndpoint(
            self,
            construct_id,
            vpc_id=self._vpc.ref,
            service_name=f"com.amazonaws.{Stack.of(self).region}.{service}",
            vpc_endpoint_type="Gateway",
            route_table_ids=[routes.ref],
        )

    def _add_interface_endpoints(self, cidrs: Sequence[str]) -> None:
        group = ec2.CfnSecurityGroup(
            self,
            "EndpointSecurityGroup",
            group_description=f"{self._name}: HTTPS from the VPC to the VPC endpoints",
            vpc_id=self._vpc.ref,
            security_group_ingress=[
                {
                    "ipProtocol": "tcp",
                    "fromPort": 443,
                    "toPort": 443,
                    "cidrIp": cidr,
                    "description": f"HTTPS from {cidr}",
                }
                for cidr in cidrs
            ],
            tags=self._name_tags("endpoints"),
        )
        for service in CLOSED_NETWORK_SERVICES:
            words = service.replace(".", "-").split("-")
            ec2.CfnVPCEndpoint(
                self,
                "".join(word.title() for word in words) + "Endpoint",
                vpc_id=self._vpc.ref,
                service_name=f"com.amazonaws.{Stack.of(self).region}.{service}",
                vpc_endpoint_type="Interface",
                private_dns_enabled=True,
                security_group_ids=[group.attr_group_id],
                subnet_ids=[self.subnet_ids["ControlPlaneA"]],
            )

    def _add_flow_logs(self) -> None:
        group = logs.LogGroup(
            self,
            "FlowLogGroup",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=RemovalPolicy.DESTROY,
        )
        role = iam.Role(self, "FlowLogRole", assumed_by=iam.ServicePrincipal("vpc-flow-logs.amazonaws.com"))
        group.grant(
            role,
            "logs:CreateLogStream",
            "logs:DescribeLogGroups",
            "logs:DescribeLogStreams",
            "logs:PutLogEvents",
        )
        flow_log = ec2.CfnFlowLog(
            self,
            "FlowLog",
            resource_id=self._vpc.ref,
            resource_type="VPC",
            traffic_type="ALL",
            log_destination_type="cloud-watch-logs",
            log_group_name=group.log_group_name,
            deliver_logs_permission_arn=role.role_arn,
            tags=self._name_tags("flow-log"),
        )
        flow_log.node.add_dependency(role.node.find_child("DefaultPolicy"))


class EfaSecurityGroup(Construct):
    """A security group that lets all traffic pass to and from itself, as EFA needs.

    EFA's traffic is not IP: a rule for 0.0.0.0/0 does not cover it, so both directions name the group itself
    (EC2 user guide, "Get started with EFA"; awsome-distributed-ai #259, #546).

    Attributes:
        security_group_id: Id of the group.
    """

    def __init__(self, scope: Construct, construct_id: str, *, vpc: ec2.IVpc, name: str = "cluster") -> None:
        super().__init__(scope, construct_id)
        group = ec2.CfnSecurityGroup(
            self,
            "Group",
            group_description=f"{name}: EFA traffic among the nodes",
            vpc_id=vpc.vpc_id,
            tags=[CfnTag(key="Name", value=f"{name}-efa")],
        )
        self.security_group_id = group.attr_group_id
        ec2.CfnSecurityGroupIngress(
            self,
            "FromItself",
            group_id=group.attr_group_id,
            ip_protocol="-1",
            source_security_group_id=group.attr_group_id,
            description="All traffic from the nodes of this group, EFA included",
        )
        ec2.CfnSecurityGroupEgress(
            self,
            "ToItself",
            group_id=group.attr_group_id,
            ip_protocol="-1",
            destination_security_group_id=group.attr_group_id,
            description="All traffic to the nodes of this group, EFA included",
        )

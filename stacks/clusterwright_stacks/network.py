"""The network stack: what outlives every cluster in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput
from aws_cdk import aws_ec2 as ec2

from clusterwright.network import ClusterNetwork, EfaSecurityGroup
from clusterwright_stacks.base import ClusterPartStack

if TYPE_CHECKING:
    from aws_cdk import App

    from clusterwright.config.network import ExistingNetworkConfig
    from clusterwright.resolution import ResolvedCluster


class NetworkStack(ClusterPartStack):
    """The VPC, made here or brought along, and the security group for EFA.

    Attributes:
        vpc: The VPC.
        control_plane_subnet_ids: Two subnets for the EKS control plane.
        node_subnet_ids: The nodes' subnet by zone id.
        pod_subnet_ids: The pods' subnet by zone id; empty where pods share the nodes' subnets.
        efa_security_group_id: The security group that lets EFA traffic pass.
    """

    vpc: ec2.IVpc
    control_plane_subnet_ids: list[str]
    node_subnet_ids: dict[str, str]
    pod_subnet_ids: dict[str, str]

    def __init__(self, app: App, *, resolved: ResolvedCluster) -> None:
        config = resolved.config
        super().__init__(app, "network", cluster=config, description=f"Network of the {config.name} cluster")
        if config.network.existing is None:
            self._make_network(resolved)
        else:
            self._bring_network(config.network.existing, resolved)
        group = EfaSecurityGroup(self, "Efa", vpc=self.vpc, name=config.name)
        self.efa_security_group_id = group.security_group_id
        self.keep_exports(self.vpc.vpc_id, self.efa_security_group_id, *self.node_subnet_ids.values())
        CfnOutput(self, "VpcId", value=self.vpc.vpc_id, description="Id of the VPC")

    def _make_network(self, resolved: ResolvedCluster) -> None:
        config = resolved.config.network
        network = ClusterNetwork(
            self,
            "Network",
            cidr=config.cidr,
            subnets=resolved.subnets,
            pod_cidr=config.pod_cidr,
            egress=config.egress,
            has_express=bool(resolved.config.storage.express),
            name=resolved.config.name,
        )
        ids = network.subnet_ids
        self.vpc = network.vpc
        self.control_plane_subnet_ids = [ids["ControlPlaneA"], ids["ControlPlaneB"]]
        self.node_subnet_ids = {
            plan.zone: ids[plan.name] for plan in resolved.subnets if plan.role == "nodes"
        }
        self.pod_subnet_ids = {plan.zone: ids[plan.name] for plan in resolved.subnets if plan.role == "pods"}

    def _bring_network(self, existing: ExistingNetworkConfig, resolved: ResolvedCluster) -> None:
        zones = sorted(existing.subnets)
        self.vpc = ec2.Vpc.from_vpc_attributes(
            self,
            "Existing",
            vpc_id=existing.vpc,
            # Names are known at deployment only; nothing here asks for them.
            availability_zones=zones,
            private_subnet_ids=[existing.subnets[zone] for zone in zones],
        )
        self.control_plane_subnet_ids = [existing.subnets[zone] for zone in resolved.control_plane_zones]
        self.node_subnet_ids = dict(existing.subnets)
        self.pod_subnet_ids = {}

    def home_subnet_ids(self, resolved: ResolvedCluster) -> list[str]:
        """The subnets of the homes: in the nodes' zone, and for Multi-AZ in a second zone."""
        nodes = self.node_subnet_ids[resolved.zone]
        if resolved.home_deployment != "multi-az-1":
            return [nodes]
        return [nodes, self.control_plane_subnet_ids[1]]

"""The cluster stack: the control plane and what nodes need to join it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput

from clusterwright.lifecycle import NodeScripts
from clusterwright.orchestrators.eks import KubernetesCluster
from clusterwright_stacks.base import ClusterPartStack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import App

    from clusterwright.resolution import ResolvedCluster
    from clusterwright_stacks.network import NetworkStack


class ClusterStack(ClusterPartStack):
    """The EKS control plane, and the scripts of its nodes.

    Attributes:
        kubernetes: The cluster.
        scripts: What all nodes run before they join.
    """

    def __init__(
        self, app: App, *, resolved: ResolvedCluster, network: NetworkStack, scripts: Mapping[str, str]
    ) -> None:
        config = resolved.config
        super().__init__(
            app, "cluster", cluster=config, description=f"EKS control plane of the {config.name} cluster"
        )
        orchestrator = resolved.eks
        self.kubernetes = KubernetesCluster(
            self,
            "Kubernetes",
            cluster_name=config.name,
            version=orchestrator.version,
            vpc=network.vpc,
            subnet_ids=network.control_plane_subnet_ids,
            service_cidr=resolved.service_cidr,
            endpoint=orchestrator.endpoint,
            public_access_cidrs=orchestrator.public_access_cidrs,
            admins=orchestrator.admins,
            pod_subnet_ids=network.pod_subnet_ids,
        )
        self.scripts = NodeScripts(self, "NodeScripts", cluster_name=config.name, files=scripts)
        self.scripts.grant_read(self.kubernetes.node_role)
        self.keep_exports(self.kubernetes.security_group_id, self.kubernetes.node_role.role_arn)
        CfnOutput(
            self, "ClusterName", value=self.kubernetes.resource.ref, description="Name of the EKS cluster"
        )
        CfnOutput(
            self,
            "Endpoint",
            value=self.kubernetes.resource.attr_endpoint,
            description=f"Kubernetes API, {orchestrator.endpoint}",
        )
        CfnOutput(
            self,
            "KubeconfigCommand",
            value=f"aws eks update-kubeconfig --name {config.name} --region {config.region}",
            description="Run this to use kubectl",
        )

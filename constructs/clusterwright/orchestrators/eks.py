"""An EKS control plane, private unless told otherwise, and its add-ons."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from aws_cdk import Aws, RemovalPolicy, Stack
from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from constructs import Construct

from clusterwright.guardrails import acknowledge
from clusterwright.identity import make_role, pods_principal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aws_cdk import aws_ec2 as ec2

CONTROL_PLANE_LOGS = ("api", "audit", "authenticator", "controllerManager", "scheduler")

ZONE_ID_LABEL = "topology.k8s.aws/zone-id"
"""The node label by which the VPC CNI finds a node's pod subnet: ids are known at synth, names are not."""

ADMIN_POLICY = f"arn:{Aws.PARTITION}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"

Endpoint = Literal["private", "public", "both"]


class KubernetesCluster(Construct):
    """An EKS cluster with encrypted secrets, all control plane logs and its first add-ons.

    People get in through access entries, pods reach AWS through EKS Pod Identity.

    Attributes:
        cluster_name: Name of the cluster.
        resource: The L1 resource.
        security_group_id: The security group that EKS makes for the control plane and the nodes.
        node_role: The role of the nodes.
        key: The key that encrypts Kubernetes secrets.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        cluster_name: str,
        version: str,
        vpc: ec2.IVpc,
        subnet_ids: Sequence[str] | None = None,
        service_cidr: str | None = None,
        endpoint: Endpoint = "private",
        public_access_cidrs: Sequence[str] = (),
        admins: Sequence[str] = (),
        pod_subnet_ids: Mapping[str, str] | None = None,
        has_deletion_protection: bool = True,
        key: kms.IKey | None = None,
        role: iam.IRole | None = None,
        node_role: iam.IRole | None = None,
    ) -> None:
        """Make the cluster.

        Args:
            scope: The parent.
            construct_id: The id; a change replaces the cluster.
            cluster_name: Name of the cluster; a change replaces it.
            version: Kubernetes version, such as ``1.34``.
            vpc: The network.
            subnet_ids: Subnets of the control plane, in two zones; the VPC's private ones unless given.
            service_cidr: Block for Kubernetes services; EKS picks one unless given.
            endpoint: Where the Kubernetes API answers.
            public_access_cidrs: Who may reach a public endpoint.
            admins: ARNs of the roles and users that administer the cluster.
            pod_subnet_ids: Subnets for pods by zone id; pods share the nodes' subnets unless given.
            has_deletion_protection: Whether EKS refuses to delete the cluster.
            key: Key for Kubernetes secrets; one is made unless given.
            role: Role of the control plane; one is made unless given.
            node_role: Role of the nodes; one is made unless given.
        """
        super().__init__(scope, construct_id)
        self.cluster_name = cluster_name
        self.key = key or self._make_key()
        self.node_role = node_role or self._make_node_role()
        role = role or self._make_role()
        log_group = self._make_log_group()
        self.resource = eks.CfnCluster(
            self,
            "Resource",
            name=cluster_name,
            version=version,
            role_arn=role.role_arn,
            resources_vpc_config={
                "subnetIds": list(subnet_ids or [subnet.subnet_id for subnet in vpc.private_subnets]),
                "endpointPrivateAccess": endpoint != "public",
                "endpointPublicAccess": endpoint != "private",
                "publicAccessCidrs": list(public_access_cidrs) or None,
            },
            kubernetes_network_config={"ipFamily": "ipv4", "serviceIpv4Cidr": service_cidr},
            access_config={"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
            encryption_config=[{"provider": {"keyArn": self.key.key_arn}, "resources": ["secrets"]}],
            logging={"clusterLogging": {"enabledTypes": [{"type": each} for each in CONTROL_PLANE_LOGS]}},
            bootstrap_self_managed_addons=False,
            deletion_protection=has_deletion_protection,
        )
        self.resource.node.add_dependency(log_group)
        role_policy = role.node.try_find_child("DefaultPolicy")
        if role_policy is not None:
            self.resource.node.add_dependency(role_policy)
        if endpoint != "private":
            acknowledge(
                self.resource,
                "AwsSolutions::AwsSolutions-EKS1",
                "cluster.yaml asks for a public endpoint, open to public_access_cidrs alone",
            )
        self.security_group_id = self.resource.attr_cluster_security_group_id
        for arn in admins:
            self._add_admin(arn)
        self._add_daemon_addons(pod_subnet_ids or {})

    def _make_key(self) -> kms.Key:
        return kms.Key(
            self,
            "Key",
            description=f"Kubernetes secrets of {self.cluster_name}",
            enable_key_rotation=True,
            removal_policy=RemovalPolicy.DESTROY,
        )

    def _make_role(self) -> iam.Role:
        role = make_role(
            self,
            "Role",
            principal=iam.ServicePrincipal("eks.amazonaws.com"),
            managed_policies={
                "AmazonEKSClusterPolicy": "EKS asks for it by name; AWS extends it with each version"
            },
        )
        self.key.grant(role, "kms:Encrypt", "kms:Decrypt", "kms:DescribeKey", "kms:ListGrants")
        return role

    def _make_node_role(self) -> iam.Role:
        return make_role(
            self,
            "NodeRole",
            principal=iam.ServicePrincipal("ec2.amazonaws.com"),
            managed_policies={
                "AmazonEKSWorkerNodePolicy": "EKS checks that nodes hold this policy before they join",
                "AmazonEC2ContainerRegistryPullOnly": "AWS's minimum for pulling EKS's own images",
                "AmazonSSMManagedInstanceCore": "Sessions through Systems Manager, instead of SSH keys",
            },
        )

    def _make_log_group(self) -> logs.LogGroup:
        """EKS would make this group itself, and keep its logs for ever."""
        return logs.LogGroup(
            self,
            "Logs",
            log_group_name=f"/aws/eks/{self.cluster_name}/cluster",
            retention=logs.RetentionDays.THREE_MONTHS,
            removal_policy=RemovalPolicy.DESTROY,
        )

    def _add_admin(self, arn: str) -> None:
        eks.CfnAccessEntry(
            self,
            f"Admin{sha256(arn.encode()).hexdigest()[:8].upper()}",
            cluster_name=self.resource.ref,
            principal_arn=arn,
            type="STANDARD",
            access_policies=[
                {
                    "policyArn": ADMIN_POLICY,
                    "accessScope": {"type": "cluster"},
                }
            ],
        )

    def _add_daemon_addons(self, pod_subnet_ids: Mapping[str, str]) -> None:
        """The add-ons that nodes need in order to become ready; they are content with no node at all."""
        identity = make_addon(self, "eks-pod-identity-agent", cluster_name=self.resource.ref)
        role = make_role(
            self,
            "VpcCniRole",
            principal=pods_principal(),
            managed_policies={
                "AmazonEKS_CNI_Policy": "AWS says what its VPC CNI does; only its pods have it"
            },
        )
        network = make_addon(
            self,
            "vpc-cni",
            cluster_name=self.resource.ref,
            service_accounts=("aws-node",),
            role=role,
            configuration=self._vpc_cni_configuration(pod_subnet_ids),
        )
        network.add_resource_dependency(identity)
        make_addon(self, "kube-proxy", cluster_name=self.resource.ref)

    def _vpc_cni_configuration(self, pod_subnet_ids: Mapping[str, str]) -> dict[str, Any]:
        environment = {"ENABLE_PREFIX_DELEGATION": "true", "WARM_PREFIX_TARGET": "1"}
        if not pod_subnet_ids:
            return {"env": environment}
        return {
            "env": environment
            | {"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG": "true", "ENI_CONFIG_LABEL_DEF": ZONE_ID_LABEL},
            "eniConfig": {
                "create": True,
                "region": Stack.of(self).region,
                "subnets": {
                    zone: {"id": subnet_id, "securityGroups": [self.security_group_id]}
                    for zone, subnet_id in pod_subnet_ids.items()
                },
            },
        }


class PlatformAddons(Construct):
    """The add-ons that run as ordinary pods, so that they need nodes to become active."""

    def __init__(self, scope: Construct, construct_id: str, *, cluster_name: str) -> None:
        super().__init__(scope, construct_id)
        make_addon(self, "coredns", cluster_name=cluster_name)
        make_addon(self, "eks-node-monitoring-agent", cluster_name=cluster_name)
        role = make_role(
            self,
            "EbsCsiRole",
            principal=pods_principal(),
            managed_policies={
                "AmazonEBSCSIDriverPolicyV2": "AWS's policy for its driver, limited to its volumes"
            },
        )
        make_addon(
            self,
            "aws-ebs-csi-driver",
            cluster_name=cluster_name,
            service_accounts=("ebs-csi-controller-sa",),
            role=role,
        )


def make_addon(
    scope: Construct,
    name: str,
    *,
    cluster_name: str,
    service_accounts: Sequence[str] = (),
    role: iam.IRole | None = None,
    configuration: Mapping[str, Any] | None = None,
) -> eks.CfnAddon:
    """An EKS add-on, with a pod identity where it calls AWS.

    Args:
        scope: The parent.
        name: AWS's name of the add-on; the construct's id follows from it.
        cluster_name: Name of the cluster.
        service_accounts: The service accounts that assume `role`.
        role: The role of its pods.
        configuration: Its configuration values.
    """
    identities = [
        {"serviceAccount": account, "roleArn": role.role_arn} for account in service_accounts if role
    ]
    return eks.CfnAddon(
        scope,
        "".join(word.title() for word in name.split("-")) + "Addon",
        addon_name=name,
        cluster_name=cluster_name,
        configuration_values=Stack.of(scope).to_json_string(configuration) if configuration else None,
        pod_identity_associations=identities or None,
        resolve_conflicts="OVERWRITE",
    )

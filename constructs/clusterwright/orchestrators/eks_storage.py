"""Storage in an EKS cluster: the CSI drivers, and the volumes as part of the deployment."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from aws_cdk import Aws, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk import aws_eks_v2 as eks_v2
from aws_cdk import aws_iam as iam
from aws_cdk.lambda_layer_kubectl_v35 import KubectlV35Layer
from constructs import Construct

from clusterwright.guardrails import acknowledge, acknowledge_managed_policy, acknowledge_wildcard
from clusterwright.identity import make_role, pods_principal
from clusterwright.labels import pascal_case
from clusterwright.orchestrators.eks import ADMIN_POLICY, make_addon
from clusterwright.orchestrators.volumes import (
    Volume,
    bucket_volume,
    express_volume,
    home_volume,
    lustre_volume,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aws_cdk import CfnElement
    from aws_cdk import aws_kms as kms

    from clusterwright.config.storage import StorageConfig
    from clusterwright.storage import ClusterStorage

OBJECT_READS = ("s3:GetObject",)
OBJECT_WRITES = ("s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload")
KEY_READS = ("kms:Decrypt",)
KEY_WRITES = ("kms:GenerateDataKey",)


class KubernetesStorage(Construct):
    """The drivers for FSx and S3, and one volume for each file system and bucket."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        cluster_name: str,
        cluster_security_group_id: str,
        vpc: ec2.IVpc,
        subnet_ids: Sequence[str],
        config: StorageConfig,
        storage: ClusterStorage,
        users: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Make the drivers and apply the volumes.

        Args:
            scope: The parent.
            construct_id: The id.
            cluster_name: Name of the EKS cluster.
            cluster_security_group_id: The security group that may reach the Kubernetes API.
            vpc: The VPC.
            subnet_ids: Subnets from which the Kubernetes API is reached while deploying.
            config: What the storage is to be.
            storage: The storage.
            users: The pools that use each item, by ``SECTION.NAME``; all are used unless given. The S3 driver
                has no rights to what nobody uses.
        """
        super().__init__(scope, construct_id)
        self._cluster_name = cluster_name
        self._users = users
        if config.lustre:
            self._add_fsx_driver()
        if config.buckets or config.express:
            self._add_s3_driver(config, storage)
        volumes = list_volumes(config, storage, region=Stack.of(self).region)
        if volumes:
            cluster = self._import_cluster(vpc, subnet_ids, cluster_security_group_id)
            for volume in volumes:
                self._apply(cluster, volume)

    def _add_fsx_driver(self) -> None:
        """File systems are made by CloudFormation, so the driver only needs to look at them.

        Without that look it mounts over TCP what it could mount over EFA, and says nothing
        (awsome-distributed-ai #1202).
        """
        role = iam.Role(self, "FsxCsiRole", assumed_by=pods_principal())
        role.add_to_policy(iam.PolicyStatement(actions=["fsx:DescribeFileSystems"], resources=["*"]))
        acknowledge_wildcard(role, "*", "fsx:DescribeFileSystems lists, and takes no narrower resource")
        make_addon(
            self,
            "aws-fsx-csi-driver",
            cluster_name=self._cluster_name,
            service_accounts=("fsx-csi-controller-sa", "fsx-csi-node-sa"),
            # The CDK would add rights to pull charts from ECR; manifests need none.
            role=role.without_policy_updates(),
        )

    def _add_s3_driver(self, config: StorageConfig, storage: ClusterStorage) -> None:
        """One role for all nodes: EKS Pod Identity knows the driver's pods, and not the pools they run in."""
        role = iam.Role(self, "S3CsiRole", assumed_by=pods_principal())
        keys: dict[str, set[str]] = {}
        for name, bucket in storage.buckets.items():
            if not self._is_used(f"buckets.{name}"):
                continue
            is_read_only = config.buckets[name].read_only
            objects = f"{bucket.bucket_arn}/*"
            _allow(role, ["s3:ListBucket"], [bucket.bucket_arn])
            _allow(role, [*OBJECT_READS, *(() if is_read_only else OBJECT_WRITES)], [objects])
            acknowledge_wildcard(role, objects, "All objects of a bucket that pods mount as a whole")
            _add_key(keys, bucket.key, is_read_only=is_read_only)
        for name, express in storage.express.items():
            if self._is_used(f"express.{name}"):
                _allow(role, ["s3express:CreateSession"], [express.bucket_arn])
                _add_key(keys, express.key)
        for arn, actions in keys.items():
            _allow(role, sorted(actions), [arn])
        make_addon(
            self,
            "aws-mountpoint-s3-csi-driver",
            cluster_name=self._cluster_name,
            service_accounts=("s3-csi-driver-sa",),
            # The CDK would add rights to pull charts from ECR; manifests need none.
            role=role.without_policy_updates(),
        )

    def _is_used(self, item: str) -> bool:
        return self._users is None or bool(self._users.get(item))

    def _import_cluster(
        self, vpc: ec2.IVpc, subnet_ids: Sequence[str], security_group_id: str
    ) -> eks_v2.ICluster:
        """The cluster as the CDK's kubectl provider wants it; the function becomes an admin of it."""
        subnets = [
            ec2.Subnet.from_subnet_attributes(
                self, f"DeploymentSubnet{number}", subnet_id=subnet_id, availability_zone=f"{number}"
            )
            for number, subnet_id in enumerate(subnet_ids)
        ]
        group = ec2.SecurityGroup.from_security_group_id(
            self, "ClusterSecurityGroup", security_group_id, mutable=False
        )
        role = self._make_kubectl_role()
        provider = eks_v2.KubectlProvider(
            self,
            "KubectlProvider",
            cluster=eks_v2.Cluster.from_cluster_attributes(
                self, "ClusterOfProvider", cluster_name=self._cluster_name, vpc=vpc
            ),
            kubectl_layer=KubectlV35Layer(self, "Kubectl"),
            private_subnets=subnets,
            security_groups=[group],
            # The CDK would add rights to pull charts from ECR; manifests need none.
            role=role.without_policy_updates(),
        )
        self._let_in(role)
        _acknowledge_provider(provider)
        # A condition of the CDK's for the rights to ECR, which nothing uses here.
        self.node.try_remove_child("HasEcrPublic")
        return eks_v2.Cluster.from_cluster_attributes(
            self, "Cluster", cluster_name=self._cluster_name, vpc=vpc, kubectl_provider=provider
        )

    def _make_kubectl_role(self) -> iam.Role:
        stack = Stack.of(self)
        role = make_role(
            self,
            "KubectlRole",
            principal=iam.ServicePrincipal("lambda.amazonaws.com"),
            managed_policies={
                "service-role/AWSLambdaVPCAccessExecutionRole": "AWS's minimum for a function in a VPC"
            },
        )
        cluster = f"arn:{Aws.PARTITION}:eks:{stack.region}:{Aws.ACCOUNT_ID}:cluster/{self._cluster_name}"
        _allow(role, ["eks:DescribeCluster"], [cluster])
        return role

    def _let_in(self, role: iam.IRole) -> None:
        eks.CfnAccessEntry(
            self,
            "KubectlAccess",
            cluster_name=self._cluster_name,
            principal_arn=role.role_arn,
            type="STANDARD",
            access_policies=[{"policyArn": ADMIN_POLICY, "accessScope": {"type": "cluster"}}],
        )

    def _apply(self, cluster: eks_v2.ICluster, volume: Volume) -> None:
        manifest = eks_v2.KubernetesManifest(
            self,
            "Volume" + pascal_case(volume.name),
            cluster=cluster,
            manifest=volume.manifests(),
            overwrite=True,
            prune=False,
        )
        access = self.node.try_find_child("KubectlAccess")
        if access is not None:
            manifest.node.add_dependency(access)


def list_volumes(config: StorageConfig, storage: ClusterStorage, *, region: str) -> list[Volume]:
    """The volumes of all storage, in the order of the file.

    Args:
        config: What the storage is to be.
        storage: The storage.
        region: The region of the buckets.
    """
    volumes = [
        lustre_volume(
            name,
            config.lustre[name],
            file_system_id=system.file_system_id,
            dns_name=system.dns_name,
            mount_name=system.mount_name,
        )
        for name, system in storage.lustre.items()
    ]
    volumes += [
        bucket_volume(
            name,
            config.buckets[name],
            bucket_name=bucket.bucket_name,
            region=region,
        )
        for name, bucket in storage.buckets.items()
    ]
    volumes += [
        express_volume(name, bucket_name=bucket.bucket_name, region=region)
        for name, bucket in storage.express.items()
    ]
    if config.home is not None and storage.home is not None:
        volumes.append(home_volume(config.home, dns_name=storage.home.dns_name, export=storage.home.export))
    return volumes


def _acknowledge_provider(provider: eks_v2.KubectlProvider) -> None:
    """The CDK's own functions, as the CDK makes them."""
    for policy in ("AWSLambdaBasicExecutionRole", "AWSLambdaVPCAccessExecutionRole"):
        acknowledge_managed_policy(
            provider, f"service-role/{policy}", "AWS's minimum for the CDK's own function in a VPC"
        )
    handler = cast("CfnElement", provider.node.find_child("Handler").node.default_child)
    acknowledge_wildcard(
        provider,
        f"<{Stack.of(provider).resolve(handler.logical_id)}.Arn>:*",
        "The provider's own function calls the handler, whatever its version",
    )
    acknowledge(
        provider,
        "AwsSolutions::AwsSolutions-L1",
        "The CDK chooses the runtime of its own functions and tests it",
    )


def _allow(role: iam.Role, actions: Sequence[str], resources: Sequence[str]) -> None:
    role.add_to_policy(iam.PolicyStatement(actions=list(actions), resources=list(resources)))


def _add_key(keys: dict[str, set[str]], key: kms.IKey | None, *, is_read_only: bool = False) -> None:
    """Add what a bucket's key is used for, if it has one, to the uses of each key by its ARN."""
    if key is not None:
        keys.setdefault(key.key_arn, set()).update(KEY_READS if is_read_only else (*KEY_READS, *KEY_WRITES))

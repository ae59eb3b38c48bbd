"""What stands in the account: the stacks of a cluster, and the protection of its control plane.

The CDK sees the stacks that the file describes. A pool that was taken out of the file still stands, costs
money and keeps what it uses from being deleted: only the account knows of it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError, WaiterError

from clusterwright.errors import ToolError
from clusterwright.labels import CLUSTER_TAG
from clusterwright.storage_record import has_storage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from types_boto3_cloudformation import CloudFormationClient
    from types_boto3_eks import EKSClient

    from clusterwright.config.cluster import ClusterConfig


def stack_names(cluster: ClusterConfig) -> tuple[str, ...]:
    """The names of the stacks that a file describes."""
    pools = [f"pool-{name}" for name in cluster.pools]
    parts = ["network", *(["storage"] if has_storage(cluster) else []), "cluster", *pools, "platform"]
    return tuple(f"{cluster.name}-{part}" for part in parts)


def lasting_stacks(cluster: ClusterConfig) -> tuple[str, ...]:
    """The stacks that outlive the cluster: where a file system is retained, its own and the network's.

    A file system has interfaces in the network's subnets and in security groups, so that neither can be
    deleted while it stands. Buckets are in no network: they alone keep no stack.
    """
    storage = cluster.storage
    keeps_home = storage.home is not None and storage.home.retain
    if not keeps_home and not any(system.retain for system in storage.lustre.values()):
        return ()
    return f"{cluster.name}-network", f"{cluster.name}-storage"


class DeployedCluster:
    """A cluster as it stands in the account of the caller's credentials.

    Every question raises ToolError, with AWS's words, where AWS does not answer it.
    """

    def __init__(
        self, cluster: ClusterConfig, *, cloudformation: CloudFormationClient, eks: EKSClient
    ) -> None:
        """Ask through these clients.

        Args:
            cluster: What the file says.
            cloudformation: Client in the cluster's region.
            eks: Client in the cluster's region.
        """
        self._cluster = cluster
        self._cloudformation = cloudformation
        self._eks = eks

    @classmethod
    def connect(cls, cluster: ClusterConfig, *, profile: str | None = None) -> DeployedCluster:
        """Use the credentials of a profile, or those that boto3 finds.

        Args:
            cluster: What the file says.
            profile: Profile of the AWS configuration.

        Raises:
            ToolError: There is no such profile.
        """
        try:
            session = boto3.Session(profile_name=profile, region_name=cluster.region)
            return cls(cluster, cloudformation=session.client("cloudformation"), eks=session.client("eks"))
        except BotoCoreError as error:
            raise ToolError(str(error)) from error

    def find_stacks(self) -> tuple[str, ...]:
        """The names of all stacks that carry this cluster's tag, sorted."""
        try:
            pages = self._cloudformation.get_paginator("describe_stacks").paginate()
            stacks = [stack for page in pages for stack in page["Stacks"]]
        except (BotoCoreError, ClientError) as error:
            raise ToolError(f"CloudFormation does not list the stacks: {error}") from error
        tagged = {"Key": CLUSTER_TAG, "Value": self._cluster.name}
        return tuple(sorted(stack["StackName"] for stack in stacks if tagged in stack.get("Tags", [])))

    def find_orphans(self) -> tuple[str, ...]:
        """The stacks of this cluster that the file does not describe any more, sorted."""
        described = stack_names(self._cluster)
        return tuple(name for name in self.find_stacks() if name not in described)

    def read_template(self, stack: str) -> dict[str, Any]:
        """The template of a stack as it stands; empty where there is no such stack."""
        try:
            body: Any = self._cloudformation.get_template(StackName=stack)["TemplateBody"]
        except ClientError as error:
            if "does not exist" in str(error):
                return {}
            raise ToolError(f"CloudFormation does not give the template of {stack}: {error}") from error
        except BotoCoreError as error:
            raise ToolError(f"CloudFormation does not give the template of {stack}: {error}") from error
        template: dict[str, Any] = json.loads(body) if isinstance(body, str) else dict(body)
        return template

    def allow_deletion(self) -> bool:
        """Lift EKS's deletion protection.

        Returns:
            Whether there is a control plane; nothing is made where there is none.
        """
        name = self._cluster.name
        try:
            cluster = self._eks.describe_cluster(name=name)["cluster"]
            if cluster.get("deletionProtection"):
                self._eks.update_cluster_config(name=name, deletionProtection=False)
                self._eks.get_waiter("cluster_active").wait(name=name)
        except self._eks.exceptions.ResourceNotFoundException:
            return False
        except (BotoCoreError, ClientError, WaiterError) as error:
            raise ToolError(f"EKS does not let its deletion protection be lifted: {error}") from error
        return True

    def delete_stacks(self, names: Iterable[str]) -> None:
        """Delete stacks that no file describes, all at once, and wait for their end."""
        names = tuple(names)
        try:
            for name in names:
                self._cloudformation.delete_stack(StackName=name)
            for name in names:
                self._cloudformation.get_waiter("stack_delete_complete").wait(StackName=name)
        except (BotoCoreError, ClientError, WaiterError) as error:
            raise ToolError(f"CloudFormation did not delete {', '.join(names)}: {error}") from error

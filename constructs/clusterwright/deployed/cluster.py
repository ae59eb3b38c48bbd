"""What stands in the account: the stacks of a cluster, and the protection of its control plane.

The CDK sees the stacks that the file describes. A pool that was taken out of the file still stands, costs
money and keeps what it uses from being deleted: only the account knows of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import boto3
from botocore.exceptions import BotoCoreError, ClientError, WaiterError

from clusterwright.deployed.stacks import list_stacks, read_template
from clusterwright.deployed.storage import DeployedStorage
from clusterwright.errors import ToolError
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


ClientFactory = Callable[[str], Any]
"""Makes a boto3 client, in the cluster's region, by the service's name."""


class DeployedCluster:
    """A cluster as it stands in the account of the caller's credentials.

    Every question raises ToolError, with AWS's words, where AWS does not answer it.

    Attributes:
        cluster: What the file says.
        storage: Its storage.
    """

    def __init__(self, cluster: ClusterConfig, client: ClientFactory) -> None:
        """Ask through these clients.

        Args:
            cluster: What the file says.
            client: Makes clients of AWS's services.
        """
        self.cluster = cluster
        self._cloudformation: CloudFormationClient = client("cloudformation")
        self._eks: EKSClient = client("eks")
        self.storage = DeployedStorage(cluster, client)

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
            return cls(cluster, cast("ClientFactory", session.client))
        except BotoCoreError as error:
            raise ToolError(str(error)) from error

    def find_stacks(self) -> tuple[str, ...]:
        """The names of all stacks that carry this cluster's tag, sorted."""
        return list_stacks(self._cloudformation, self.cluster.name)

    def find_orphans(self) -> tuple[str, ...]:
        """The stacks of this cluster that the file does not describe any more, sorted."""
        described = stack_names(self.cluster)
        return tuple(name for name in self.find_stacks() if name not in described)

    def find_users(self, stack: str) -> tuple[str, ...]:
        """The stacks of this cluster that use the network or the storage, sorted.

        All use the network. Those that read the storage say so in their templates, and CloudFormation does
        not keep the storage from being deleted under them.
        """
        others = [name for name in self.find_stacks() if name != stack]
        if stack == f"{self.cluster.name}-storage":
            return tuple(name for name in others if _reads(self.read_template(name), stack))
        return tuple(others) if stack == f"{self.cluster.name}-network" else ()

    def read_template(self, stack: str) -> dict[str, Any]:
        """The template of a stack as it stands; empty where there is no such stack."""
        return read_template(self._cloudformation, stack)

    def allow_deletion(self) -> bool:
        """Lift EKS's deletion protection.

        Returns:
            Whether there is a control plane; nothing is made where there is none.
        """
        name = self.cluster.name
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


def _reads(value: Any, stack: str) -> bool:  # noqa: ANN401  part of a template
    """Whether a template reads an output of another stack."""
    if isinstance(value, dict):
        read = value.get("Fn::GetStackOutput")
        own = isinstance(read, dict) and read.get("StackName") == stack
        return own or any(_reads(each, stack) for each in value.values())
    return isinstance(value, list) and any(_reads(each, stack) for each in value)

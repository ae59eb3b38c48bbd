"""The storage stack: data that outlives the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput

from clusterwright.labels import pascal_case
from clusterwright.resolution import is_local_zone
from clusterwright.storage import ClusterStorage
from clusterwright_stacks.base import ClusterPartStack

if TYPE_CHECKING:
    from aws_cdk import App

    from clusterwright.resolution import ResolvedCluster
    from clusterwright_stacks.network import NetworkStack


class StorageStack(ClusterPartStack):
    """Buckets and file systems.

    Attributes:
        storage: The storage.
    """

    def __init__(self, app: App, *, resolved: ResolvedCluster, network: NetworkStack) -> None:
        config = resolved.config
        super().__init__(app, "storage", cluster=config, description=f"Storage of the {config.name} cluster")
        self.storage = ClusterStorage(
            self,
            "Storage",
            config=config.storage,
            name=config.name,
            vpc=network.vpc,
            zone=resolved.zone,
            subnet_id=network.node_subnet_ids[resolved.zone],
            home_deployment=resolved.home_deployment,
            home_subnet_ids=network.home_subnet_ids(resolved),
            is_local_zone=is_local_zone(resolved.zone),
        )
        groups = [self.storage.lustre_security_group_id, self.storage.home_security_group_id]
        self.keep_exports(*(group for group in groups if group is not None))
        self._add_outputs()

    def security_groups_for(self, pool: str, resolved: ResolvedCluster) -> list[str]:
        """The security groups that a pool's nodes need in order to reach their file systems."""
        users = resolved.storage_pools
        uses_lustre = any(pool in users[f"lustre.{name}"] for name in self.storage.lustre)
        groups = [
            self.storage.lustre_security_group_id if uses_lustre else None,
            self.storage.home_security_group_id if pool in users.get("home", ()) else None,
        ]
        return [group for group in groups if group is not None]

    def _add_outputs(self) -> None:
        for name, bucket in self.storage.buckets.items():
            self._output(f"bucket-{name}", bucket.bucket_name, "Name of the bucket")
        for name, express in self.storage.express.items():
            self._output(f"express-{name}", express.bucket_name, "Name of the directory bucket")
        for name, system in self.storage.lustre.items():
            self._output(
                f"lustre-{name}", f"{system.dns_name}@tcp:/{system.mount_name}", "What clients mount"
            )
        if self.storage.home is not None:
            self._output("home", self.storage.home.dns_name, "NFS server of the homes")

    def _output(self, name: str, value: str, description: str) -> None:
        CfnOutput(self, pascal_case(name), value=value, description=description)

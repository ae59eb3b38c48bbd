"""The storage stack: data that outlives the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput, CrossStackReferences, ReferenceStrength
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_kms as kms

from clusterwright.labels import output_id
from clusterwright.resolution import is_local_zone
from clusterwright.storage import ClusterStorage, LustreClients
from clusterwright.storage_record import as_metadata, record_storage
from clusterwright_stacks.base import ClusterPartStack

if TYPE_CHECKING:
    from aws_cdk import App
    from constructs import Construct

    from clusterwright.resolution import ResolvedCluster, ResolvedPool
    from clusterwright_stacks.network import NetworkStack


REFERRED = (ec2.CfnSecurityGroup, fsx.CfnFileSystem, kms.CfnKey)
"""What other stacks refer to; buckets have names that need no reference."""


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
        self._vpc = network.vpc
        self._let_entries_go()
        self.template_options.metadata = as_metadata(record_storage(resolved))
        self._add_outputs()

    def security_groups_for(
        self, pool: ResolvedPool, resolved: ResolvedCluster, *, scope: Construct
    ) -> list[str]:
        """The security groups that a pool's nodes need in order to reach their file systems.

        Args:
            pool: The pool.
            resolved: The cluster.
            scope: The pool's own stack, where its group of Lustre clients is made.
        """
        users = resolved.storage_pools
        systems = {
            name: system
            for name, system in self.storage.lustre.items()
            if pool.name in users[f"lustre.{name}"]
        }
        groups = []
        if systems:
            clients = LustreClients(
                scope,
                "Lustre",
                vpc=self._vpc,
                file_systems=systems,
                servers_security_group_id=self.storage.access.lustre_servers_id,
                has_efa=pool.has_efa,
                name=f"{resolved.config.name}-{pool.name}-lustre",
            )
            groups.append(clients.security_group_id)
        if self.storage.home is not None and pool.name in users["home"]:
            groups.append(self.storage.access.home_clients_id)
        return groups

    def _let_entries_go(self) -> None:
        """Let other stacks read from this one without exports.

        With exports no entry could ever be taken out of the file: this stack is deployed before those that
        use it, and CloudFormation deletes no export that is in use.
        """
        for resource in self.node.find_all():
            if isinstance(resource, REFERRED):
                CrossStackReferences.of(resource).produce(ReferenceStrength.WEAK)

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
        CfnOutput(self, output_id(name), value=value, description=description)

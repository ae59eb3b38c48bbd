"""One stack a pool: it comes and goes with its capacity, and fails alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput

from clusterwright.labels import CLUSTER_TAG, POOL_TAG, SOFTWARE_TAG
from clusterwright.orchestrators.node_pool import NodePool
from clusterwright_lifecycle.contexts import BootContext
from clusterwright_stacks.base import ClusterPartStack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import App

    from clusterwright.resolution import ResolvedCluster, ResolvedPool
    from clusterwright.software import Software
    from clusterwright_stacks.cluster import ClusterStack
    from clusterwright_stacks.network import NetworkStack
    from clusterwright_stacks.storage import StorageStack


class PoolStack(ClusterPartStack):
    """The nodes of one pool.

    Attributes:
        pool: The pool.
    """

    def __init__(
        self,
        app: App,
        *,
        resolved: ResolvedCluster,
        pool: ResolvedPool,
        network: NetworkStack,
        cluster: ClusterStack,
        software: Software,
        own_files: Mapping[str, str],
        storage: StorageStack | None = None,
    ) -> None:
        config = resolved.config
        super().__init__(
            app,
            f"pool-{pool.name}",
            cluster=config,
            description=f"Pool {pool.name} of the {config.name} cluster: {pool.spec.name}",
        )
        kubernetes = cluster.kubernetes
        groups = [kubernetes.security_group_id]
        if pool.has_efa:
            groups.append(network.efa_security_group_id)
        if storage is not None:
            groups += storage.security_groups_for(pool, resolved, scope=self)
        self.pool = NodePool(
            self,
            "Pool",
            pool=pool,
            cluster_name=kubernetes.cluster_name,
            subnet_ids=[network.node_subnet_ids[pool.zone]],
            security_group_ids=groups,
            node_role=kubernetes.node_role,
            version=resolved.eks.version,
            image_release=software.versions["eks-ami"],
            boot=BootContext(
                region=config.region,
                archive_url=cluster.scripts.url,
                archive_sha256=cluster.scripts.sha256,
                own=dict(own_files),
            ),
            local_nvme=config.storage.local_nvme,
            volumes=resolved.volumes_of(pool.name),
            tags={
                CLUSTER_TAG: config.name,
                POOL_TAG: pool.name,
                SOFTWARE_TAG: software.content_hash,
                **config.tags,
            },
        )
        self.add_stack_dependency(cluster)
        CfnOutput(
            self,
            "NodeGroup",
            value=self.pool.node_group.ref,
            description="Cluster and name of the node group",
        )

"""The platform stack: add-ons that need nodes, and the storage as Kubernetes sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.orchestrators.eks import PlatformAddons
from clusterwright_stacks.base import ClusterPartStack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aws_cdk import App

    from clusterwright.resolution import ResolvedCluster
    from clusterwright_stacks.cluster import ClusterStack
    from clusterwright_stacks.network import NetworkStack
    from clusterwright_stacks.pool import PoolStack
    from clusterwright_stacks.storage import StorageStack


class PlatformStack(ClusterPartStack):
    """The add-ons that run as ordinary pods, made once the pools for them are there."""

    def __init__(
        self,
        app: App,
        *,
        resolved: ResolvedCluster,
        network: NetworkStack,
        cluster: ClusterStack,
        storage: StorageStack | None,
        pools: Iterable[PoolStack],
    ) -> None:
        config = resolved.config
        super().__init__(
            app, "platform", cluster=config, description=f"Platform add-ons of the {config.name} cluster"
        )
        PlatformAddons(self, "Addons", cluster_name=config.name)
        if storage is not None:
            self.add_stack_dependency(storage)
            self._add_storage(resolved, network, cluster, storage)
        for pool in pools:
            self.add_stack_dependency(pool)

    def _add_storage(
        self, resolved: ResolvedCluster, network: NetworkStack, cluster: ClusterStack, storage: StorageStack
    ) -> None:
        # Its kubectl layer weighs 36 MB and is unpacked when it is loaded.
        from clusterwright.orchestrators.eks_storage import KubernetesStorage  # noqa: PLC0415  see above

        KubernetesStorage(
            self,
            "Storage",
            cluster_name=resolved.config.name,
            cluster_security_group_id=cluster.kubernetes.security_group_id,
            vpc=network.vpc,
            subnet_ids=network.control_plane_subnet_ids,
            config=resolved.config.storage,
            storage=storage.storage,
            users=resolved.storage_pools,
        )

"""The stacks of a cluster on Amazon EKS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.node_context import make_node_contexts, select_software
from clusterwright_lifecycle.bundles import render_bundle
from clusterwright_stacks.cluster import ClusterStack
from clusterwright_stacks.platform import PlatformStack
from clusterwright_stacks.pool import PoolStack

if TYPE_CHECKING:
    from aws_cdk import App

    from clusterwright.resolution import ResolvedCluster
    from clusterwright_stacks.network import NetworkStack
    from clusterwright_stacks.storage import StorageStack


def add_stacks(
    app: App, *, resolved: ResolvedCluster, network: NetworkStack, storage: StorageStack | None
) -> None:
    """Add the control plane, a stack a pool, and the add-ons.

    Args:
        app: The app.
        resolved: The cluster.
        network: Its network.
        storage: Its storage, or None.
    """
    bundles = {name: render_bundle(node) for name, node in make_node_contexts(resolved).items()}
    shared = next(iter(bundles.values())).shared
    control_plane = ClusterStack(app, resolved=resolved, network=network, scripts=shared)
    software = select_software(resolved)
    pools = {
        pool.name: PoolStack(
            app,
            resolved=resolved,
            pool=pool,
            network=network,
            cluster=control_plane,
            software=software,
            own_files=bundles[pool.name].own,
            storage=storage,
        )
        for pool in resolved.pools
    }
    PlatformStack(
        app,
        resolved=resolved,
        network=network,
        cluster=control_plane,
        storage=storage,
        pools=[pools[pool.name] for pool in resolved.system_pools],
    )

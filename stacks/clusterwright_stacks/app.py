"""The CDK app: one cluster, in stacks by lifetime.

NAME-network     the VPC
NAME-cluster     the control plane
NAME-pool-POOL   one a pool: comes and goes with its capacity, and fails alone
NAME-platform    add-ons that need nodes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import App, Tags

from clusterwright.labels import CLUSTER_TAG
from clusterwright.node_context import make_node_contexts, select_software
from clusterwright.resolution import require_eks, resolve
from clusterwright_lifecycle.bundles import render_bundle
from clusterwright_stacks.cluster import ClusterStack
from clusterwright_stacks.network import NetworkStack
from clusterwright_stacks.platform import PlatformStack
from clusterwright_stacks.pool import PoolStack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.resolution import ResolvedCluster
    from clusterwright_stacks.storage import StorageStack


FEATURE_FLAGS = {
    "@aws-cdk/aws-iam:minimizePolicies": True,
    "@aws-cdk/core:defaultCrossStackReferences": "strong",
}
"""Behaviours of the CDK that newer apps have and ours asks for."""


def build_app(
    cluster: ClusterConfig, *, outdir: str | None = None, context: Mapping[str, Any] | None = None
) -> App:
    """Make the app of one cluster. Nothing is written before ``synth()``.

    Args:
        cluster: The cluster; it should have passed the checks.
        outdir: Where the cloud assembly goes; the CDK's choice unless given.
        context: CDK context, beside that which the CDK CLI passes.

    Raises:
        ClusterwrightError: The cluster leaves something open that cannot be decided, or names an orchestrator
            that this release makes no stacks of.
    """
    require_eks(cluster)
    resolved = resolve(cluster)
    app = App(
        outdir=outdir,
        context={**FEATURE_FLAGS, **(context or {})},
        # The CDK CLI asks for paths in templates; without it they would differ from those of `synth`.
        post_cli_context={"aws:cdk:enable-path-metadata": True},
        analytics_reporting=False,
        tree_metadata=False,
    )
    for key, value in {CLUSTER_TAG: cluster.name, **cluster.tags}.items():
        Tags.of(app).add(key, value)
    network = NetworkStack(app, resolved=resolved)
    bundles = {name: render_bundle(node) for name, node in make_node_contexts(resolved).items()}
    shared = next(iter(bundles.values())).shared
    control_plane = ClusterStack(app, resolved=resolved, network=network, scripts=shared)
    storage = _add_storage(app, resolved, network)
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
    return app


def _add_storage(app: App, resolved: ResolvedCluster, network: NetworkStack) -> StorageStack | None:
    config = resolved.config.storage
    if not (config.buckets or config.express or config.lustre or config.home):
        return None
    # Its CDK modules are loaded for clusters that have storage, and for no others.
    from clusterwright_stacks.storage import StorageStack  # noqa: PLC0415  see above

    return StorageStack(app, resolved=resolved, network=network)

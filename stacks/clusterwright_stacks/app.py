"""The CDK app: one cluster, in stacks by lifetime.

NAME-network     the VPC
NAME-storage     buckets and file systems, where there are some
NAME-cluster     the control plane
NAME-pool-POOL   one a pool: comes and goes with its capacity, and fails alone
NAME-platform    add-ons that need nodes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import App, Tags

from clusterwright.labels import CLUSTER_TAG
from clusterwright.resolution import require_eks, resolve
from clusterwright_stacks.network import NetworkStack

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
    storage = _add_storage(app, resolved, network)
    _add_orchestrator(app, resolved, network, storage)
    return app


def _add_storage(app: App, resolved: ResolvedCluster, network: NetworkStack) -> StorageStack | None:
    config = resolved.config.storage
    if not (config.buckets or config.express or config.lustre or config.home):
        return None
    # Its CDK modules are loaded for clusters that have storage, and for no others.
    from clusterwright_stacks.storage import StorageStack  # noqa: PLC0415  see above

    return StorageStack(app, resolved=resolved, network=network)


def _add_orchestrator(
    app: App, resolved: ResolvedCluster, network: NetworkStack, storage: StorageStack | None
) -> None:
    """Add what schedules the work; the CDK modules of one orchestrator are not loaded for another."""
    from clusterwright_stacks.eks import add_stacks  # noqa: PLC0415  see above

    add_stacks(app, resolved=resolved, network=network, storage=storage)

"""The scripts of a cluster's nodes, as they will run: one bundle a pool, and user data under EKS and PCS."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from clusterwright.node_context import make_eks_node_context, make_node_contexts
from clusterwright.resolution import runs_slurm
from clusterwright.slurm_context import make_slurm_context
from clusterwright.user_data import fit_user_data
from clusterwright_lifecycle.archives import pack
from clusterwright_lifecycle.bundles import Bundle, render_bundle
from clusterwright_lifecycle.contexts import BootContext
from clusterwright_lifecycle.slurm_rendering import render_slurm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.node_context import FileSystemAddress
    from clusterwright.resolution import ResolvedCluster, ResolvedPool

USER_DATA = "user_data.mime"
"""Name of a pool's user data, beside its bundle, where nodes start from user data."""

FROM_USER_DATA = ("eks", "pcs")
"""Orchestrators whose nodes do; HyperPod runs ``on_create.sh`` of the bundle."""

UNKNOWN_ARCHIVE = "s3://known-at-deployment/scripts.tar"
"""Stands for the archive of the scripts that pools share, in a bucket that the deployment chooses."""


def render_bundles(
    cluster: ResolvedCluster, *, file_systems: Mapping[str, FileSystemAddress] | None = None
) -> dict[str, Bundle]:
    """The bundle of each pool, by its name.

    Args:
        cluster: The resolved cluster.
        file_systems: Where file systems answer; placeholders unless given.
    """
    contexts = make_node_contexts(cluster, file_systems=file_systems)
    slurm = render_slurm(make_slurm_context(cluster)) if runs_slurm(cluster.config) else {}
    return {pool: render_bundle(context, slurm) for pool, context in contexts.items()}


def render_scripts(cluster: ResolvedCluster) -> dict[str, str]:
    """Every file that the nodes of a cluster run, by its path, which begins with the pool.

    What only the deployment knows is a placeholder that says so.

    Args:
        cluster: The resolved cluster.
    """
    bundles = render_bundles(cluster)
    scripts: dict[str, str] = {}
    for pool in cluster.pools:
        bundle = bundles[pool.name]
        scripts |= {f"{pool.name}/{name}": text for name, text in bundle.files.items()}
        if cluster.config.orchestrator.kind in FROM_USER_DATA:
            scripts[f"{pool.name}/{USER_DATA}"] = render_user_data(cluster, pool, bundle)
    return scripts


def render_user_data(
    cluster: ResolvedCluster, pool: ResolvedPool, bundle: Bundle, *, archive_url: str = UNKNOWN_ARCHIVE
) -> str:
    """The user data of a pool under EKS or PCS.

    Args:
        cluster: The resolved cluster.
        pool: One of its pools.
        bundle: What the pool's nodes run.
        archive_url: Where the shared files of the bundle are.
    """
    boot = BootContext(
        region=cluster.config.region,
        archive_url=archive_url,
        archive_sha256=hashlib.sha256(pack(bundle.shared)).hexdigest(),
        own=dict(bundle.own),
    )
    if cluster.config.orchestrator.kind == "pcs":
        return fit_user_data(pool.name, boot)
    context = make_eks_node_context(pool, cluster.config.storage.local_nvme)
    return fit_user_data(pool.name, context.model_copy(update={"boot": boot}))

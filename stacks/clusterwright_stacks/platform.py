"""The platform stack: add-ons that need nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.orchestrators.eks import PlatformAddons
from clusterwright_stacks.base import ClusterPartStack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aws_cdk import App

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright_stacks.pool import PoolStack


class PlatformStack(ClusterPartStack):
    """The add-ons that run as ordinary pods, made once the pools for them are there."""

    def __init__(self, app: App, *, config: ClusterConfig, pools: Iterable[PoolStack]) -> None:
        super().__init__(
            app, "platform", cluster=config, description=f"Platform add-ons of the {config.name} cluster"
        )
        PlatformAddons(self, "Addons", cluster_name=config.name)
        for pool in pools:
            self.add_stack_dependency(pool)

"""The whole of a cluster.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_CLUSTER, REPLACES_NODES, Section
from clusterwright.config.capacity import CapacityConfig
from clusterwright.config.fields import (
    AccountId,
    ClusterName,
    ItemName,
    Region,
    TagKey,
    TagValue,
    ZoneId,
)
from clusterwright.config.network import NetworkConfig
from clusterwright.config.orchestrator import OrchestratorConfig
from clusterwright.config.pools import PoolConfig
from clusterwright.config.software import SoftwareConfig
from clusterwright.config.storage import StorageConfig

LATER_SECTIONS = ("scheduling", "health", "observability", "budget", "inference")
"""Sections of the contract that this release refuses with "not yet" rather than ignore."""


class ClusterConfig(Section):
    """One AI cluster in one zone of one AWS region."""

    version: Annotated[Literal[1], NO_INTERRUPTION] = Field(description="Version of this file's schema.")
    name: Annotated[ClusterName, REPLACES_CLUSTER] = Field(
        description="Name of the cluster, its stacks and its resources."
    )
    region: Annotated[Region, REPLACES_CLUSTER] = Field(description="AWS region.")
    account: Annotated[AccountId | None, REPLACES_CLUSTER] = Field(
        default=None,
        description="AWS account that this cluster belongs to. The account of the credentials that deploy "
        "it, unless you pin one; with a pin, a deployment with other credentials is refused.",
    )
    zone: Annotated[ZoneId | None, REPLACES_CLUSTER] = Field(
        default=None,
        description="Zone id in which all nodes sit. The zone of the capacity that accelerated pools use, "
        "unless you name one.",
    )
    tags: Annotated[dict[TagKey, TagValue], REPLACES_NODES] = Field(
        default={},
        max_length=40,
        description="Tags on every resource that takes tags, instances and volumes among them.",
    )
    orchestrator: Annotated[OrchestratorConfig, REPLACES_CLUSTER] = Field(
        description="What schedules the work, and how people reach it."
    )
    software: Annotated[SoftwareConfig, REPLACES_NODES] = Field(
        # Nothing to validate, so nothing is built that would validate it.
        default_factory=SoftwareConfig.model_construct,
        description="Versions on the nodes. The newest tested set of this release, unless you choose.",
    )
    network: Annotated[NetworkConfig, REPLACES_CLUSTER] = Field(
        default_factory=NetworkConfig, description="Addresses, subnets and the way out."
    )
    capacity: Annotated[dict[ItemName, CapacityConfig], NO_INTERRUPTION] = Field(
        default={}, description="What has been bought or reserved, by your own names."
    )
    pools: Annotated[dict[ItemName, PoolConfig], NO_INTERRUPTION] = Field(
        min_length=1, max_length=100, description="Groups of equal nodes, by your own names."
    )
    storage: Annotated[StorageConfig, NO_INTERRUPTION] = Field(
        # Nothing to validate, so nothing is built that would validate it.
        default_factory=StorageConfig.model_construct,
        description="Where data is kept: buckets, file systems, the nodes' disks.",
    )

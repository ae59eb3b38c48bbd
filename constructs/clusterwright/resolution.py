"""The resolved cluster: what cluster.yaml says, joined with the hardware catalogue.

Everything that is left open in the file is decided here, once, and everybody reads it from here: checks,
``show``, the constructs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from clusterwright.addressing import SubnetPlan, max_pods, pick_service_cidr, plan_subnets
from clusterwright.config.capacity import CapacityBlockCapacity, OnDemandCapacity, ReservationCapacity
from clusterwright.config.orchestrator import SLURM_KINDS, EksConfig
from clusterwright.errors import ClusterwrightError, UnknownInstanceTypeError
from clusterwright.hardware import (
    find_instance_type,
    find_ultraserver,
    find_zone,
    lay_out_interfaces,
    zones_of,
)
from clusterwright.labels import volume_name
from clusterwright.storage_limits.openzfs import pick_deployment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.config.buckets import BucketConfig, ExpressConfig
    from clusterwright.config.capacity import CapacityConfig
    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.lustre import LustreConfig
    from clusterwright.config.openzfs import OpenZfsDeployment
    from clusterwright.config.pools import PoolConfig, Purpose
    from clusterwright.hardware import InstanceSpec, Interface

HeldCapacity = ReservationCapacity | CapacityBlockCapacity
"""Capacity that exists at one place: it has an id and a zone."""


@dataclass(frozen=True)
class ResolvedPool:
    """A pool with its hardware, its capacity and its zone.

    Attributes:
        name: The user's name.
        config: What the file says.
        spec: The catalogue's facts on the instance type.
        capacity: Where the nodes come from.
        capacity_name: The user's name of it, or None for plain on-demand.
        purpose: What runs here.
        zone: Zone id of the nodes.
        has_custom_networking: Whether pods take their addresses from a block of their own.
    """

    name: str
    config: PoolConfig
    spec: InstanceSpec
    capacity: CapacityConfig
    capacity_name: str | None
    purpose: Purpose
    zone: str
    has_custom_networking: bool

    @cached_property
    def interfaces(self) -> tuple[Interface, ...]:
        """The network interfaces of each node, the primary first; system pools have no use for EFA."""
        interfaces = lay_out_interfaces(self.spec)
        return interfaces[:1] if self.purpose == "system" else interfaces

    @property
    def has_efa(self) -> bool:
        """Whether the nodes have EFA interfaces."""
        return len(self.interfaces) > 1

    @property
    def max_pods(self) -> int:
        """Pods a node may run, under Kubernetes."""
        return max_pods(self.spec, self.interfaces, has_custom_networking=self.has_custom_networking)

    @property
    def needs_placement_group(self) -> bool:
        """Whether a cluster placement group of our own brings the nodes closer together.

        Nodes of one job that talk over EFA gain from it. A capacity block or a reservation already sits where
        it sits: forcing a group on it ends in "insufficient capacity" (terraform-aws-eks #3730).
        """
        is_free_to_place = not isinstance(self.capacity, HeldCapacity)
        return self.purpose == "batch" and self.has_efa and is_free_to_place


@dataclass(frozen=True)
class ResolvedCluster:
    """A cluster with nothing left open.

    Attributes:
        config: What the file says.
        zone: Zone id of the accelerated nodes.
        control_plane_zones: Zone ids of the region proper: two, which hold the control plane, for Kubernetes,
            and one for Slurm.
        pools: The pools, in the order of the file.
    """

    config: ClusterConfig
    zone: str
    control_plane_zones: tuple[str, ...]
    pools: tuple[ResolvedPool, ...]

    @cached_property
    def subnets(self) -> tuple[SubnetPlan, ...]:
        """The subnets to make; none where the VPC exists already."""
        network = self.config.network
        if network.existing is not None:
            return ()
        return plan_subnets(
            network.cidr,
            zone=self.zone,
            control_plane_zones=self.control_plane_zones,
            pod_cidr=None if runs_slurm(self.config) else network.pod_cidr,
            has_public_subnet=network.egress == "nat",
            has_regional_nodes=is_local_zone(self.zone),
        )

    @property
    def eks(self) -> EksConfig:
        """What the file says of EKS.

        Raises:
            ClusterwrightError: The file names another orchestrator.
        """
        return require_eks(self.config)

    @property
    def service_cidr(self) -> str:
        """The block for Kubernetes services."""
        network = self.config.network
        if network.service_cidr is not None:
            return network.service_cidr
        return pick_service_cidr([network.cidr, *([network.pod_cidr] if network.pod_cidr else [])])

    @cached_property
    def storage_pools(self) -> dict[str, tuple[str, ...]]:
        """The pools that use each part of the storage, by ``SECTION.NAME``, and ``home``."""
        storage = self.config.storage
        sections: dict[str, Mapping[str, BucketConfig | ExpressConfig | LustreConfig]] = {
            "buckets": storage.buckets,
            "express": storage.express,
            "lustre": storage.lustre,
        }
        everyone = tuple(pool.name for pool in self.pools)
        accelerated = tuple(pool.name for pool in self.pools if pool.spec.is_accelerated)
        users = {
            f"{section}.{name}": accelerated if item.pools is None else item.pools
            for section, items in sections.items()
            for name, item in items.items()
        }
        return users | ({"home": everyone} if storage.home is not None else {})

    def volumes_of(self, pool: str) -> tuple[str, ...]:
        """The names of the volumes that a pool's nodes may use."""
        return tuple(volume_name(item) for item, pools in self.storage_pools.items() if pool in pools)

    @property
    def home_deployment(self) -> OpenZfsDeployment | None:
        """The deployment type of the homes; None where there are none."""
        home = self.config.storage.home
        if home is None:
            return None
        return home.deployment or pick_deployment(self.config.region, home.throughput_mbps)

    @property
    def system_pools(self) -> tuple[ResolvedPool, ...]:
        """The pools that cluster services run on: those for them, or else all."""
        return tuple(pool for pool in self.pools if pool.purpose == "system") or self.pools


def require_eks(cluster: ClusterConfig) -> EksConfig:
    """The section of a cluster that this release can make stacks of.

    Raises:
        ClusterwrightError: The file names another orchestrator.
    """
    orchestrator = cluster.orchestrator
    if isinstance(orchestrator, EksConfig):
        return orchestrator
    raise ClusterwrightError(
        f"not yet: clusterwright synthesizes eks; {orchestrator.kind} can be checked and shown, and its "
        "scripts rendered"
    )


def pick_zone(cluster: ClusterConfig) -> str | None:
    """The cluster's zone id: the one it names, or that of the capacity its pools use; None if neither."""
    if cluster.zone is not None:
        return cluster.zone
    accelerated_first = sorted(cluster.pools.values(), key=lambda pool: not _is_accelerated(pool))
    for pool in accelerated_first:
        capacity = cluster.capacity.get(pool.capacity or "")
        if isinstance(capacity, HeldCapacity):
            return capacity.zone
    return None


def _is_accelerated(pool: PoolConfig) -> bool:
    try:
        return find_instance_type(pool.instance_type).is_accelerated
    except UnknownInstanceTypeError:
        return False


def pick_control_plane_zones(cluster: ClusterConfig, zone: str) -> tuple[str, ...]:
    """Zone ids that can hold the control plane, the cluster's own or its parent first.

    EKS takes two. Slurm's controller sits in one place; where it is ours, that is a pool.

    With a VPC that exists, the zones are those of its subnets.
    """
    hosts = [each.id for each in zones_of(cluster.region) if each.hosts_eks_control_plane]
    if cluster.network.existing is not None:
        hosts = [each for each in hosts if each in cluster.network.existing.subnets]
    own = find_zone(zone)
    near = {zone, own.parent if own else None}
    nearest = tuple(sorted(hosts, key=lambda each: (each not in near, each)))
    return (nearest or (zone,))[:1] if runs_slurm(cluster) else nearest[:2]


def runs_slurm(cluster: ClusterConfig) -> bool:
    """Whether Slurm schedules the work, and not Kubernetes."""
    return cluster.orchestrator.kind in SLURM_KINDS


def is_local_zone(zone: str) -> bool:
    """Whether a zone id is that of a local zone."""
    found = find_zone(zone)
    return found is not None and found.kind == "local-zone"


def held_instances(capacity: HeldCapacity) -> int:
    """How many instances a reservation or a capacity block holds, UltraServers counted out."""
    if isinstance(capacity, CapacityBlockCapacity) and capacity.ultraserver_type is not None:
        return capacity.count * find_ultraserver(capacity.ultraserver_type).instances
    return capacity.count


def resolve(cluster: ClusterConfig) -> ResolvedCluster:
    """Decide everything that the file leaves open.

    Raises:
        ClusterwrightError: The cluster has errors that `clusterwright validate` reports.
    """
    zone = pick_zone(cluster)
    if zone is None:
        raise ClusterwrightError("the cluster has no zone: name one, or capacity that has one")
    control_plane_zones = pick_control_plane_zones(cluster, zone)
    if len(control_plane_zones) < 2 and not runs_slurm(cluster):  # noqa: PLR2004  EKS asks for two
        raise ClusterwrightError(f"EKS needs subnets in two zones of {cluster.region}")
    first = control_plane_zones[0]
    pools = tuple(_resolve_pool(cluster, name, zone=zone, regional_zone=first) for name in cluster.pools)
    return ResolvedCluster(cluster, zone, control_plane_zones, pools)


def _resolve_pool(cluster: ClusterConfig, name: str, *, zone: str, regional_zone: str) -> ResolvedPool:
    pool = cluster.pools[name]
    spec = find_instance_type(pool.instance_type)
    capacity = cluster.capacity[pool.capacity] if pool.capacity else OnDemandCapacity(kind="on-demand")
    return ResolvedPool(
        name=name,
        config=pool,
        spec=spec,
        capacity=capacity,
        capacity_name=pool.capacity,
        purpose=pool.purpose or ("batch" if spec.is_accelerated else "system"),
        zone=_pool_zone(spec, capacity, zone=zone, regional_zone=regional_zone),
        has_custom_networking=cluster.network.pod_cidr is not None,
    )


def _pool_zone(spec: InstanceSpec, capacity: CapacityConfig, *, zone: str, regional_zone: str) -> str:
    """The cluster's zone, but for CPU nodes beside a local zone, which offers few types."""
    if not is_local_zone(zone) or spec.is_accelerated or isinstance(capacity, HeldCapacity):
        return zone
    return regional_zone

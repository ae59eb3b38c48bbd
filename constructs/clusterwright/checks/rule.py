"""What a rule is, and what it looks at."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network
from typing import TYPE_CHECKING, TypeVar, cast

from clusterwright.addressing import POD_PREFIXES, VPC_PREFIXES
from clusterwright.config.base import UnknownValueError
from clusterwright.errors import ClusterwrightError, UnknownInstanceTypeError
from clusterwright.hardware import find_instance_type, find_ultraserver
from clusterwright.resolution import HeldCapacity, pick_zone, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterwright.addressing import SubnetPlan
    from clusterwright.checks.software_items import ChosenSoftware
    from clusterwright.config.capacity import CapacityConfig
    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.orchestrator import KubernetesOrchestrator
    from clusterwright.config.pools import PoolConfig
    from clusterwright.config.slurm_orchestrators import SlurmOrchestrator
    from clusterwright.config.source_map import Path
    from clusterwright.errors import Severity
    from clusterwright.hardware import InstanceSpec, UltraServerSpec
    from clusterwright.resolution import ResolvedCluster


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Violation:
    """A place where a rule does not hold.

    Attributes:
        path: The field to look at.
        message: What is wrong, with the value.
        hint: What to do, or empty.
        is_about_key: Whether to point at the key and not at its value.
        source: Where the fact comes from, if not where the rule's does.
    """

    path: Path
    message: str
    hint: str = ""
    is_about_key: bool = False
    source: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that must hold for a cluster to come up and to work.

    Attributes:
        code: Area and number; never reused.
        severity: ``error`` where AWS or Kubernetes refuses, or the cluster cannot work; else ``warning``.
        title: What is wrong when the rule fires, as a sentence.
        find: Finds the places where it does.
        source: Where the fact behind the rule comes from, or empty where the file contradicts itself.
    """

    code: str
    severity: Severity
    title: str
    find: Callable[[Subject], Iterator[Violation]]
    source: str = ""


@dataclass(frozen=True)
class Subject:
    """A cluster as rules see it: joined with the catalogue as far as its mistakes allow.

    A rule that needs what another rule reports as wrong finds ``None`` here, and stays silent. A rule that
    reads what the file itself has wrong raises `UnknownValueError`, and has no more to say.
    """

    cluster: ClusterConfig

    @cached_property
    def resolved(self) -> ResolvedCluster | None:
        """The resolved cluster, or None where errors stand in the way."""
        try:
            return resolve(self.cluster)
        except (ClusterwrightError, KeyError):
            return None

    @property
    def kubernetes(self) -> KubernetesOrchestrator:
        """What the file says of Kubernetes; for rules on clusters that run it."""
        return cast("KubernetesOrchestrator", self.cluster.orchestrator)  # the engine picks rules by kind

    @property
    def slurm(self) -> SlurmOrchestrator:
        """What the file says of Slurm; for rules on clusters that run it."""
        return cast("SlurmOrchestrator", self.cluster.orchestrator)  # the engine picks rules by kind

    @cached_property
    def zone(self) -> str | None:
        """Zone id of the nodes: as written, or that of the capacity in use."""
        return pick_zone(self.cluster)

    @cached_property
    def pools(self) -> tuple[tuple[str, PoolConfig, InstanceSpec], ...]:
        """Name, section and hardware of each pool whose instance type is known."""
        pools = self.cluster.pools.items()
        return tuple(each for name, pool in pools for each in find_known(_join(name, pool)))

    @cached_property
    def subnets(self) -> tuple[SubnetPlan, ...]:
        """The subnets to make; none where blocks have a size that is refused, or errors stand in the way."""
        network = self.cluster.network
        blocks = ((network.cidr, VPC_PREFIXES), (network.pod_cidr, POD_PREFIXES))
        are_right = all(cidr is None or IPv4Network(cidr).prefixlen in sizes for cidr, sizes in blocks)
        return self.resolved.subnets if self.resolved is not None and are_right else ()

    @cached_property
    def software(self) -> ChosenSoftware | None:
        """The versions with the nodes that they run on, or None where the set is unknown."""
        from clusterwright.checks.software_items import choose_software  # noqa: PLC0415  few clusters need it

        return choose_software(self)

    @cached_property
    def names_unknown_capacity(self) -> bool:
        """Whether a pool names capacity that is not there; what follows from that is not worth saying."""
        named = {pool.capacity for pool in self.cluster.pools.values()} - {None}
        return not named <= self.cluster.capacity.keys()

    def capacity_of(self, pool: PoolConfig) -> CapacityConfig | None:
        """The capacity that a pool names, or None where it names none or an unknown one."""
        return self.cluster.capacity.get(pool.capacity) if pool.capacity is not None else None

    def held_capacity_of(self, pool: PoolConfig) -> HeldCapacity | None:
        """The reservation or capacity block that a pool names, or None."""
        capacity = self.capacity_of(pool)
        return capacity if isinstance(capacity, HeldCapacity) else None


def find_known(*searches: Iterator[T]) -> Iterator[T]:
    """What each search finds before it comes across something that the file has wrong."""
    for search in searches:
        with suppress(UnknownValueError):
            yield from search


def _join(name: str, pool: PoolConfig) -> Iterator[tuple[str, PoolConfig, InstanceSpec]]:
    spec = find_spec(pool.instance_type)
    if spec is not None:
        yield name, pool, spec


def find_spec(instance_type: str | None) -> InstanceSpec | None:
    """The catalogue's facts on a type, or None where it lacks the type."""
    try:
        return find_instance_type(instance_type) if instance_type is not None else None
    except UnknownInstanceTypeError:
        return None


def find_ultraserver_spec(name: str | None) -> UltraServerSpec | None:
    """The catalogue's facts on an UltraServer type, or None where it lacks the type."""
    try:
        return find_ultraserver(name) if name is not None else None
    except UnknownInstanceTypeError:
        return None

"""From a resolved cluster to what Slurm's files are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from clusterwright.config.capacity import CapacityBlockCapacity
from clusterwright.errors import ClusterwrightError
from clusterwright.hardware import find_ultraserver
from clusterwright_lifecycle.slurm_contexts import (
    AccountingContext,
    GresContext,
    PartitionContext,
    SlurmContext,
)

if TYPE_CHECKING:
    from clusterwright.config.slurm_orchestrators import AccountingConfig
    from clusterwright.hardware import InstanceSpec
    from clusterwright.resolution import ResolvedCluster, ResolvedPool
    from clusterwright_lifecycle.slurm_contexts import Topology

USABLE_MEMORY = 0.95
"""Share of an instance's memory that jobs may use. The kernel, drivers and daemons take the rest; Slurm takes
out a node that has less than its configuration says."""

TWO_SOCKETS_FROM_VCPUS = 96
"""Accelerated instances of this size on have two processors, each near half of the accelerators.

So do p4d and p5, and p6e-gb200 has two Grace. Where one has a single processor, its cores are told as two
halves, and nothing is lost.
"""

SINGLE_THREADED = ("c7a", "m7a", "r7a", "c8a", "m8a", "r8a", "hpc6a", "hpc7a", "hpc8a")
"""Families of x86 processors with one thread a core (AWS's announcements of them; not verified)."""


def make_slurm_context(cluster: ResolvedCluster) -> SlurmContext:
    """What Slurm's files are made of.

    Raises:
        ClusterwrightError: The cluster runs no Slurm, or has no pool for jobs.
    """
    orchestrator = cluster.config.orchestrator
    if orchestrator.kind not in ("hyperpod-slurm", "pcs"):
        raise ClusterwrightError(f"{orchestrator.kind} runs no Slurm")
    pools = [pool for pool in cluster.pools if pool.name not in orchestrator.roles.values()]
    if not pools:
        raise ClusterwrightError("no pool is left for jobs: each is the controller's or for logins")
    return SlurmContext(
        cluster=cluster.config.name,
        orchestrator=orchestrator.kind,
        controller_pool=orchestrator.roles.get("controller", ""),
        partitions=tuple(_make_partition(pool, is_default=pool is _pick_default(pools)) for pool in pools),
        topology=pick_topology(pools),
        accounting=_make_accounting(orchestrator.accounting),
    )


def pick_topology(pools: list[ResolvedPool]) -> Topology:
    """How near nodes are to each other, as far as it matters to jobs.

    NVLink joins the nodes of an UltraServer, and none beyond it: blocks. EFA joins all through layers of
    switches: a tree. Nodes without either talk too little for it.
    """
    if any(pool.config.ultraserver is not None for pool in pools):
        return "block"
    return "tree" if any(pool.has_efa for pool in pools) else "flat"


def _pick_default(pools: list[ResolvedPool]) -> ResolvedPool:
    """Where jobs go that say nothing: the first pool for batch work, or else the first."""
    return next((pool for pool in pools if pool.purpose == "batch"), pools[0])


def _make_partition(pool: ResolvedPool, *, is_default: bool) -> PartitionContext:
    spec = pool.spec
    sockets = 2 if spec.is_accelerated and spec.vcpus >= TWO_SOCKETS_FROM_VCPUS else 1
    threads = threads_per_core(spec)
    ultraserver = pool.config.ultraserver
    return PartitionContext(
        name=pool.name,
        instance_type=spec.name,
        nodes=pool.config.largest_size,
        sockets=sockets,
        cores_per_socket=max(1, spec.vcpus // sockets // threads),
        threads_per_core=threads,
        memory_mib=int(spec.memory_mib * USABLE_MEMORY),
        gres=_make_gres(spec),
        # Jobs that ask for no accelerator leave the nodes with them for those that do.
        weight=100 if spec.is_accelerated else 1,
        nodes_per_ultraserver=find_ultraserver(ultraserver).instances if ultraserver is not None else 0,
        is_one_ultraserver=is_one_ultraserver(pool),
        is_default=is_default,
    )


def is_one_ultraserver(pool: ResolvedPool) -> bool:
    """Whether a pool's nodes are all in one UltraServer: they come from a block that has no other."""
    capacity = pool.capacity
    if pool.config.ultraserver is None or not isinstance(capacity, CapacityBlockCapacity):
        return False
    return capacity.ultraserver_type is not None and capacity.count == 1


def threads_per_core(spec: InstanceSpec) -> Literal[1, 2]:
    """Threads of a core: Arm's processors have one, those of x86 two but for a few families."""
    is_single = spec.architecture == "arm64" or spec.name.partition(".")[0] in SINGLE_THREADED
    return 1 if is_single or spec.vcpus == 1 else 2


def _make_gres(spec: InstanceSpec) -> GresContext | None:
    group = spec.accelerators
    if group is None:
        return None
    kind = "".join(letter for letter in group.name.lower() if letter.isalnum())
    if group.vendor == "nvidia":
        # Slurm takes a type that is a part of NVML's name, with "_" for its blanks: "nvidia_h100_80gb_hbm3".
        # EC2's names of several words are others than NVML's, so that those GPUs have no type.
        kind = kind if " " not in group.name else ""
        return GresContext(name="gpu", type=kind, count=group.count, device="/dev/nvidia")
    return GresContext(name="neuron", type=kind, count=group.count, device="/dev/neuron")


def _make_accounting(accounting: AccountingConfig) -> AccountingContext:
    if accounting.kind != "rds":
        return AccountingContext(kind=accounting.kind)
    return AccountingContext(
        kind="rds",
        host=accounting.endpoint,
        port=accounting.port,
        database=accounting.database,
        secret_arn=accounting.secret_arn,
    )

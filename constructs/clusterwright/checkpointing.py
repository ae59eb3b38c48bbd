"""How long checkpoints take on a cluster, and how often to write them.

docs/concepts/checkpointing.md has the formulas, what they assume, and where they come from.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from clusterwright.hardware import Source
from clusterwright.storage_limits.lustre import client_limit_gbps, is_efa_client
from clusterwright.storage_limits.performance import lustre_mbps, lustre_servers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusterwright.config.lustre import LustreConfig
    from clusterwright.resolution import ResolvedCluster, ResolvedPool

BYTES_PER_PARAMETER = {
    "bf16 weights alone": 2,
    "8-bit Adam: bf16 weights, fp32 master, 8-bit moments": 8,
    "SGD with momentum: bf16 weights, fp32 master, fp32 momentum": 10,
    "Adam in fp32: fp32 weights, two fp32 moments": 12,
    "Adam in mixed precision: bf16 weights, fp32 master, two fp32 moments": 14,
}
"""Bytes that a checkpoint keeps of each parameter, by what is trained with.

Gradients are not kept. The parts are those of Rajbhandari et al., "ZeRO", 2020, arXiv:1910.02054, section 3.
"""

DEFAULT_BYTES_PER_PARAMETER = 14.0

INTERRUPTIONS, ACCELERATORS_THEN, DAYS_THEN = 419, 16_384, 54
FAILURES_PER_ACCELERATOR_HOUR = INTERRUPTIONS / (ACCELERATORS_THEN * DAYS_THEN * 24)
"""Unexpected interruptions of a job for each accelerator and hour: 2.0e-5 (`FAILURE_SOURCE`, H100)."""

FAILURE_SOURCE = Source(
    "The Llama 3 Herd of Models, arXiv:2407.21783, table 5", "https://arxiv.org/abs/2407.21783", "July 2024"
)

NVME_WRITE_GB_PER_S = 1.0
NVME_READ_GB_PER_S = 2.0
"""What one NVMe disk is taken to write and read, in GB/s: an assumption, since AWS publishes random IOPS."""

LARGEST_OVERHEAD = 0.05
"""The share of the time that checkpoints and lost work may take."""

BITS_PER_BYTE = 8


@dataclass(frozen=True, slots=True)
class Tier:
    """Where a checkpoint may go, as the nodes of one pool reach it.

    Attributes:
        name: Such as ``local NVMe``, ``lustre scratch``, ``S3``.
        write_gb_per_s: What all nodes together write, in GB/s (10^9 bytes).
        read_gb_per_s: What all nodes together read, in GB/s.
        limited_by: What keeps it from being more.
        capacity_gb: What fits, in GB; None where there is no limit.
        outlives_node: Whether a checkpoint is still there once a node is lost.
    """

    name: str
    write_gb_per_s: float
    read_gb_per_s: float
    limited_by: str
    capacity_gb: float | None
    outlives_node: bool


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """Checkpoints of a job on all nodes of one pool, in one tier.

    Attributes:
        pool: The user's name of the pool.
        tier: Where they go.
        write_seconds: How long one takes to write; the job waits meanwhile.
        restart_seconds: How long one takes to read.
        best_interval_minutes: Time between two checkpoints at which the least is lost.
        overhead: The share of the time that goes to checkpoints, lost work and reading at that interval.
        shortest_interval_minutes: Least time between two with at most 5 % overhead; None if there is none.
        longest_interval_minutes: Most time between two with at most 5 % overhead; or None.
        fits: Whether one checkpoint fits.
    """

    pool: str
    tier: Tier
    write_seconds: float
    restart_seconds: float
    best_interval_minutes: float
    overhead: float
    shortest_interval_minutes: float | None
    longest_interval_minutes: float | None
    fits: bool


@dataclass(frozen=True, slots=True)
class CheckpointPlan:
    """Checkpoints of a model on a cluster.

    Attributes:
        parameters: Parameters of the model.
        bytes_per_parameter: What a checkpoint keeps of each.
        size_gb: Size of a checkpoint in GB (10^9 bytes).
        mtbf_hours: Mean time between failures of a job on all nodes of a pool, in hours, by pool.
        rows: One for each pool and tier.
        failure_source: Where the failure rate comes from.
    """

    parameters: float
    bytes_per_parameter: float
    size_gb: float
    mtbf_hours: dict[str, float]
    rows: tuple[CheckpointRow, ...]
    failure_source: str

    def as_dict(self) -> dict[str, Any]:
        """The plan as JSON-ready data; what cannot be where a checkpoint does not fit is None."""
        rows = [
            asdict(row) if row.fits else {**asdict(row), **dict.fromkeys(_OF_A_CHECKPOINT_THAT_FITS)}
            for row in self.rows
        ]
        return {**asdict(self), "rows": rows}


_OF_A_CHECKPOINT_THAT_FITS = (
    "write_seconds",
    "restart_seconds",
    "best_interval_minutes",
    "overhead",
    "shortest_interval_minutes",
    "longest_interval_minutes",
)


def plan_checkpoints(
    cluster: ResolvedCluster,
    *,
    parameters: float,
    bytes_per_parameter: float = DEFAULT_BYTES_PER_PARAMETER,
) -> CheckpointPlan:
    """How long a full checkpoint takes to each tier, and how often to write one.

    A job is taken to use all nodes of one accelerated batch pool, the pool at its largest; of any accelerated
    pool, where none is for batch.

    Args:
        cluster: The cluster.
        parameters: Parameters of the model, such as 70e9.
        bytes_per_parameter: What a checkpoint keeps of each; `BYTES_PER_PARAMETER` has common ones.
    """
    size_gb = parameters * bytes_per_parameter / 1e9
    mtbf_hours = {
        pool.name: job_mtbf_hours(pool.spec.accelerators.count * pool.config.largest_size)
        for pool in _training_pools(cluster)
        if pool.spec.accelerators is not None and pool.config.largest_size
    }
    rows = [
        _make_row(pool.name, tier, size_gb, mtbf_hours[pool.name])
        for pool in cluster.pools
        if pool.name in mtbf_hours
        for tier in list_tiers(cluster, pool)
    ]
    source = str(FAILURE_SOURCE)
    return CheckpointPlan(parameters, bytes_per_parameter, size_gb, mtbf_hours, tuple(rows), source)


def _training_pools(cluster: ResolvedCluster) -> Sequence[ResolvedPool]:
    accelerated = [pool for pool in cluster.pools if pool.spec.accelerators is not None]
    return [pool for pool in accelerated if pool.purpose == "batch"] or accelerated


def job_mtbf_hours(accelerators: int) -> float:
    """Mean time between failures of a job, in hours, where each accelerator or its host may be what fails."""
    return 1 / (FAILURES_PER_ACCELERATOR_HOUR * accelerators)


def best_interval(write: float, mtbf: float) -> float:
    """The interval between checkpoints that loses least: Young's first-order optimum.

    J. W. Young, "A first order approximation to the optimum checkpoint interval", Communications of the ACM
    17(9), 1974; J. T. Daly, Future Generation Computer Systems 22(3), 2006, which has higher orders too.

    Args:
        write: Time that a checkpoint takes.
        mtbf: Mean time between failures, in the same unit.

    Returns:
        The interval in that unit.
    """
    return sqrt(2 * write * mtbf)


def overhead(interval: float, *, write: float, restart: float, mtbf: float) -> float:
    """The share of the time that goes to checkpoints, to work done twice, and to reading after a failure.

    A failure falls in the middle of an interval on average. All times are in one unit.
    """
    return write / interval + (interval / 2 + restart) / mtbf


def interval_range(*, write: float, restart: float, mtbf: float) -> tuple[float, float] | None:
    """The shortest and the longest interval whose overhead is at most `LARGEST_OVERHEAD`; None if none is.

    All times are in one unit.
    """
    spare = LARGEST_OVERHEAD - restart / mtbf
    discriminant = spare**2 - 2 * write / mtbf
    if spare <= 0 or discriminant < 0:
        return None
    return mtbf * (spare - sqrt(discriminant)), mtbf * (spare + sqrt(discriminant))


def list_tiers(cluster: ResolvedCluster, pool: ResolvedPool) -> Iterator[Tier]:
    """The tiers that a pool's nodes can write checkpoints to, the nearest first."""
    nodes = pool.config.largest_size
    disks = nodes * sum(group.count for group in pool.spec.local_nvme)
    if disks:
        yield Tier(
            name="local NVMe",
            write_gb_per_s=disks * NVME_WRITE_GB_PER_S,
            read_gb_per_s=disks * NVME_READ_GB_PER_S,
            limited_by="the disks",
            capacity_gb=nodes * pool.spec.local_nvme_gb,
            outlives_node=False,
        )
    for name, system in cluster.config.storage.lustre.items():
        if pool.name in cluster.storage_pools[f"lustre.{name}"]:
            yield _lustre_tier(name, system, pool)
    s3_gb_per_s = nodes * pool.spec.ip_gbps / BITS_PER_BYTE
    yield Tier("S3", s3_gb_per_s, s3_gb_per_s, "the nodes' network", None, outlives_node=True)


def _lustre_tier(name: str, system: LustreConfig, pool: ResolvedPool) -> Tier:
    uses_efa = system.efa and pool.has_efa and is_efa_client(pool.spec.name)
    node_gbps = pool.spec.efa_gbps if uses_efa else pool.spec.ip_gbps
    limit = client_limit_gbps(pool.spec.name, efa=uses_efa, servers=lustre_servers(system))
    one_node = min(node_gbps, limit) / BITS_PER_BYTE
    clients, servers = pool.config.largest_size * one_node, lustre_mbps(system) / 1000
    gb_per_s = min(clients, servers)
    slowest_client = "FSx's limit for a client" if limit < node_gbps else "the nodes' network"
    return Tier(
        name=f"lustre {name}",
        write_gb_per_s=gb_per_s,
        read_gb_per_s=gb_per_s,
        limited_by="the file system" if servers <= clients else slowest_client,
        capacity_gb=None if system.capacity_gib is None else system.capacity_gib * 2**30 / 1e9,
        outlives_node=True,
    )


def _make_row(pool: str, tier: Tier, size_gb: float, mtbf_hours: float) -> CheckpointRow:
    write, restart, mtbf = size_gb / tier.write_gb_per_s, size_gb / tier.read_gb_per_s, mtbf_hours * 3600
    best = best_interval(write, mtbf)
    limits = interval_range(write=write, restart=restart, mtbf=mtbf)
    shortest, longest = limits or (None, None)
    return CheckpointRow(
        pool=pool,
        tier=tier,
        write_seconds=write,
        restart_seconds=restart,
        best_interval_minutes=best / 60,
        overhead=overhead(best, write=write, restart=restart, mtbf=mtbf),
        shortest_interval_minutes=None if shortest is None else shortest / 60,
        longest_interval_minutes=None if longest is None else longest / 60,
        fits=tier.capacity_gb is None or size_gb <= tier.capacity_gb,
    )

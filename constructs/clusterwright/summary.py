"""What a resolved cluster adds up to: pools with their interfaces and bandwidth, subnets, totals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from clusterwright.hardware import summarize_interfaces
from clusterwright.resolution import runs_slurm
from clusterwright.software import DEFAULT_SET, select
from clusterwright.storage_limits.performance import lustre_mbps, lustre_metadata_iops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.addressing import SubnetPlan
    from clusterwright.config.orchestrator import OrchestratorConfig
    from clusterwright.resolution import ResolvedCluster, ResolvedPool

MIB_PER_GIB = 1024


@dataclass(frozen=True, slots=True)
class PoolSummary:
    """A pool in figures.

    Attributes:
        name: The user's name.
        instance_type: EC2's type.
        nodes: Most nodes.
        smallest_nodes: Fewest nodes.
        purpose: What runs there.
        capacity: Name and kind of the capacity, such as ``h200 (capacity-block)``.
        zone: Zone id.
        accelerator: EC2's name of the accelerator, or empty.
        accelerators: Accelerators of all nodes.
        accelerator_memory_gib: Their memory together, in GiB.
        local_nvme_tb: Instance store of all nodes, in TB (10^12 bytes).
        interfaces: The interfaces of one node, in short.
        efa_gbps_per_node: EFA bandwidth of one node, in Gbit/s.
        max_pods_per_node: Pods that one node may run; 0 under Slurm.
    """

    name: str
    instance_type: str
    nodes: int
    smallest_nodes: int
    purpose: str
    capacity: str
    zone: str
    accelerator: str
    accelerators: int
    accelerator_memory_gib: float
    local_nvme_tb: float
    interfaces: str
    efa_gbps_per_node: float
    max_pods_per_node: int


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole cluster in figures, each pool at its largest.

    Attributes:
        nodes: Nodes.
        vcpus: vCPUs.
        memory_tib: Host memory in TiB.
        accelerators: Accelerators.
        accelerator_memory_tib: Their memory in TiB.
        efa_tbps: EFA bandwidth of all nodes together, in Tbit/s.
        local_nvme_tb: Instance store in TB (10^12 bytes).
    """

    nodes: int
    vcpus: int
    memory_tib: float
    accelerators: int
    accelerator_memory_tib: float
    efa_tbps: float
    local_nvme_tb: float


@dataclass(frozen=True, slots=True)
class FileSystemSummary:
    """A Lustre file system in figures.

    Attributes:
        name: The user's name.
        type: Storage type.
        capacity_gib: Size in GiB; None where it grows with what is in it.
        gb_per_s: Sustained reading or writing in GB/s (10^9 bytes).
        metadata_iops: Metadata operations a second.
        efa: Whether it has EFA.
        mount: Where nodes and pods find it.
        pools: The pools that use it.
    """

    name: str
    type: str
    capacity_gib: int | None
    gb_per_s: float
    metadata_iops: int
    efa: bool
    mount: str
    pools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StorageSummary:
    """The storage in figures.

    Attributes:
        buckets: Names of the buckets.
        express: Names of the S3 Express One Zone buckets.
        lustre: The Lustre file systems.
        home: Deployment type, size and throughput of the homes, or empty.
        lustre_read_gb_per_s: Sustained reading of all Lustre file systems together, in GB/s (10^9 bytes).
        lustre_write_gb_per_s: Sustained writing of them, in GB/s.
        metadata_iops: Metadata operations a second of them.
    """

    buckets: tuple[str, ...]
    express: tuple[str, ...]
    lustre: tuple[FileSystemSummary, ...]
    home: str
    lustre_read_gb_per_s: float
    lustre_write_gb_per_s: float
    metadata_iops: int


@dataclass(frozen=True, slots=True)
class SoftwareSummary:
    """The versions on the nodes.

    Attributes:
        set: The version set.
        overrides: The versions that differ from it.
        content_hash: The same for the same versions; nodes carry it as a tag and in a file.
    """

    set: str
    overrides: dict[str, str]
    content_hash: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A cluster in figures."""

    name: str
    region: str
    zone: str
    orchestrator: str
    control_plane_zones: tuple[str, ...]
    pools: tuple[PoolSummary, ...]
    subnets: tuple[dict[str, Any], ...]
    totals: Totals
    storage: StorageSummary
    software: SoftwareSummary

    def as_dict(self) -> dict[str, Any]:
        """The summary as JSON-ready data."""
        return asdict(self)


def summarize(cluster: ResolvedCluster) -> Summary:
    """Add up a resolved cluster."""
    config = cluster.config
    return Summary(
        name=config.name,
        region=config.region,
        zone=cluster.zone,
        orchestrator=_describe_orchestrator(config.orchestrator),
        control_plane_zones=() if runs_slurm(config) else cluster.control_plane_zones,
        pools=tuple(_summarize_pools(cluster)),
        subnets=tuple(_summarize_subnet(subnet) for subnet in cluster.subnets),
        totals=_add_up(cluster),
        storage=_summarize_storage(cluster),
        software=_summarize_software(cluster),
    )


def _describe_orchestrator(orchestrator: OrchestratorConfig) -> str:
    """Kind and version, but for Slurm on HyperPod: its image says which."""
    version = getattr(orchestrator, "version", None)
    return f"{orchestrator.kind} {version}" if version else orchestrator.kind


def _summarize_pools(cluster: ResolvedCluster) -> Iterator[PoolSummary]:
    has_pods = not runs_slurm(cluster.config)
    for pool in cluster.pools:
        yield _summarize_pool(pool, max_pods=pool.max_pods if has_pods else 0)


def _summarize_pool(pool: ResolvedPool, *, max_pods: int) -> PoolSummary:
    spec, nodes = pool.spec, pool.config.largest_size
    group = spec.accelerators
    kind = pool.capacity.kind
    return PoolSummary(
        name=pool.name,
        instance_type=spec.name,
        nodes=nodes,
        smallest_nodes=pool.config.smallest_size,
        purpose=pool.purpose,
        capacity=f"{pool.capacity_name} ({kind})" if pool.capacity_name else kind,
        zone=pool.zone,
        accelerator=group.name if group else "",
        accelerators=nodes * group.count if group else 0,
        accelerator_memory_gib=nodes * group.total_memory_mib / MIB_PER_GIB if group else 0,
        local_nvme_tb=nodes * spec.local_nvme_gb / 1000,
        interfaces=summarize_interfaces(pool.interfaces),
        efa_gbps_per_node=spec.efa_gbps if pool.has_efa else 0,
        max_pods_per_node=max_pods,
    )


def _summarize_subnet(subnet: SubnetPlan) -> dict[str, Any]:
    return {
        "name": subnet.name,
        "role": subnet.role,
        "zone": subnet.zone,
        "cidr": str(subnet.cidr),
        "usable_addresses": subnet.usable_addresses,
    }


def _summarize_storage(cluster: ResolvedCluster) -> StorageSummary:
    storage, home = cluster.config.storage, cluster.config.storage.home
    systems = tuple(
        FileSystemSummary(
            name=name,
            type=system.type,
            capacity_gib=system.capacity_gib,
            gb_per_s=lustre_mbps(system) / 1000,
            metadata_iops=lustre_metadata_iops(system),
            efa=system.efa,
            mount=system.mount,
            pools=cluster.storage_pools[f"lustre.{name}"],
        )
        for name, system in storage.lustre.items()
    )
    return StorageSummary(
        buckets=tuple(storage.buckets),
        express=tuple(storage.express),
        lustre=systems,
        home=f"{cluster.home_deployment}, {home.capacity_gib} GiB, {home.throughput_mbps} MB/s"
        if home
        else "",
        lustre_read_gb_per_s=sum(system.gb_per_s for system in systems),
        lustre_write_gb_per_s=sum(system.gb_per_s for system in systems),
        metadata_iops=sum(system.metadata_iops for system in systems),
    )


def _summarize_software(cluster: ResolvedCluster) -> SoftwareSummary:
    chosen = cluster.config.software
    software = select(chosen.set or DEFAULT_SET, chosen.overrides)
    return SoftwareSummary(software.set_name, software.overrides, software.content_hash)


def _add_up(cluster: ResolvedCluster) -> Totals:
    pools = [(pool, pool.config.largest_size) for pool in cluster.pools]
    rows = list(_summarize_pools(cluster))
    return Totals(
        nodes=sum(nodes for _, nodes in pools),
        vcpus=sum(nodes * pool.spec.vcpus for pool, nodes in pools),
        memory_tib=sum(nodes * pool.spec.memory_mib for pool, nodes in pools) / MIB_PER_GIB**2,
        accelerators=sum(row.accelerators for row in rows),
        accelerator_memory_tib=sum(row.accelerator_memory_gib for row in rows) / MIB_PER_GIB,
        efa_tbps=sum(row.nodes * row.efa_gbps_per_node for row in rows) / 1000,
        local_nvme_tb=sum(row.local_nvme_tb for row in rows),
    )

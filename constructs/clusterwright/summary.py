"""What a resolved cluster adds up to: pools with their interfaces and bandwidth, subnets, totals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from clusterwright.hardware import summarize_interfaces

if TYPE_CHECKING:
    from clusterwright.addressing import SubnetPlan
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
        max_pods_per_node: Pods that one node may run.
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
        orchestrator=f"{config.orchestrator.kind} {config.orchestrator.version}",
        control_plane_zones=cluster.control_plane_zones,
        pools=tuple(_summarize_pool(pool) for pool in cluster.pools),
        subnets=tuple(_summarize_subnet(subnet) for subnet in cluster.subnets),
        totals=_add_up(cluster),
    )


def _summarize_pool(pool: ResolvedPool) -> PoolSummary:
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
        max_pods_per_node=pool.max_pods,
    )


def _summarize_subnet(subnet: SubnetPlan) -> dict[str, Any]:
    return {
        "name": subnet.name,
        "role": subnet.role,
        "zone": subnet.zone,
        "cidr": str(subnet.cidr),
        "usable_addresses": subnet.usable_addresses,
    }


def _add_up(cluster: ResolvedCluster) -> Totals:
    pools = [(pool, pool.config.largest_size) for pool in cluster.pools]
    rows = [_summarize_pool(pool) for pool in cluster.pools]
    return Totals(
        nodes=sum(nodes for _, nodes in pools),
        vcpus=sum(nodes * pool.spec.vcpus for pool, nodes in pools),
        memory_tib=sum(nodes * pool.spec.memory_mib for pool, nodes in pools) / MIB_PER_GIB**2,
        accelerators=sum(row.accelerators for row in rows),
        accelerator_memory_tib=sum(row.accelerator_memory_gib for row in rows) / MIB_PER_GIB,
        efa_tbps=sum(row.nodes * row.efa_gbps_per_node for row in rows) / 1000,
        local_nvme_tb=sum(row.local_nvme_tb for row in rows),
    )

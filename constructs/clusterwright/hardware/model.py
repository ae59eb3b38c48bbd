"""What the catalogue says of an instance type, an UltraServer and a zone.

Plain frozen dataclasses, not pydantic: the data is checked when it is generated, and ``validate`` loads it on
every run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Vendor = Literal["nvidia", "neuron"]
Architecture = Literal["x86_64", "arm64"]
ZoneKind = Literal["availability-zone", "local-zone"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where facts come from.

    Attributes:
        title: The publication, in words.
        url: Its address, or empty.
        date: ISO day, or month, in which the facts were published or, where that is not known, read.
    """

    title: str
    url: str
    date: str

    def __str__(self) -> str:
        return f"{self.title}, {self.date}"


@dataclass(frozen=True, slots=True)
class Note:
    """Why some fields do not hold what EC2 says of the type, or say what EC2 does not.

    Attributes:
        fields: The fields of :class:`InstanceSpec` that the note is about.
        reason: Why EC2's own data is not used.
        source: Where the value comes from instead.
        is_verified: False where no publication of AWS or of the vendor confirms the value.
    """

    fields: tuple[str, ...]
    reason: str
    source: Source
    is_verified: bool


@dataclass(frozen=True, slots=True)
class NetworkCard:
    """One network card of an instance type.

    Attributes:
        index: Network card index, from 0.
        max_interfaces: How many interfaces of any kind fit on the card.
        interface_types: What the card takes: ``interface``, ``efa``, ``efa-only``.
        baseline_gbps: Sustained bandwidth of the card, in Gbit/s.
    """

    index: int
    max_interfaces: int
    interface_types: tuple[str, ...]
    baseline_gbps: float

    @property
    def takes_efa(self) -> bool:
        """Whether an EFA, with or without IP, can be on this card."""
        return "efa-only" in self.interface_types or "efa" in self.interface_types


@dataclass(frozen=True, slots=True)
class AcceleratorGroup:
    """The accelerators of an instance type; all of one kind.

    Attributes:
        name: EC2's name, such as ``H200``.
        vendor: ``nvidia`` for GPUs, ``neuron`` for Trainium and Inferentia.
        count: Accelerators per instance.
        memory_mib: Memory of each that software can use, in MiB; less than the vendor's figure.
        product: The vendor's full name.
        architecture: Such as ``Hopper``.
        compute_capability: Of CUDA; None for Neuron devices.
        memory_tb_per_s: Memory bandwidth of each in TB/s, or None where not known.
        bf16_tflops: Dense BF16 TFLOPS of each, or None where not known; so are the next two.
        fp8_tflops: Dense FP8 TFLOPS of each.
        fp4_tflops: Dense FP4 TFLOPS of each.
        interconnect: How the accelerators of one instance reach each other.
        source: Where the facts from ``product`` on come from; None where there are none.
        is_verified: False where those facts were not checked against the vendor's publication.
    """

    name: str
    vendor: Vendor
    count: int
    memory_mib: int
    product: str = ""
    architecture: str = ""
    compute_capability: str | None = None
    memory_tb_per_s: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    interconnect: str = ""
    source: Source | None = None
    is_verified: bool = False

    @property
    def total_memory_mib(self) -> int:
        """Memory of all accelerators of one instance, in MiB."""
        return self.count * self.memory_mib


@dataclass(frozen=True, slots=True)
class NvmeGroup:
    """Local NVMe disks of one size: how many, and gigabytes (10^9 bytes) of each."""

    count: int
    size_gb: int


@dataclass(frozen=True, slots=True)
class Price:
    """The on-demand price of one instance running Linux, in US dollars, in one region at one time."""

    usd_per_hour: float
    region: str
    source: Source


@dataclass(frozen=True, slots=True)
class InstanceSpec:
    """An EC2 instance type.

    Attributes:
        name: The type, such as ``p5en.48xlarge``.
        vcpus: Default vCPUs.
        memory_mib: Host memory in MiB.
        architecture: Of the CPU.
        accelerators: GPUs or Neuron devices; None for a CPU type.
        local_nvme: Instance store, empty where there is none.
        network_cards: In the order of their indexes; card 0 holds the primary interface.
        max_efa_interfaces: How many EFAs EC2 accepts; 0 for a type without EFA.
        efa_gbps: What the EFAs carry together, laid out by
            :func:`~clusterwright.hardware.lay_out_interfaces`, in Gbit/s. EFA and IP share it.
        ip_gbps: Sustained IP bandwidth of the one primary interface on card 0, in Gbit/s.
        ipv4_per_interface: IPv4 addresses that fit on one interface.
        max_pods_default: Pods per node with the VPC CNI's secondary addresses, no prefixes; or None.
        purchase_options: Of ``capacity-block``, ``on-demand``, ``spot``.
        zones: For each region that offers the type, the zone ids which do.
        ultraservers: The UltraServer types whose members are of this type.
        hyperpod_type: SageMaker's name where HyperPod takes the type, else None.
        on_demand_price: None where the type is not sold on demand, or its price not known.
        efa_cards: The only cards that get an EFA; None where every card that takes one does.
        source: Where everything comes from that no note is about.
        notes: What differs from EC2's data, and why.
    """

    name: str
    vcpus: int
    memory_mib: int
    architecture: Architecture
    accelerators: AcceleratorGroup | None
    local_nvme: tuple[NvmeGroup, ...]
    network_cards: tuple[NetworkCard, ...]
    max_efa_interfaces: int
    efa_gbps: float
    ip_gbps: float
    ipv4_per_interface: int
    max_pods_default: int | None
    purchase_options: tuple[str, ...]
    zones: Mapping[str, tuple[str, ...]] = field(hash=False)
    ultraservers: tuple[str, ...]
    hyperpod_type: str | None
    on_demand_price: Price | None
    efa_cards: tuple[int, ...] | None
    source: Source
    notes: tuple[Note, ...]

    @property
    def is_accelerated(self) -> bool:
        """Whether the type has GPUs or Neuron devices."""
        return self.accelerators is not None

    @property
    def is_efa_capable(self) -> bool:
        """Whether the type takes an EFA."""
        return self.max_efa_interfaces > 0

    @property
    def is_verified(self) -> bool:
        """Whether every field rests on EC2's data or on a publication."""
        return all(note.is_verified for note in self.notes)

    @property
    def on_demand_usd_per_hour(self) -> float | None:
        """The on-demand price in the region of :attr:`on_demand_price`, in US dollars."""
        return self.on_demand_price.usd_per_hour if self.on_demand_price else None

    @property
    def local_nvme_gb(self) -> int:
        """Size of the whole instance store, in gigabytes (10^9 bytes)."""
        return sum(group.count * group.size_gb for group in self.local_nvme)

    def is_offered_in(self, zone_id: str) -> bool:
        """Whether the zone with this id offers the type."""
        return any(zone_id in zone_ids for zone_ids in self.zones.values())


@dataclass(frozen=True, slots=True)
class UltraServerSpec:
    """Instances whose accelerators share one NVLink or NeuronLink domain, sold only together.

    Attributes:
        name: The UltraServer type, such as ``u-p6e-gb200x72``.
        instance_type: The type of its members.
        instances: How many members it has.
        accelerators: How many accelerators its members have together.
        source: Where this comes from.
        is_verified: False where no publication of AWS confirms it.
    """

    name: str
    instance_type: str
    instances: int
    accelerators: int
    source: Source
    is_verified: bool


@dataclass(frozen=True, slots=True)
class Zone:
    """An availability zone or local zone.

    Attributes:
        id: The zone *id*, which means the same zone in every account.
        region: The region it belongs to.
        kind: Availability zone or local zone.
        parent: Of a local zone: the id of the availability zone that runs its control plane. Else, or if not
            known, None.
        hosts_eks_control_plane: Whether subnets of an EKS control plane may be in the zone.
    """

    id: str
    region: str
    kind: ZoneKind
    parent: str | None
    hosts_eks_control_plane: bool

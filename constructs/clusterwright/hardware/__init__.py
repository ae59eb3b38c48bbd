"""Facts on instance types, each with source and date; and the network interfaces that follow from them."""

from __future__ import annotations

from clusterwright.hardware.catalogue import (
    find_instance_type,
    find_ultraserver,
    find_zone,
    instance_types,
    regions,
    ultraserver_types,
    zones_of,
)
from clusterwright.hardware.interfaces import (
    Interface,
    InterfaceKind,
    lay_out_interfaces,
    summarize_interfaces,
)
from clusterwright.hardware.model import (
    AcceleratorGroup,
    InstanceSpec,
    NetworkCard,
    Note,
    NvmeGroup,
    Price,
    Source,
    UltraServerSpec,
    Zone,
)

__all__ = [
    "AcceleratorGroup",
    "InstanceSpec",
    "Interface",
    "InterfaceKind",
    "NetworkCard",
    "Note",
    "NvmeGroup",
    "Price",
    "Source",
    "UltraServerSpec",
    "Zone",
    "find_instance_type",
    "find_ultraserver",
    "find_zone",
    "instance_types",
    "lay_out_interfaces",
    "regions",
    "summarize_interfaces",
    "ultraserver_types",
    "zones_of",
]

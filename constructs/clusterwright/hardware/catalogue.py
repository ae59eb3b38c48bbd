"""Look-ups in the catalogue, which is read once, when first asked.

The data is ``data/catalogue.json``, written by ``scripts/regenerate_hardware.py``; docs/reference/hardware.md
says where it comes from.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clusterwright.errors import UnknownInstanceTypeError
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

if TYPE_CHECKING:
    from collections.abc import Iterable

CATALOGUE_FILE = Path(__file__).parent / "data" / "catalogue.json"


def instance_types() -> tuple[str, ...]:
    """The names of all instance types of the catalogue, sorted."""
    return tuple(_read_document()["instances"])


@cache
def find_instance_type(name: str) -> InstanceSpec:
    """What the catalogue says of an instance type.

    Args:
        name: The type, such as ``p5en.48xlarge``.

    Raises:
        UnknownInstanceTypeError: The catalogue lacks the type; the error carries near spellings.
    """
    records = _read_document()["instances"]
    if name not in records:
        raise UnknownInstanceTypeError(name, _find_near(name, records))
    return _read_instance(name, records[name])


def ultraserver_types() -> tuple[str, ...]:
    """The names of all UltraServer types of the catalogue, sorted."""
    return tuple(_read_document()["ultraservers"])


@cache
def find_ultraserver(name: str) -> UltraServerSpec:
    """What the catalogue says of an UltraServer type.

    Args:
        name: The type, such as ``u-p6e-gb200x72``.

    Raises:
        UnknownInstanceTypeError: The catalogue lacks the type; the error carries near spellings.
    """
    records = _read_document()["ultraservers"]
    if name not in records:
        raise UnknownInstanceTypeError(name, _find_near(name, records), kind="UltraServer type")
    record = dict(records[name])
    return UltraServerSpec(name=name, source=_read_source(record.pop("source")), **record)


@cache
def regions() -> tuple[str, ...]:
    """The regions of which the catalogue knows what they offer, sorted."""
    return tuple(sorted({zone["region"] for zone in _read_document()["zones"].values()}))


@cache
def zones_of(region: str) -> tuple[Zone, ...]:
    """The zones of a region, local zones included, sorted by id; none for a region that is not known."""
    zones = (find_zone(zone_id) for zone_id in _read_document()["zones"])
    return tuple(zone for zone in zones if zone is not None and zone.region == region)


@cache
def find_zone(zone_id: str) -> Zone | None:
    """The zone with this id, such as ``use2-az3``, or None where the catalogue lacks it."""
    record = _read_document()["zones"].get(zone_id)
    return None if record is None else Zone(id=zone_id, **record)


@cache
def _read_document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(CATALOGUE_FILE.read_bytes())
    return document


def _find_near(name: str, known: Iterable[str]) -> list[str]:
    from difflib import get_close_matches  # noqa: PLC0415  only needed for an error

    return get_close_matches(name.removeprefix("ml."), known, n=3)


@cache
def _read_source(key: str) -> Source:
    return Source(**_read_document()["sources"][key])


def _read_instance(name: str, record: dict[str, Any]) -> InstanceSpec:
    return InstanceSpec(
        name=name,
        vcpus=record["vcpus"],
        memory_mib=record["memory_mib"],
        architecture=record["architecture"],
        accelerators=_read_accelerators(record["accelerators"]),
        local_nvme=tuple(NvmeGroup(**group) for group in record["local_nvme"]),
        network_cards=_read_cards(record["network_cards"]),
        max_efa_interfaces=record["max_efa_interfaces"],
        efa_gbps=record["efa_gbps"],
        ip_gbps=record["ip_gbps"],
        ipv4_per_interface=record["ipv4_per_interface"],
        max_pods_default=record["max_pods_default"],
        purchase_options=tuple(record["purchase_options"]),
        zones=_group_by_region(record["zones"]),
        ultraservers=tuple(record["ultraservers"]),
        hyperpod_type=record["hyperpod_type"],
        on_demand_price=_read_price(record["usd_per_hour"]),
        efa_cards=tuple(record["efa_cards"]) if record["efa_cards"] is not None else None,
        source=_read_source(record["source"]),
        notes=tuple(_read_note(note) for note in record["notes"]),
    )


def _read_accelerators(record: dict[str, Any] | None) -> AcceleratorGroup | None:
    if record is None:
        return None
    facts = dict(_read_document()["accelerators"][record["facts"]])
    return AcceleratorGroup(
        name=record["name"],
        vendor=record["vendor"],
        count=record["count"],
        memory_mib=record["memory_mib"],
        source=_read_source(facts.pop("source")),
        **facts,
    )


def _read_cards(groups: list[dict[str, Any]]) -> tuple[NetworkCard, ...]:
    """Cards are stored in groups of equals."""
    cards = [
        NetworkCard(index, group["max_interfaces"], tuple(group["interface_types"]), group["baseline_gbps"])
        for group in groups
        for index in group["indexes"]
    ]
    return tuple(sorted(cards, key=lambda card: card.index))


def _group_by_region(zone_ids: list[str]) -> dict[str, tuple[str, ...]]:
    zones = _read_document()["zones"]
    grouped: dict[str, list[str]] = {}
    for zone_id in zone_ids:
        grouped.setdefault(zones[zone_id]["region"], []).append(zone_id)
    return {region: tuple(grouped[region]) for region in sorted(grouped)}


def _read_price(usd_per_hour: float | None) -> Price | None:
    if usd_per_hour is None:
        return None
    prices = _read_document()["prices"]
    return Price(usd_per_hour, prices["region"], _read_source(prices["source"]))


def _read_note(record: dict[str, Any]) -> Note:
    return Note(
        fields=tuple(record["fields"]),
        reason=record["reason"],
        source=_read_source(record["source"]),
        is_verified=record["is_verified"],
    )

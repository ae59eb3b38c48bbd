"""Write the hardware catalogue: EC2's own data, with ``hardware_overlay.yaml`` laid over it.

    python scripts/regenerate_hardware.py             asks EC2, in the regions that the account has enabled
    python scripts/regenerate_hardware.py --bundled   uses moto's copy of EC2's data; what is committed

Equal data gives an equal file, byte for byte. Needs ec2:DescribeRegions, ec2:DescribeInstanceTypes,
ec2:DescribeInstanceTypeOfferings and ec2:DescribeAvailabilityZones; writes nothing to the account.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import boto3
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from types_boto3_ec2 import EC2Client
    from types_boto3_ec2.type_defs import FilterTypeDef

    Record = dict[str, Any]

OVERLAY_FILE = Path(__file__).with_name("hardware_overlay.yaml")
CATALOGUE_FILE = (
    Path(__file__).parents[1] / "constructs" / "clusterwright" / "hardware" / "data" / "catalogue.json"
)
HOME_REGION = "us-east-1"
VENDORS = {"NVIDIA": "nvidia"}
EKS_PODS_ON_HOST_NETWORK = 2  # aws-node and kube-proxy take no address of their own


@dataclass
class Ec2Facts:
    """What EC2 says, in its own words.

    Attributes:
        types: Per instance type its entry of DescribeInstanceTypes.
        offerings: Per instance type the ids of the zones that offer it.
        zones: Per zone id the zone, as the catalogue keeps it.
    """

    types: dict[str, Any] = field(default_factory=dict)
    offerings: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    zones: dict[str, Record] = field(default_factory=dict)


def collect(regions: Sequence[str], names: Sequence[str], client_of: Callable[[str], EC2Client]) -> Ec2Facts:
    """Ask EC2 about some instance types.

    Args:
        regions: Where to ask; of a region that offers none of the types nothing is kept.
        names: The instance types.
        client_of: Makes the EC2 client of a region.
    """
    facts = Ec2Facts()
    only_these = filter_types(names)
    for region in regions:
        client = client_of(region)
        offerings = client.get_paginator("describe_instance_type_offerings").paginate(
            LocationType="availability-zone-id", Filters=only_these
        )
        offers = [offer for page in offerings for offer in page["InstanceTypeOfferings"]]
        if not offers:
            continue
        for offer in offers:
            facts.offerings[offer["InstanceType"]].add(offer["Location"])
        facts.zones |= collect_zones(client, region, {offer["Location"] for offer in offers})
        missing = filter_types(sorted(set(names) - set(facts.types)))
        for page in client.get_paginator("describe_instance_types").paginate(Filters=missing):
            facts.types |= {entry["InstanceType"]: entry for entry in page["InstanceTypes"]}
    return facts


def filter_types(names: Iterable[str]) -> list[FilterTypeDef]:
    """EC2's filter for these instance types; unlike a plain list of names it accepts unknown ones."""
    return [{"Name": "instance-type", "Values": list(names)}]


def collect_zones(client: EC2Client, region: str, offering: Iterable[str]) -> dict[str, Record]:
    """The region's availability zones, and the local zones among those that offer a type.

    A zone in the offerings that DescribeAvailabilityZones does not list is not open to every account, so no
    control plane is put there.
    """
    zones = {zone_id: make_zone(region, "availability-zone", None) for zone_id in offering}
    for zone in client.describe_availability_zones(AllAvailabilityZones=True)["AvailabilityZones"]:
        kind, zone_id = zone["ZoneType"], zone["ZoneId"]
        if kind == "availability-zone" or (kind == "local-zone" and zone_id in zones):
            zones[zone_id] = make_zone(region, kind, zone.get("ParentZoneId"))
            zones[zone_id]["hosts_eks_control_plane"] = kind == "availability-zone"
    return zones


def make_zone(region: str, kind: str, parent: str | None) -> Record:
    """A zone as the catalogue keeps it, without an EKS control plane."""
    return {"region": region, "kind": kind, "parent": parent, "hosts_eks_control_plane": False}


def describe_instance(entry: Record) -> Record:
    """The catalogue's record of a type, from its entry of DescribeInstanceTypes."""
    network = entry["NetworkInfo"]
    card0 = network["NetworkCards"][0]
    addresses = network["Ipv4AddressesPerInterface"]
    return {
        "vcpus": entry["VCpuInfo"]["DefaultVCpus"],
        "memory_mib": entry["MemoryInfo"]["SizeInMiB"],
        "architecture": entry["ProcessorInfo"]["SupportedArchitectures"][0],
        "accelerators": describe_accelerators(entry),
        "local_nvme": [
            {"count": disk["Count"], "size_gb": disk["SizeInGB"]}
            for disk in entry.get("InstanceStorageInfo", {}).get("Disks", [])
        ],
        "network_cards": group_cards(network["NetworkCards"]),
        "max_efa_interfaces": network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0),
        "efa_gbps": find_efa_gbps(network),
        "ip_gbps": card0["BaselineBandwidthInGbps"],
        "ipv4_per_interface": addresses,
        "max_pods_default": card0["MaximumNetworkInterfaces"] * (addresses - 1) + EKS_PODS_ON_HOST_NETWORK,
        "purchase_options": sorted(entry["SupportedUsageClasses"]),
    }


def describe_accelerators(entry: Record) -> Record | None:
    """The GPUs or Neuron devices of a type, or None; EC2 lists at most one kind."""
    for gpu in entry.get("GpuInfo", {}).get("Gpus", []):
        return describe_device(gpu, VENDORS[gpu["Manufacturer"]])
    for device in entry.get("NeuronInfo", {}).get("NeuronDevices", []):
        return describe_device(device, "neuron")
    return None


def describe_device(device: Record, vendor: str) -> Record:
    """One entry of GpuInfo or NeuronInfo."""
    memory_mib = device["MemoryInfo"]["SizeInMiB"]
    return {"name": device["Name"], "vendor": vendor, "count": device["Count"], "memory_mib": memory_mib}


def group_cards(cards: Sequence[Record]) -> list[Record]:
    """Cards that differ in nothing but their index share a record."""
    groups: dict[str, Record] = {}
    for card in cards:
        facts = {
            "max_interfaces": card["MaximumNetworkInterfaces"],
            "interface_types": card["InterfaceTypes"],
            "baseline_gbps": card["BaselineBandwidthInGbps"],
        }
        group = groups.setdefault(json.dumps(facts), {"indexes": [], **facts})
        group["indexes"].append(card["NetworkCardIndex"])
    return list(groups.values())


def find_efa_gbps(network: Record) -> float:
    """The sum of the cards that take an EFA, but no more than the whole instance has; 0 without EFA."""
    cards = [
        card["PeakBandwidthInGbps"] for card in network["NetworkCards"] if "efa" in card["InterfaceTypes"]
    ]
    return min(sum(cards, 0.0), read_gigabits(network["NetworkPerformance"]))


def read_gigabits(performance: str) -> float:
    """The Gbit/s in EC2's words: ``Up to 12.5 Gigabit``, ``3200 Gigabit``, ``16x 200 Gigabit``."""
    match = re.fullmatch(r"(?:Up to )?(?:(\d+)x )?([\d.]+) Gigabit", performance)
    if match is None:
        raise ValueError(f"NetworkPerformance {performance!r} is in words that this script does not know")
    return int(match[1] or 1) * float(match[2])


def amend(records: dict[str, Record], amendments: Iterable[Record]) -> None:
    """Lay the overlay's amendments over the records, each leaving a note."""
    for amendment in amendments:
        for name in amendment["types"]:
            record = records.setdefault(name, {"notes": []})
            for path, value in amendment["set"].items():
                set_field(record, path, value)
            note = {
                "fields": sorted(path.partition(".")[0] for path in amendment["set"]),
                "reason": amendment["reason"].strip(),
                "source": amendment["source"],
                "is_verified": amendment["verified"],
            }
            record["notes"].append(note)


def set_field(record: Record, path: str, value: object) -> None:
    """Set ``record[a][b]`` for the path ``a.b``; an unknown field inside another is a slip in the overlay."""
    *outer, last = path.split(".")
    for key in outer:
        record = record[key]
        if last not in record:
            raise KeyError(f"the overlay sets {path}, which does not exist")
    record[last] = value


def find_chip(accelerators: Record, chips: dict[str, Record]) -> str:
    """The key of the chip's facts in the overlay, by EC2's name and, where two share it, by memory."""
    for key, chip in chips.items():
        memory_mib = chip.get("memory_mib", accelerators["memory_mib"])
        if chip["ec2_name"] == accelerators["name"] and memory_mib == accelerators["memory_mib"]:
            return key
    raise KeyError(f"the overlay has no facts on {accelerators['name']}, {accelerators['memory_mib']} MiB")


def build_catalogue(
    facts: Ec2Facts, overlay: Record, source: Record, hyperpod_types: frozenset[str]
) -> Record:
    """Join EC2's facts and the overlay.

    Args:
        facts: What EC2 says.
        overlay: The content of ``hardware_overlay.yaml``.
        source: Title, address and date of EC2's facts.
        hyperpod_types: SageMaker's ClusterInstanceType values.

    Returns:
        The catalogue, as ``catalogue.json`` holds it.
    """
    records: dict[str, Record] = {
        name: {**describe_instance(entry), "notes": []} for name, entry in facts.types.items()
    }
    amend(records, overlay["amendments"])
    zones = {**facts.zones, **{zone_id: zone["set"] for zone_id, zone in overlay["zones"].items()}}
    for zone_id, zone in overlay["zones"].items():
        for name in zone.get("offers", []):
            facts.offerings[name].add(zone_id)
    for name, record in records.items():
        complete(name, record, overlay)
        record["source"] = "ec2" if name in facts.types else record["notes"][0]["source"]
        record["zones"] = sorted(facts.offerings[name])
        record["hyperpod_type"] = f"ml.{name}" if f"ml.{name}" in hyperpod_types else None
    return {
        "sources": {"ec2": source, **{key: overlay["sources"][key] for key in find_cited(overlay)}},
        "prices": {key: overlay["prices"][key] for key in ("region", "source")},
        "accelerators": {key: drop_keys(chip) for key, chip in overlay["accelerators"].items()},
        "ultraservers": {key: drop_keys(record) for key, record in overlay["ultraservers"].items()},
        "zones": zones,
        "instances": records,
    }


def complete(name: str, record: Record, overlay: Record) -> None:
    """Add to a record what follows from the rest of it and what EC2 never says."""
    record.setdefault("efa_cards", None)
    record.setdefault("ip_gbps", record["network_cards"][0]["baseline_gbps"])
    record["usd_per_hour"] = overlay["prices"]["usd_per_hour"].get(name)
    record["ultraservers"] = sorted(
        key for key, ultraserver in overlay["ultraservers"].items() if ultraserver["instance_type"] == name
    )
    if record["accelerators"]:
        record["accelerators"] = {
            **record["accelerators"],
            "facts": find_chip(record["accelerators"], overlay["accelerators"]),
        }


def find_cited(overlay: Record) -> list[str]:
    """The sources that an entry of the catalogue names, sorted."""
    entries = [*overlay["amendments"], *overlay["ultraservers"].values(), *overlay["accelerators"].values()]
    return sorted({entry["source"] for entry in entries} | {overlay["prices"]["source"]})


def drop_keys(record: Record) -> Record:
    """An overlay's entry as the catalogue keeps it: without the keys that only this script reads."""
    kept = {key: value for key, value in record.items() if key not in {"ec2_name", "memory_mib", "verified"}}
    return {**kept, "is_verified": record["verified"]}


def serialize(catalogue: Record) -> str:
    """JSON with one entry a line, so that a diff shows which types changed."""
    sections = []
    for section, entries in catalogue.items():
        lines = [f"{json.dumps(key)}: {json.dumps(entries[key], sort_keys=True)}" for key in sorted(entries)]
        sections.append(f"{json.dumps(section)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def write(path: Path, text: str) -> None:
    """Replace a file in one step: an interrupted run leaves the old one."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def read_overlay() -> Record:
    """The hand-kept overlay."""
    overlay: Record = yaml.safe_load(OVERLAY_FILE.read_text(encoding="utf-8"))
    return overlay


def list_names(overlay: Record) -> list[str]:
    """The instance types to ask EC2 about."""
    families = overlay["instance_types"].items()
    amended = {name for amendment in overlay["amendments"] for name in amendment["types"]}
    return sorted({f"{family}.{size}" for family, sizes in families for size in sizes} | amended)


def list_hyperpod_types() -> frozenset[str]:
    """SageMaker's ClusterInstanceType values, from the model that the installed botocore brings."""
    model = boto3.client("sagemaker", region_name=HOME_REGION).meta.service_model
    return frozenset(model.shape_for("ClusterInstanceType").enum)


def generate(source: Record, regions: Sequence[str] | None = None) -> str:
    """The text of ``catalogue.json``.

    Args:
        source: Title, address and date of EC2's facts.
        regions: Where to ask EC2; None is every region that the account has enabled.
    """
    overlay = read_overlay()
    if regions is None:
        answer = boto3.client("ec2", region_name=HOME_REGION).describe_regions()
        regions = sorted(region["RegionName"] for region in answer["Regions"])
    facts = collect(regions, list_names(overlay), lambda region: boto3.client("ec2", region_name=region))
    return serialize(build_catalogue(facts, overlay, source, list_hyperpod_types()))


def generate_from_moto() -> str:
    """The text of ``catalogue.json`` from the copy of EC2's data that moto brings; no network, no account."""
    from moto import mock_aws  # noqa: PLC0415  only --bundled needs moto

    # Moto loads a thousand images for each region unless told not to.
    with patch.dict(os.environ, {"MOTO_EC2_LOAD_DEFAULT_AMIS": "false"}), mock_aws():
        os.environ.pop("AWS_PROFILE", None)
        return generate(read_overlay()["sources"]["moto"])


def main() -> None:
    """Read the command line and write the catalogue."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bundled", action="store_true", help="use the copy of EC2's data that moto brings")
    parser.add_argument("--regions", nargs="+", help="ask EC2 in these regions only")
    parser.add_argument("--output", type=Path, default=CATALOGUE_FILE, help="the file to write")
    arguments = parser.parse_args()
    if arguments.bundled:
        text = generate_from_moto()
    else:
        today = datetime.now(UTC).date().isoformat()
        text = generate({"title": "EC2's API", "url": "", "date": today}, arguments.regions)
    write(arguments.output, text)
    print(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()

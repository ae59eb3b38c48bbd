#!/usr/bin/env python3
"""Writes topology.conf and topology_plugin.conf from what EC2 and HyperPod tell of the network.

The layers of switches above an instance are in HyperPod's resource_config.json, as labels of the instance, or
in the answer of `aws ec2 describe-instance-topology`, which does not know HyperPod's instances. The
UltraServers are features of the nodes in nodes.conf.
With block topology an UltraServer is a block; with tree topology the switches are a tree. What is not known
falls back to one switch above all nodes, which says nothing about nearness and is true; the reason is in the
file and on stderr. This needs nothing but Python 3.9. It prints the name of each file that changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HEADER = "# Made by clusterwright; written anew when nodes come and go.\n"
LAYER = "network-node-layer-"
DOMAIN = "ultraserver-"
OLD_SLURM = "this Slurm has no topology/block, which came with 23.11: each UltraServer is a switch"


def main() -> None:
    """Read, write, and print what changed."""
    options = parse_arguments()
    pools = json.loads(options.pools.read_text())
    kind, text = choose(
        pools,
        read_nodes(options.output / "nodes.conf"),
        read_switches(options.instances) | read_labels(options.resources),
        read_domains(options.output / "nodes.conf"),
        has_block=options.plugins is None or (options.plugins / "topology_block.so").exists(),
    )
    files = {"topology.conf": text, "topology_plugin.conf": f"{HEADER}TopologyPlugin=topology/{kind}\n"}
    for name, content in files.items():
        if write_file(options.output / name, content):
            sys.stdout.write(f"{name}\n")


def parse_arguments() -> argparse.Namespace:
    """What the caller says."""
    parser = argparse.ArgumentParser(description="Writes topology.conf and topology_plugin.conf.")
    parser.add_argument("--pools", type=Path, required=True, help="pools.json of the bundle")
    parser.add_argument("--instances", type=Path, help="answer of ec2 describe-instance-topology")
    parser.add_argument("--resources", type=Path, help="HyperPod's resource_config.json")
    parser.add_argument("--plugins", type=Path, help="Slurm's plugins, which tell what topologies it knows")
    parser.add_argument("--output", type=Path, default=Path("/opt/slurm/etc"), help="folder of nodes.conf")
    return parser.parse_args()


def read_nodes(path: Path) -> dict[str, dict[str, str]]:
    """The nodes of each pool, from nodes.conf: instance id by name.

    Of a node's features the first is its pool, and the last its instance's id.
    """
    nodes: dict[str, dict[str, str]] = {}
    for name, features in read_features(path).items():
        nodes.setdefault(features[0], {})[name] = features[-1]
    return nodes


def read_domains(path: Path) -> dict[str, str]:
    """The UltraServer of each instance that is in one, from the features in nodes.conf."""
    return {
        features[-1]: feature[len(DOMAIN) :]
        for features in read_features(path).values()
        for feature in features
        if feature.startswith(DOMAIN)
    }


def read_features(path: Path) -> dict[str, list[str]]:
    """The features of each node, from nodes.conf."""
    lines = path.read_text().splitlines()
    fields = [dict(part.split("=", 1) for part in line.split() if "=" in part) for line in lines]
    return {each["NodeName"]: each["Feature"].split(",") for each in fields if "NodeName" in each}


def read_answer(path: Path | None, key: str) -> list[dict[str, Any]]:
    """The items of an answer of AWS; none where there is none, or it is not JSON."""
    try:
        answer = json.loads(path.read_text()) if path is not None else {}
    except (OSError, ValueError):
        return []
    return list(answer.get(key, [])) if isinstance(answer, dict) else []


def read_switches(path: Path | None) -> dict[str, tuple[str, ...]]:
    """The switches above each instance, from the highest to the nearest."""
    items = read_answer(path, "Instances")
    return {each["InstanceId"]: tuple(each["NetworkNodes"]) for each in items if each.get("NetworkNodes")}


def read_labels(path: Path | None) -> dict[str, tuple[str, ...]]:
    """The same from HyperPod's list of instances, where layer 1 is the highest."""
    labels = {
        instance["InstanceId"]: find_layers(instance)
        for group in read_answer(path, "InstanceGroups")
        for instance in group.get("Instances", [])
        if instance.get("InstanceId")
    }
    return {instance: layers for instance, layers in labels.items() if layers}


def find_layers(instance: dict[str, Any]) -> tuple[str, ...]:
    """The switches in an instance's labels, whose names end in `network-node-layer-1` and so on."""
    labels = instance.get("InstanceLabel")
    found = {
        name.rpartition(LAYER)[2]: switch
        for name, switch in (labels.items() if isinstance(labels, dict) else ())
        if LAYER in name and switch
    }
    numbers = sorted(int(number) for number in found if number.isdigit())
    return tuple(found[str(number)] for number in numbers)


def choose(
    pools: dict[str, Any],
    nodes: dict[str, dict[str, str]],
    switches: dict[str, tuple[str, ...]],
    domains: dict[str, str],
    *,
    has_block: bool,
) -> tuple[str, str]:
    """The kind of topology, and the text of topology.conf."""
    everyone = {name: instance for pool in nodes.values() for name, instance in pool.items()}
    if pools["topology"] == "flat" or not everyone:
        return fall_back(everyone, "no network whose shape matters" if everyone else "there are no nodes yet")
    is_block = pools["topology"] == "block"
    known = set(domains if is_block else switches)
    placed = find_placed(pools, nodes, known)
    unknown = sorted(name for name, instance in placed.items() if instance not in known)
    if unknown or not placed:
        first, count = (unknown or sorted(everyone))[0], len(unknown or everyone)
        what = "UltraServer" if is_block else "switches"
        return fall_back(everyone, f"AWS does not tell the {what} of {first} ({count} nodes in all)")
    if is_block and has_block:
        return "block", HEADER + describe_blocks(pools["block_size"], placed, domains)
    note = ""
    if is_block:
        sys.stderr.write(f"{OLD_SLURM}\n")
        note, switches = f"# {OLD_SLURM}.\n", {instance: (domain,) for instance, domain in domains.items()}
    return "tree", HEADER + note + describe_tree(everyone, switches)


def find_placed(pools: dict[str, Any], nodes: dict[str, dict[str, str]], known: set[str]) -> dict[str, str]:
    """The nodes whose place matters: in UltraServers, or of pools about which AWS tells anything at all."""
    placed: dict[str, str] = {}
    for pool, members in nodes.items():
        is_joined = pools["pools"][pool]["nodes_per_ultraserver"] > 0
        is_told = any(instance in known for instance in members.values())
        if is_joined if pools["topology"] == "block" else is_told:
            placed.update(members)
    return placed


def fall_back(nodes: dict[str, str], reason: str) -> tuple[str, str]:
    """One switch above all nodes."""
    sys.stderr.write(f"the topology is flat: {reason}\n")
    line = f"SwitchName=flat Nodes={','.join(sorted(nodes))}\n" if nodes else ""
    return "tree", f"{HEADER}# Flat: {reason}.\n# One switch is above all nodes, so none is nearer.\n{line}"


def describe_blocks(block_size: int, nodes: dict[str, str], domains: dict[str, str]) -> str:
    """A block an UltraServer. Slurm counts a block as whole that has the nodes of the smallest."""
    blocks: dict[str, list[str]] = {}
    for name, instance in nodes.items():
        blocks.setdefault(domains[instance], []).append(name)
    lines = []
    for at, domain in enumerate(sorted(blocks)):
        lines += [f"# {domain}", f"BlockName=block{at} Nodes={','.join(sorted(blocks[domain]))}"]
    smallest = min(len(names) for names in blocks.values())
    return "\n".join([*lines, f"BlockSizes={min(block_size or smallest, smallest)}"]) + "\n"


def describe_tree(nodes: dict[str, str], switches: dict[str, tuple[str, ...]]) -> str:
    """The switches as a tree: the lowest have nodes, the others switches, one joins what AWS keeps apart."""
    leaves: dict[str, list[str]] = {}
    below: dict[str, set[str]] = {}
    for name, instance in nodes.items():
        # Every node needs a switch: those that AWS tells nothing of have one of their own.
        path = ("root", *switches.get(instance, ("others",)))
        leaves.setdefault(path[-1], []).append(name)
        for at in range(1, len(path)):
            below.setdefault(path[at - 1], set()).add(path[at])
    lines = [f"SwitchName={switch} Nodes={','.join(sorted(leaves[switch]))}" for switch in sorted(leaves)]
    lines += [
        f"SwitchName={switch} Switches={','.join(sorted(below[switch]))}"
        for switch in sorted(below)
        if switch != "root" or len(below[switch]) > 1
    ]
    return "\n".join(lines) + "\n"


def write_file(path: Path, text: str) -> bool:
    """Replace a file whole, if it differs; whether it did."""
    if path.exists() and path.read_text() == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text)
    fresh.replace(path)
    return True


if __name__ == "__main__":
    main()

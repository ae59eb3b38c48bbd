#!/usr/bin/env python3
"""Writes nodes.conf and gres.conf from the addresses that HyperPod gives the controller.

HyperPod puts what instances there are into /opt/ml/config/resource_config.json, by instance group, which is a
pool. This needs nothing but Python 3.9. Files are replaced whole, and only where they differ; it prints the
name of each that did.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HEADER = "# Made by clusterwright from HyperPod's resource_config.json; written anew when nodes come and go."

Instance = dict[str, Any]
Pool = dict[str, Any]


def main() -> None:
    """Read, write, and print what changed."""
    options = parse_arguments()
    pools = json.loads(options.pools.read_text())
    groups = read_groups(options.resources)
    if options.print_controller:
        sys.stdout.write(find_controller(pools, groups)["CustomerIpAddress"] + "\n")
        return
    has_nvml = options.plugins is not None and (options.plugins / "gpu_nvml.so").exists()
    domains = read_domains(options.instances, options.ultraservers)
    files = {
        "nodes.conf": describe_nodes(pools, groups, domains),
        "gres.conf": describe_gres(pools, groups, has_nvml=has_nvml),
    }
    for name, text in files.items():
        if write_file(options.output / name, text):
            sys.stdout.write(f"{name}\n")


def parse_arguments() -> argparse.Namespace:
    """What the caller says."""
    parser = argparse.ArgumentParser(description="Writes nodes.conf and gres.conf.")
    parser.add_argument("--pools", type=Path, required=True, help="pools.json of the bundle")
    parser.add_argument("--resources", type=Path, default=Path("/opt/ml/config/resource_config.json"))
    parser.add_argument("--instances", type=Path, help="answer of ec2 describe-instance-topology")
    parser.add_argument("--ultraservers", type=Path, help="answer of sagemaker list-cluster-nodes")
    parser.add_argument("--plugins", type=Path, help="Slurm's plugins, which tell whether it knows NVML")
    parser.add_argument("--output", type=Path, default=Path("/opt/slurm/etc"), help="folder of slurm.conf")
    parser.add_argument(
        "--print-controller", action="store_true", help="print the controller's address, and write nothing"
    )
    return parser.parse_args()


def read_groups(path: Path) -> dict[str, list[Instance]]:
    """The instances of each instance group, sorted by address."""
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: HyperPod's list of instances cannot be read: {error}")
    groups = {}
    for group in data.get("InstanceGroups", []):
        instances = [each for each in group.get("Instances", []) if each.get("CustomerIpAddress")]
        groups[group["Name"]] = sorted(instances, key=sort_key)
    return groups


def read_domains(instances: Path | None, ultraservers: Path | None) -> dict[str, str]:
    """The UltraServer of each instance that is in one: HyperPod's name of it, else EC2's."""
    domains = {
        each["InstanceId"]: each["CapacityBlockId"]
        for each in read_answer(instances, "Instances")
        if each.get("CapacityBlockId")
    }
    for each in read_answer(ultraservers, "ClusterNodeSummaries"):
        ultraserver = (each.get("UltraServerInfo") or {}).get("Id")
        if ultraserver:
            domains[each["InstanceId"]] = ultraserver
    return domains


def read_answer(path: Path | None, key: str) -> list[dict[str, Any]]:
    """The items of an answer of AWS; none where there is none, or it is not JSON."""
    try:
        answer = json.loads(path.read_text()) if path is not None else {}
    except (OSError, ValueError):
        return []
    return list(answer.get(key, [])) if isinstance(answer, dict) else []


def sort_key(instance: Instance) -> tuple[int, ...]:
    """What to sort instances by: the numbers of the address."""
    return tuple(int(part) for part in instance["CustomerIpAddress"].split("."))


def node_name(instance: Instance) -> str:
    """The host name that EC2 gives an instance in a private subnet."""
    return "ip-" + str(instance["CustomerIpAddress"]).replace(".", "-")


def find_controller(pools: dict[str, Any], groups: dict[str, list[Instance]]) -> Instance:
    """The controller's instance."""
    name = pools["controller"]
    instances = groups.get(name, [])
    if len(instances) != 1:
        sys.exit(f"the controller's pool {name} has {len(instances)} instances, and must have 1")
    return instances[0]


def describe_nodes(pools: dict[str, Any], groups: dict[str, list[Instance]], domains: dict[str, str]) -> str:
    """The text of nodes.conf."""
    controller = find_controller(pools, groups)
    lines = [HEADER, f"SlurmctldHost={node_name(controller)}({controller['CustomerIpAddress']})"]
    if pools["accounting"]["kind"] in ("local", "rds"):
        lines.append(f"AccountingStorageHost={controller['CustomerIpAddress']}")
    for name, pool in pools["pools"].items():
        lines += [describe_node(name, pool, instance, domains) for instance in groups.get(name, [])]
    return "\n".join(lines) + "\n"


def describe_node(name: str, pool: Pool, instance: Instance, domains: dict[str, str]) -> str:
    """One node's line.

    Its last feature is the instance's id, by which write_topology.py knows it. The one before tells the
    UltraServer, to write_topology.py and to the prolog, which starts IMEX among a job's nodes.
    """
    instance_id = instance.get("InstanceId") or "unknown"
    domain = domains.get(instance_id) if pool["nodes_per_ultraserver"] else None
    features = [name, pool["instance_type"], *([f"ultraserver-{domain}"] if domain else []), instance_id]
    gres = pool["gres"]
    parts = [
        f"NodeName={node_name(instance)}",
        f"NodeAddr={instance['CustomerIpAddress']}",
        f"Sockets={pool['sockets']}",
        f"CoresPerSocket={pool['cores_per_socket']}",
        f"ThreadsPerCore={pool['threads_per_core']}",
        f"RealMemory={pool['memory_mib']}",
        f"Weight={pool['weight']}",
        f"Feature={','.join(features)}",
    ]
    if gres is not None:
        kind = f"{gres['name']}:{gres['type']}" if gres["type"] else gres["name"]
        parts.append(f"Gres={kind}:{gres['count']}")
    return " ".join([*parts, "State=UNKNOWN"])


def describe_gres(pools: dict[str, Any], groups: dict[str, list[Instance]], *, has_nvml: bool) -> str:
    """The text of gres.conf."""
    lines = [HEADER]
    for name, pool in pools["pools"].items():
        nodes = ",".join(node_name(each) for each in groups.get(name, []))
        if pool["gres"] is None or not nodes:
            continue
        if has_nvml and pool["gres"]["name"] == "gpu":
            lines.append(f"NodeName={nodes} AutoDetect=nvml")
        else:
            lines += [f"NodeName={nodes} {line}" for line in list_devices(pool)]
    return "\n".join(lines) + "\n"


def list_devices(pool: Pool) -> list[str]:
    """The devices of a node, with the cores that are near them: they are shared out among the sockets."""
    gres, sockets = pool["gres"], pool["sockets"]
    shares = sockets if gres["count"] % sockets == 0 else 1
    devices, cores = gres["count"] // shares, pool["cores_per_socket"] * sockets // shares
    kind = f"Name={gres['name']}" + (f" Type={gres['type']}" if gres["type"] else "")
    return [
        f"{kind} "
        f"File={gres['device']}{span(share * devices, devices)} Cores={span(share * cores, cores, '{}-{}')}"
        for share in range(shares)
    ]


def span(first: int, count: int, form: str = "[{}-{}]") -> str:
    """Numbers in a row, as Slurm writes them."""
    return str(first) if count == 1 else form.format(first, first + count - 1)


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

"""The files of Slurm: configuration from a `SlurmContext`, and the scripts that go with it as they are.

HyperPod's image runs Slurm from files on the controller, and its other nodes fetch them from there
("configless"). PCS runs the controller itself and takes settings one by one through its API.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from clusterwright_lifecycle.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright_lifecycle.slurm_contexts import PartitionContext, SlurmContext

_NODE_SCRIPTS = (
    "common.sh",
    "check_node.sh",
    "imex.sh",
    "prolog.sh",
    "epilog.sh",
    "task_prolog.sh",
    "health_check.sh",
)
_CONTROLLER_SCRIPTS = ("write_nodes.py", "write_topology.py", "update_nodes.sh")


def render_slurm(slurm: SlurmContext) -> dict[str, str]:
    """The files of a Slurm cluster, by their path in a bundle.

    All nodes get the same ones, so that any of them can say what the cluster should be.

    Args:
        slurm: The cluster.
    """
    files = {f"slurm/{name}": text for name, text in _read_scripts(_NODE_SCRIPTS).items()}
    files["slurm/one_ultraserver"] = "".join(
        f"{each.name}\n" for each in slurm.partitions if each.is_one_ultraserver
    )
    if slurm.orchestrator == "pcs":
        return files | {"slurm/pcs_settings.json": _to_json(list_pcs_settings(slurm))}
    files |= {f"slurm/{name}": text for name, text in _read_scripts(_CONTROLLER_SCRIPTS).items()}
    files["slurm/slurm.conf"] = render("slurm/slurm.conf.j2", slurm)
    files["slurm/cgroup.conf"] = render("slurm/cgroup.conf.j2", slurm)
    files["slurm/pools.json"] = _to_json(describe_pools(slurm))
    if slurm.accounting.kind in ("local", "rds"):
        files["slurm/slurmdbd.conf"] = render("slurm/slurmdbd.conf.j2", slurm)
    return files


def describe_pools(slurm: SlurmContext) -> dict[str, object]:
    """What `write_nodes.py` and `write_topology.py` need to know of the pools."""
    return {
        "cluster": slurm.cluster,
        "controller": slurm.controller_pool,
        "topology": slurm.topology,
        "block_size": slurm.block_size,
        "accounting": slurm.accounting.model_dump(),
        "pools": {each.name: _describe_pool(each) for each in slurm.partitions},
    }


def _describe_pool(partition: PartitionContext) -> dict[str, object]:
    return {
        "instance_type": partition.instance_type,
        "sockets": partition.sockets,
        "cores_per_socket": partition.cores_per_socket,
        "threads_per_core": partition.threads_per_core,
        "memory_mib": partition.memory_mib,
        "weight": partition.weight,
        "gres": partition.gres.model_dump() if partition.gres is not None else None,
        "nodes_per_ultraserver": partition.nodes_per_ultraserver,
    }


def list_pcs_settings(slurm: SlurmContext) -> dict[str, object]:
    """The settings for PCS's API: for the cluster, and for each compute node group.

    PCS knows nodes, cores and GPUs by the instance type, and makes a queue a partition: those are not told.
    Only names that AWS documents for this API are here (SlurmCustomSetting in its SDKs' references, read
    November 2026): its user guide has a longer list for clusters, which could not be read. The guide's list
    for queues has no default of memory. Without one a job that asks for none gets all of a node's where
    memory is shared out, so that cores alone are.
    """
    cluster = {
        "Prolog": f"{slurm.scripts}/prolog.sh",
        "Epilog": f"{slurm.scripts}/epilog.sh",
        "SelectTypeParameters": "CR_Core",
    }
    groups = {
        each.name: _pairs({"RealMemory": str(each.memory_mib), "Weight": str(each.weight)})
        for each in slurm.partitions
    }
    return {
        "cluster": _pairs(cluster),
        "compute_node_groups": groups,
        "accounting": "STANDARD" if slurm.accounting.kind == "managed" else "NONE",
    }


def _pairs(settings: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"ParameterName": name, "ParameterValue": value} for name, value in settings.items()]


def _to_json(value: object) -> str:
    return json.dumps(value, indent=2, sort_keys=True) + "\n"


@cache
def _read_scripts(names: tuple[str, ...]) -> Mapping[str, str]:
    folder = resources.files("clusterwright_lifecycle") / "slurm"
    return {name: (folder / name).read_text(encoding="utf-8") for name in names}

"""What `verify_node.py` compares a node with: ``expected.json``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clusterwright_lifecycle.verify.program import SCHEMA

if TYPE_CHECKING:
    from clusterwright_lifecycle.contexts import MountContext, NodeContext

KUBERNETES = ("eks", "hyperpod-eks")

ON_KUBERNETES = (
    "nvidia-driver",
    "fabric-manager",
    "imex",
    "nvlsm",
    "efa-driver",
    "container-toolkit",
    "neuron-driver",
)
"""What a Kubernetes node itself has. Libraries come with the containers, exporters and DCGM as pods."""

NOT_ON_NODES = (
    "eks-ami",
    "hyperpod-image",
    "hyperpod-eks-image",
    "neuron-sdk",
    "dcgm-exporter",
    "efa-exporter",
)
"""Names of images and bundles, which no file on a node tells, and what runs as a container."""

NVLINKS = {"A100": 12, "H100": 18, "H200": 18, "B200": 18, "B300": 18, "GB200": 18, "GB300": 18}
"""NVLinks of each GPU (awsome-distributed-ai, efa-cheatsheet.md, 2026; NVIDIA's data sheets)."""


def make_expectations(node: NodeContext) -> dict[str, Any]:
    """What a node should be.

    Args:
        node: What its scripts are told.
    """
    has_gpus = node.accelerator == "nvidia" and node.accelerator_count > 0
    return {
        "schema": SCHEMA,
        "cluster": node.cluster,
        "pool": node.pool,
        "instance_type": node.instance_type,
        "software_set": node.software_set,
        "software_hash": node.software_hash,
        "versions": pick_versions(node),
        "environment": node.environment,
        "gpus": _describe_gpus(node) if has_gpus else None,
        "nvlinks": NVLINKS.get(node.gpu_product, 0) if node.has_nvlink else 0,
        "neuron_devices": node.accelerator_count if node.accelerator == "neuron" else 0,
        "efa_devices": node.efa_devices,
        "local_mounts": list_local_mounts(node),
        "mounts": [_describe_mount(mount) for mount in node.mounts],
        "has_lustre_over_efa": any(mount.has_efa for mount in node.mounts),
        "services": list_services(node),
    }


def render_expectations(node: NodeContext) -> str:
    """The text of ``expected.json``."""
    return json.dumps(make_expectations(node), indent=2, sort_keys=True) + "\n"


def pick_versions(node: NodeContext) -> dict[str, str]:
    """The versions that can be found on the node itself."""
    is_kubernetes = node.orchestrator in KUBERNETES
    return {
        component: version
        for component, version in node.versions.items()
        if component not in NOT_ON_NODES and (component in ON_KUBERNETES or not is_kubernetes)
    }


def list_local_mounts(node: NodeContext) -> list[list[str]]:
    """The mounts of local disks, each as the paths of which one must be there.

    nodeadm numbers even the one striped volume.
    """
    if node.local_disks == 0:
        return []
    if node.local_raid == 0:
        return [[node.local_path, f"{node.local_path}/0"]]
    return [[f"{node.local_path}/{number}"] for number in range(node.local_disks)]


def list_services(node: NodeContext) -> list[str]:
    """The services that must run. In Kubernetes the driver for dynamic resources runs IMEX, for each job."""
    services = ["nvidia-fabricmanager"] if node.has_nvswitch else []
    if node.has_imex and node.orchestrator not in KUBERNETES:
        services.append("nvidia-imex")
    if node.orchestrator == "hyperpod-slurm":
        services += {"controller": ["slurmctld"], "compute": ["slurmd"]}.get(node.role, [])
    return services


def _describe_gpus(node: NodeContext) -> dict[str, Any]:
    return {
        "count": node.accelerator_count,
        "product": node.gpu_product,
        "memory_mib": node.accelerator_memory_mib,
    }


def _describe_mount(mount: MountContext) -> dict[str, str]:
    """A mount as /proc/mounts tells it: its type, and how its source ends."""
    kind = "lustre" if mount.kind == "lustre" else "nfs"
    return {"path": mount.path, "type": kind, "source": f":/{mount.export.lstrip('/')}"}

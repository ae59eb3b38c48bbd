"""What `verify_node.py` compares a node with: ``expected.json``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clusterwright_lifecycle.contexts import MountContext, NodeContext

SCHEMA = 1
"""Of expected.json. `verify_node.py` imports nothing of ours and has its own copy; a test compares them."""

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
    "pcs-image",
    "neuron-sdk",
    "dcgm-exporter",
    "efa-exporter",
)
"""Names of images and bundles, which no file on a node tells, and what runs as a container."""

DLAMI_PATH = "/opt/dlami/nvme"
"""Where Deep Learning AMIs, and HyperPod's with them, mount local disks (DLAMI developer guide, 2026)."""

NVLINKS = {"A100": 12, "H100": 18, "H200": 18, "B200": 18, "B300": 18, "GB200": 18, "GB300": 18}
"""NVLinks of each GPU (awsome-distributed-ai, efa-cheatsheet.md, 2026; NVIDIA's data sheets)."""


def make_expectations(node: NodeContext) -> dict[str, Any]:
    """What a node should be.

    Args:
        node: What its scripts are told.
    """
    has_gpus = node.accelerator == "nvidia" and node.accelerator_count > 0
    versions = {"kernel": node.kernel, **pick_versions(node)}
    return {
        "schema": SCHEMA,
        "cluster": node.cluster,
        "pool": node.pool,
        "instance_type": node.instance_type,
        "software_set": node.software_set,
        "software_hash": node.software_hash,
        "versions": versions,
        "origins": {name: origin for name, origin in node.origins.items() if versions.get(name)},
        "environment": node.environment,
        "gpus": _describe_gpus(node) if has_gpus else None,
        "nvlinks": NVLINKS.get(node.gpu_product, 0) if node.has_nvlink else 0,
        "neuron_devices": node.accelerator_count if node.accelerator == "neuron" else 0,
        "efa_devices": node.efa_devices,
        "local_mounts": list_local_mounts(node),
        "mounts": [_describe_mount(mount) for mount in node.mounts],
        "has_lustre_over_efa": node.has_lustre_over_efa,
        "services": list_services(node),
    }


def render_expectations(node: NodeContext) -> str:
    """The text of ``expected.json``."""
    return json.dumps(make_expectations(node), indent=2, sort_keys=True) + "\n"


def pick_versions(node: NodeContext) -> dict[str, str]:
    """The versions that can be found on the node itself."""
    absent = set(NOT_ON_NODES)
    if node.orchestrator in KUBERNETES:
        absent |= node.versions.keys() - set(ON_KUBERNETES)
    if node.role == "controller":  # it runs no containers
        absent |= {"enroot", "container-toolkit"}
    if not any(mount.kind == "lustre" for mount in node.mounts):
        absent.add("lustre-client")
    return {component: version for component, version in node.versions.items() if component not in absent}


def list_local_mounts(node: NodeContext) -> list[list[str]]:
    """The mounts of local disks, each as the paths of which one must be there.

    Even the one striped volume has a number. HyperPod's images mount the disks themselves, in their own way.
    """
    if node.local_disks == 0:
        return []
    if node.orchestrator.startswith("hyperpod"):
        return [[f"{node.local_path}/0", DLAMI_PATH]]
    if node.local_raid == 0:
        return [[f"{node.local_path}/0"]]
    return [[f"{node.local_path}/{number}"] for number in range(node.local_disks)]


def list_services(node: NodeContext) -> list[str]:
    """The services that must run once the plan has ended.

    IMEX is not among them: the prolog starts it for a job that has several nodes of an UltraServer. Nor is
    slurmd, which starts after the plan, this comparison among it, so that no job finds a node half done.
    """
    services = ["nvidia-fabricmanager"] if node.has_nvswitch else []
    if node.orchestrator == "hyperpod-slurm":
        services += {"controller": ["slurmctld"]}.get(node.role, [])
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

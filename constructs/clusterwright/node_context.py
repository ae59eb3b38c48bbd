"""From a resolved cluster to what the scripts of each pool's nodes are told."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from clusterwright.software import DEFAULT_SET, artifacts_of, make_environment, node_versions, select
from clusterwright.software.images import IMAGES, find_image
from clusterwright.software.origins import describe_origins, find_kernel
from clusterwright.storage_limits.lustre import is_efa_client
from clusterwright_lifecycle.contexts import (
    ArtifactContext,
    EksNodeContext,
    MirrorContext,
    MountContext,
    NodeContext,
    UserContext,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.config.storage import LocalNvmeConfig
    from clusterwright.hardware import InstanceSpec
    from clusterwright.resolution import ResolvedCluster, ResolvedPool
    from clusterwright.software import Software
    from clusterwright_lifecycle.contexts import OperatingSystem, Orchestrator, Role

OPERATING_SYSTEMS: Mapping[Orchestrator, OperatingSystem] = {
    "eks": "al2023",
    "hyperpod-eks": "al2023",
    "hyperpod-slurm": "ubuntu-22.04",
    "pcs": "ubuntu-24.04",
}
"""What the images run that the orchestrators take: EKS's and HyperPod's own, and the DLAMI for PCS."""

NODEADM_PATH = "/mnt/k8s-disks"
"""Where nodeadm mounts local disks unless told: in `0` if striped, else in `0`, `1` and so on.

Source: awslabs/amazon-eks-ami, nodeadm's documentation of `localStorage.mountPath`, August 2026.
"""

NVLINK_DOMAINS: Mapping[str, Literal["node", "ultraserver"]] = {
    "A100": "node",
    "H100": "node",
    "H200": "node",
    "B200": "node",
    "B300": "node",
    "GB200": "ultraserver",
    "GB300": "ultraserver",
}
"""How far NVLink reaches, by EC2's name of the GPU; a GPU that is not here has none.

In a node NVSwitch joins the GPUs, and fabric manager on the node sets it up. In an UltraServer the switches
are in trays of their own, which AWS runs: the nodes need IMEX, and fabric manager does not start there.
Source: the catalogue's `interconnect`, and EC2's user guide on p6e and its UltraServers, November 2026.
"""

KUBERNETES: frozenset[Orchestrator] = frozenset({"eks", "hyperpod-eks"})
"""Orchestrators whose nodes run containers and nothing else."""

NVIDIA_ONLY = (
    "nvidia-driver",
    "cuda",
    "nccl",
    "aws-ofi-nccl",
    "gdrcopy",
    "dcgm",
    "dcgm-exporter",
    "container-toolkit",
)
NEURON_ONLY = ("neuron-sdk", "neuron-driver", "neuron-runtime", "neuron-collectives", "neuron-tools")
EFA_ONLY = (
    "efa-installer",
    "efa-driver",
    "libfabric",
    "rdma-core",
    "aws-ofi-nccl",
    "gdrcopy",
    "efa-exporter",
)
SLURM_ONLY = ("slurm", "enroot", "pyxis", "lustre-client", "node-exporter")
"""Components that only some nodes have a use for. In Kubernetes, exporters and the Lustre client are pods."""

NVLSM_GPUS = ("B200", "B300")
"""GPUs on whose boards NVSwitch needs a subnet manager of its own (awslabs/amazon-eks-ami, 2026)."""

UNKNOWN_HOST = "known-at-deployment.invalid"
UNKNOWN_EXPORT = "known-at-deployment"


@dataclass(frozen=True, slots=True)
class FileSystemAddress:
    """Where a file system answers, which AWS decides when it makes it.

    Attributes:
        dns_name: Host name; within the CDK a token.
        export: Lustre's mount name, or the path that NFS exports.
    """

    dns_name: str
    export: str


def make_node_contexts(
    cluster: ResolvedCluster, *, file_systems: Mapping[str, FileSystemAddress] | None = None
) -> dict[str, NodeContext]:
    """What the scripts are told, for each pool by its name.

    Args:
        cluster: The resolved cluster.
        file_systems: Where file systems answer, by ``lustre.NAME`` and ``home``. A placeholder that no
            name server answers, unless given: so scripts can be read before anything is deployed.

    Raises:
        ClusterwrightError: The software section names a set or a component that there is not.
    """
    software = select_software(cluster)
    return {
        pool.name: _make_node_context(cluster, pool, software, file_systems or {}) for pool in cluster.pools
    }


def select_software(cluster: ResolvedCluster) -> Software:
    """The versions that the file asks for."""
    settings = cluster.config.software
    return select(settings.set or DEFAULT_SET, settings.overrides)


def _make_node_context(
    cluster: ResolvedCluster,
    pool: ResolvedPool,
    software: Software,
    file_systems: Mapping[str, FileSystemAddress],
) -> NodeContext:
    kind = cluster.config.orchestrator.kind
    settings = cluster.config.software
    return NodeContext(
        cluster=cluster.config.name,
        pool=pool.name,
        region=cluster.config.region,
        orchestrator=kind,
        role=_pick_role(cluster, pool),
        operating_system=OPERATING_SYSTEMS[kind],
        instance_type=pool.spec.name,
        architecture=pool.spec.architecture,
        efa_devices=len(pool.interfaces) - 1,
        **_describe_accelerators(pool.spec),
        **_describe_local_disks(pool.spec, cluster.config.storage.local_nvme, kind),
        **_describe_mounts(cluster, pool, kind, file_systems),
        users=_list_users(cluster),
        software_set=software.set_name,
        software_hash=software.content_hash,
        **_describe_versions(cluster, pool, software),
        environment=_make_environment(cluster, pool, software),
        artifacts=_find_artifacts(pool, software, kind),
        mirror=MirrorContext(**settings.mirror.model_dump()) if settings.mirror else None,
    )


def _pick_role(cluster: ResolvedCluster, pool: ResolvedPool) -> Role:
    """What a pool's nodes are: only Slurm's orchestrators tell some apart."""
    orchestrator = cluster.config.orchestrator
    if orchestrator.kind in KUBERNETES:
        return "worker"
    roles: dict[Role, str] = getattr(orchestrator, "roles", {})
    return next((role for role, name in roles.items() if name == pool.name), "compute")


def _list_users(cluster: ResolvedCluster) -> tuple[UserContext, ...]:
    """The people of a Slurm cluster; Kubernetes knows them by their IAM roles."""
    users = getattr(cluster.config.orchestrator, "users", {})
    return tuple(UserContext(name=name, uid=user.uid) for name, user in users.items())


def _describe_accelerators(spec: InstanceSpec) -> dict[str, Any]:
    """The fields of a context that tell of accelerators, and how they are joined."""
    group = spec.accelerators
    if group is None:
        return {"accelerator": None, "accelerator_count": 0, "accelerator_memory_mib": 0}
    domain = NVLINK_DOMAINS.get(group.name)
    # A single GPU of a board with NVSwitch has nobody to talk to: p5.4xlarge has neither.
    is_joined = domain == "ultraserver" or (domain == "node" and group.count > 1)
    return {
        "accelerator": group.vendor,
        "accelerator_count": group.count,
        "accelerator_memory_mib": group.memory_mib,
        "gpu_product": group.name if group.vendor == "nvidia" else "",
        "has_nvlink": is_joined,
        "has_nvswitch": is_joined and domain == "node",
        "has_imex": domain == "ultraserver",
    }


def _describe_local_disks(
    spec: InstanceSpec, config: LocalNvmeConfig | None, kind: Orchestrator
) -> dict[str, Any]:
    """The fields of a context that tell of the local disks; the model's own defaults where nobody says."""
    disks: dict[str, Any] = {"local_disks": sum(group.count for group in spec.local_nvme)}
    if config is not None:
        raid = 0 if config.raid == 0 else None
        return disks | {"local_raid": raid, "local_path": config.mount, "local_uses": config.uses}
    return disks | ({"local_path": NODEADM_PATH} if kind in KUBERNETES else {})


def _describe_mounts(
    cluster: ResolvedCluster,
    pool: ResolvedPool,
    kind: Orchestrator,
    file_systems: Mapping[str, FileSystemAddress],
) -> dict[str, Any]:
    """The fields that tell of file systems: Kubernetes mounts them itself, but sets up no EFA."""
    mounts = _find_mounts(cluster, pool, file_systems)
    if kind in KUBERNETES:
        return {"pods_mount_lustre_over_efa": any(mount.has_efa for mount in mounts)}
    return {"mounts": mounts}


def _find_mounts(
    cluster: ResolvedCluster, pool: ResolvedPool, file_systems: Mapping[str, FileSystemAddress]
) -> tuple[MountContext, ...]:
    """The file systems that the pool may use."""
    storage = cluster.config.storage
    used = [item for item, pools in cluster.storage_pools.items() if pool.name in pools]
    mounts = []
    for item in used:
        section, _, name = item.partition(".")
        host = f"{item.replace('.', '-')}.{UNKNOWN_HOST}"
        address = file_systems.get(item, FileSystemAddress(host, UNKNOWN_EXPORT))
        where: dict[str, Any] = {"dns_name": address.dns_name, "export": address.export}
        if section == "lustre":
            system = storage.lustre[name]
            has_efa = system.efa and pool.has_efa and is_efa_client(pool.spec.name)
            mounts.append(MountContext(kind="lustre", path=system.mount, has_efa=has_efa, **where))
        elif storage.home is not None and section == "home":
            mounts.append(MountContext(kind="openzfs", path=storage.home.mount, **where))
    return tuple(mounts)


def _describe_versions(cluster: ResolvedCluster, pool: ResolvedPool, software: Software) -> dict[str, Any]:
    """The fields that tell of versions: what nodes should have, and where that comes from but for the set."""
    orchestrator = cluster.config.orchestrator
    kubernetes = getattr(orchestrator, "version", "") if orchestrator.kind in KUBERNETES else ""
    place = (orchestrator.kind, kubernetes, pool.spec.architecture)
    versions = node_versions(software.versions, *place, frozenset(software.overrides))
    if orchestrator.kind == "pcs":
        versions["slurm"] = getattr(orchestrator, "version", "")
    versions = pick_versions(versions, pool, orchestrator.kind)
    kernel = find_kernel(software.versions, *place)
    known = versions | ({"kernel": kernel} if kernel else {})
    origins = describe_origins(software, known, *place)
    if orchestrator.kind == "pcs":
        origins["slurm"] = "orchestrator.version of cluster.yaml"
    return {"versions": versions, "origins": origins, "kernel": kernel}


def pick_versions(versions: Mapping[str, str], pool: ResolvedPool, kind: Orchestrator) -> dict[str, str]:
    """The components of a set that a pool's nodes have a use for.

    Args:
        versions: Version by component.
        pool: The pool.
        kind: The orchestrator.
    """
    facts = _describe_accelerators(pool.spec)
    accelerator = facts["accelerator"]
    is_slurm = kind not in KUBERNETES
    useless = {
        *(NVIDIA_ONLY if accelerator != "nvidia" else ()),
        *(NEURON_ONLY if accelerator != "neuron" else ()),
        *(EFA_ONLY if not pool.has_efa else ()),
        *(SLURM_ONLY if not is_slurm else ()),
        *(() if facts.get("has_nvswitch") else ("fabric-manager",)),
        *(() if facts.get("has_imex") else ("imex",)),
        *(() if facts.get("has_nvswitch") and facts["gpu_product"] in NVLSM_GPUS else ("nvlsm",)),
        *(image for orchestrator, image in IMAGES.items() if orchestrator != kind),
    }
    return {component: version for component, version in versions.items() if component not in useless}


def _make_environment(cluster: ResolvedCluster, pool: ResolvedPool, software: Software) -> dict[str, str]:
    """What the hardware calls for, and then what the user says."""
    group = pool.spec.accelerators
    if group is None:
        return {}
    family = pool.spec.name.partition(".")[0]
    made = make_environment(group.vendor, has_efa=pool.has_efa, family=family, versions=software.versions)
    return made | cluster.config.software.environment


def _find_artifacts(
    pool: ResolvedPool, software: Software, kind: Orchestrator
) -> tuple[ArtifactContext, ...]:
    """What the pool's nodes may have to download: nothing that the image is known to hold.

    Kubernetes nodes have everything from their image.
    """
    if kind in KUBERNETES:
        return ()
    image = find_image(software.versions, kind, architecture=pool.spec.architecture)
    held = image.versions if image is not None else {}
    group = pool.spec.accelerators
    vendor = group.vendor if group else None
    wanted = pick_versions(software.versions, pool, kind)
    found = artifacts_of(software, pool.spec.architecture, OPERATING_SYSTEMS[kind], vendor)
    return tuple(
        ArtifactContext(**asdict(each)) for each in found if each.component in wanted.keys() - held.keys()
    )


def make_eks_node_context(pool: ResolvedPool, local_nvme: LocalNvmeConfig | None) -> EksNodeContext:
    """The inputs of an EKS node's user data.

    Args:
        pool: The pool.
        local_nvme: How local disks are used; striped, for containers' files, unless given.
    """
    if not pool.spec.local_nvme:
        return EksNodeContext(max_pods=pool.max_pods, local_storage=None)
    if local_nvme is None:
        return EksNodeContext(max_pods=pool.max_pods, local_storage="RAID0")
    return EksNodeContext(
        max_pods=pool.max_pods,
        local_storage="RAID0" if local_nvme.raid == 0 else "Mount",
        local_storage_path=local_nvme.mount,
        has_containerd_on_local_storage="containerd" in local_nvme.uses,
    )

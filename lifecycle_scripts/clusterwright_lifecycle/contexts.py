"""The inputs of each script: one model a template, and nothing else reaches it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Orchestrator = Literal["eks", "hyperpod-eks", "hyperpod-slurm", "pcs"]
Role = Literal["worker", "controller", "login", "compute"]
OperatingSystem = Literal["al2023", "ubuntu-22.04", "ubuntu-24.04"]


class ScriptContext(BaseModel):
    """What every script's inputs share: frozen, typed strictly, closed."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)


class BootContext(ScriptContext):
    """Where a node that starts from user data gets its scripts from, and what of them is its own."""

    region: str = Field(description="AWS region of the bucket.")
    archive_url: str = Field(
        pattern=r"^s3://", description="The scripts that all pools share, as a tar archive."
    )
    archive_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the archive.")
    own: dict[str, str] = Field(description="The files of this pool, by name.")


class EksNodeContext(ScriptContext):
    """What an EKS node needs to know at its first boot.

    EKS adds the rest (cluster name, endpoint, certificate) to a managed node group's user data itself.
    """

    max_pods: int = Field(ge=1, le=1000, description="Pods that the kubelet accepts.")
    local_storage: Literal["RAID0", "Mount"] | None = Field(
        description="What becomes of the local NVMe disks: one striped volume, one mount each, or nothing."
    )
    local_storage_path: str | None = Field(
        default=None, description="Where they are mounted, as PATH/0 and so on; nodeadm chooses unless given."
    )
    has_containerd_on_local_storage: bool = Field(
        default=True, description="Whether container images and the logs of pods are kept on them."
    )
    boot: BootContext | None = Field(
        default=None, description="What runs before the kubelet; nothing unless given."
    )


class MountContext(ScriptContext):
    """One file system of the cluster, as a node mounts it."""

    kind: Literal["lustre", "openzfs"] = Field(description="What serves it.")
    dns_name: str = Field(min_length=1, description="Host name of the server.")
    export: str = Field(
        min_length=1, description="What is mounted of it: Lustre's mount name, or the path of NFS."
    )
    path: str = Field(pattern=r"^/", description="Where it appears on the node.")
    has_efa: bool = Field(
        default=False, description="Whether Lustre is reached over EFA; never over TCP then."
    )


class UserContext(ScriptContext):
    """A user of a Slurm cluster: the same number on every node, a home on the shared file system."""

    name: str = Field(pattern=r"^[a-z_][a-z0-9_-]{0,31}$", description="Login name.")
    uid: int = Field(ge=1000, le=60_000, description="Number of the user and of the group of the same name.")


class MirrorContext(ScriptContext):
    """Where nodes get what their image lacks, in place of the internet."""

    url: str = Field(pattern=r"^(s3://|file:///)", description="Bucket and prefix, or a folder.")
    manifest_sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of its manifest.json.")


class ArtifactContext(ScriptContext):
    """A file that a step downloads when the image lacks what is in it."""

    component: str = Field(description="Name of the component.")
    version: str = Field(description="Its version.")
    file: str = Field(pattern=r"^[A-Za-z0-9._+~-]+$", description="Name of the file, in the mirror too.")
    url: str = Field(pattern=r"^https://", description="Where it is published.")
    sha256: str | None = Field(
        pattern=r"^[0-9a-f]{64}$",
        description="Its SHA-256, or None where none is known here: then only a mirror serves it.",
    )


class NodeContext(ScriptContext):
    """All that the steps of one pool's nodes need to know."""

    cluster: str = Field(description="Name of the cluster.")
    pool: str = Field(description="Name of the pool.")
    region: str = Field(description="AWS region.")
    orchestrator: Orchestrator = Field(description="What schedules the work.")
    role: Role = Field(description="What the node is: controller, login or compute under Slurm, else worker.")
    operating_system: OperatingSystem = Field(description="What the image runs.")
    instance_type: str = Field(description="EC2 instance type.")
    architecture: Literal["x86_64", "arm64"] = Field(description="Architecture of the processor.")
    accelerator: Literal["nvidia", "neuron"] | None = Field(description="Whose accelerators the node has.")
    accelerator_count: int = Field(ge=0, description="How many: GPUs, or Neuron devices.")
    accelerator_memory_mib: int = Field(ge=0, description="Memory of each, in MiB.")
    gpu_product: str = Field(default="", description="Name of the GPU, such as H100; empty without one.")
    has_nvlink: bool = Field(default=False, description="Whether the GPUs are joined by NVLink.")
    has_nvswitch: bool = Field(
        default=False, description="Whether NVSwitch joins them, which fabric manager sets up."
    )
    has_imex: bool = Field(default=False, description="Whether NVLink spans nodes, which IMEX serves.")
    efa_devices: int = Field(ge=0, description="EFA devices that must be there.")
    local_disks: int = Field(ge=0, description="NVMe instance store disks.")
    local_raid: Literal[0] | None = Field(
        default=0, description="0 for one striped volume, None for one mount each."
    )
    local_path: str = Field(default="/scratch", description="Where local disks are mounted.")
    local_uses: tuple[str, ...] = Field(
        default=("containerd", "scratch"), description="What is kept on them."
    )
    mounts: tuple[MountContext, ...] = Field(default=(), description="File systems to mount.")
    pods_mount_lustre_over_efa: bool = Field(
        default=False,
        description="Whether Kubernetes mounts Lustre here, and it is reached over EFA.",
    )
    users: tuple[UserContext, ...] = Field(default=(), description="Users to make.")
    software_set: str = Field(description="Name of the version set.")
    software_hash: str = Field(pattern=r"^[0-9a-f]{12,64}$", description="Content hash of the versions.")
    versions: dict[str, str] = Field(description="Version of each component that the node should have.")
    origins: dict[str, str] = Field(
        default={}, description="Where a version comes from, in words, where that is not the set."
    )
    kernel: str = Field(
        default="", description="How the release of the image's kernel begins; empty where nobody says."
    )
    environment: dict[str, str] = Field(default={}, description="Environment of jobs on the node.")
    artifacts: tuple[ArtifactContext, ...] = Field(default=(), description="What may have to be downloaded.")
    mirror: MirrorContext | None = Field(default=None, description="Where from, in place of the internet.")

    @property
    def has_lustre_over_efa(self) -> bool:
        """Whether LNet needs EFA here, for mounts of the node or of its pods."""
        return self.pods_mount_lustre_over_efa or any(mount.has_efa for mount in self.mounts)

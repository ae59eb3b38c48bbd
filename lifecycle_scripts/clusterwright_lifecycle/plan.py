"""Which steps a node runs, and which must come before which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusterwright_lifecycle.contexts import NodeContext

    Claim = Callable[[NodeContext], bool]


def _always(_node: NodeContext) -> bool:
    return True


def _is_slurm(node: NodeContext) -> bool:
    """Whether the node is a Slurm cluster's: its software, mounts and users are ours to set up."""
    return node.orchestrator in ("hyperpod-slurm", "pcs")


def _has_gpus(node: NodeContext) -> bool:
    return node.accelerator == "nvidia" and node.accelerator_count > 0


def _has_gpu_libraries(node: NodeContext) -> bool:
    """Whether jobs use the node's own CUDA and NCCL: in Kubernetes they bring them in their images."""
    return _is_slurm(node) and _has_gpus(node)


def _runs_containers(node: NodeContext) -> bool:
    return _is_slurm(node) and node.role in ("compute", "login")


def _has_mount(kind: str) -> Claim:
    return lambda node: any(mount.kind == kind for mount in node.mounts)


def _mounts(kind: str) -> Claim:
    """Whether the node mounts such a file system itself: in Kubernetes the CSI driver does."""
    return lambda node: _is_slurm(node) and _has_mount(kind)(node)


def _is_hyperpod_slurm(role: str) -> Claim:
    return lambda node: node.orchestrator == "hyperpod-slurm" and node.role == role


@dataclass(frozen=True, kw_only=True)
class Step:
    """One file of ``steps/``.

    Attributes:
        name: Name of the file, without its ending.
        after: Steps that must have ended well before this one starts.
        every_boot: Whether it runs at each boot; else once for each version of the bundle.
        applies: Whether a node needs it.
    """

    name: str
    after: tuple[str, ...] = ()
    every_boot: bool = False
    applies: Claim = _always


_INSTALLED = (
    "nvidia-driver",
    "fabric-manager",
    "imex",
    "neuron",
    "cuda",
    "nccl",
    "efa",
    "aws-ofi-nccl",
    "gdrcopy",
    "lustre-client",
    "container-toolkit",
    "enroot",
    "pyxis",
)

STEPS: tuple[Step, ...] = (
    Step(name="os-checks", every_boot=True),
    Step(name="quiet-updates", after=("os-checks",)),
    # On EKS the kubelet's unit runs the plan before each start.
    Step(
        name="boot-service",
        after=("os-checks",),
        applies=lambda node: node.orchestrator != "eks",
    ),
    Step(name="environment", after=("os-checks",)),
    Step(
        name="local-disks",
        after=("quiet-updates",),
        every_boot=True,
        applies=lambda node: node.local_disks > 0,
    ),
    Step(name="nvidia-driver", after=("quiet-updates",), every_boot=True, applies=_has_gpus),
    Step(
        name="fabric-manager",
        after=("nvidia-driver",),
        every_boot=True,
        applies=lambda node: _has_gpus(node) and node.has_nvswitch,
    ),
    Step(
        name="imex",
        after=("nvidia-driver",),
        every_boot=True,
        applies=lambda node: _has_gpus(node) and node.has_imex,
    ),
    Step(name="neuron", after=("quiet-updates",), applies=lambda node: node.accelerator == "neuron"),
    Step(name="cuda", after=("nvidia-driver",), applies=_has_gpu_libraries),
    Step(name="nccl", after=("cuda",), applies=_has_gpu_libraries),
    # EFA's peer memory module is built against the driver's.
    Step(name="efa", after=("quiet-updates", "nvidia-driver"), applies=lambda node: node.efa_devices > 0),
    Step(
        name="aws-ofi-nccl",
        after=("efa", "nccl"),
        applies=lambda node: _has_gpu_libraries(node) and node.efa_devices > 0,
    ),
    Step(name="gdrcopy", after=("nvidia-driver",), every_boot=True, applies=_has_gpu_libraries),
    Step(
        name="lustre-client",
        after=("quiet-updates",),
        every_boot=True,
        applies=lambda node: node.has_lustre_over_efa or _has_mount("lustre")(node),
    ),
    Step(
        name="lustre-network",
        after=("lustre-client", "efa"),
        every_boot=True,
        applies=lambda node: node.has_lustre_over_efa,
    ),
    Step(
        name="lustre-mounts",
        after=("lustre-client", "lustre-network"),
        every_boot=True,
        applies=_mounts("lustre"),
    ),
    Step(name="homes", after=("quiet-updates",), every_boot=True, applies=_mounts("openzfs")),
    Step(
        name="container-toolkit",
        after=("nvidia-driver", "local-disks"),
        applies=lambda node: _has_gpus(node) and (not _is_slurm(node) or _runs_containers(node)),
    ),
    Step(
        name="enroot", after=("quiet-updates", "local-disks", "container-toolkit"), applies=_runs_containers
    ),
    # Slurm refuses a job's --container-image wherever the plugin is missing, so every role has it.
    Step(name="pyxis", after=("quiet-updates", "enroot"), applies=_is_slurm),
    Step(
        name="users",
        after=("homes", "lustre-mounts"),
        applies=lambda node: _is_slurm(node) and bool(node.users),
    ),
    Step(name="exporters", after=("quiet-updates", "nvidia-driver", "efa"), applies=_is_slurm),
    Step(name="hold-packages", after=("quiet-updates", *_INSTALLED, "exporters")),
    Step(
        name="slurm-accounting",
        after=("quiet-updates", "users"),
        every_boot=True,
        applies=_is_hyperpod_slurm("controller"),
    ),
    Step(
        name="slurm-controller",
        after=("slurm-accounting", "pyxis", "homes", "lustre-mounts"),
        every_boot=True,
        applies=_is_hyperpod_slurm("controller"),
    ),
    Step(
        name="slurm-compute",
        after=(*_INSTALLED, "local-disks", "environment", "users", "lustre-mounts"),
        every_boot=True,
        applies=_is_hyperpod_slurm("compute"),
    ),
    Step(
        name="slurm-login",
        after=("pyxis", "users", "environment", "lustre-mounts"),
        every_boot=True,
        applies=_is_hyperpod_slurm("login"),
    ),
    Step(name="software-record", after=("hold-packages",)),
    Step(
        name="verify",
        after=(
            "software-record",
            "boot-service",
            "environment",
            "local-disks",
            "lustre-network",
            "lustre-mounts",
            "users",
            "slurm-controller",
            "slurm-compute",
            "slurm-login",
        ),
        every_boot=True,
    ),
)


def make_plan(node: NodeContext) -> tuple[Step, ...]:
    """The steps of a node, in an order in which they could run one by one.

    A step that a node does not need is left out, and what it waited for is waited for in its place.
    """
    by_name = {step.name: step for step in STEPS}
    chosen = {step.name for step in STEPS if step.applies(node)}
    return tuple(
        Step(
            name=step.name,
            after=_find_before(step, by_name, chosen),
            every_boot=step.every_boot,
            applies=step.applies,
        )
        for step in STEPS
        if step.name in chosen
    )


def _find_before(step: Step, by_name: Mapping[str, Step], chosen: set[str]) -> tuple[str, ...]:
    """The chosen steps nearest before a step, without those that another of them waits for anyway."""
    nearest = {name for each in step.after for name in _find_nearest(each, by_name, chosen)}
    implied = {
        earlier for name in nearest for earlier in _find_all_before(by_name[name], by_name) if earlier != name
    }
    return tuple(each.name for each in STEPS if each.name in nearest - implied)


def _find_nearest(name: str, by_name: Mapping[str, Step], chosen: set[str]) -> set[str]:
    if name in chosen:
        return {name}
    return {found for each in by_name[name].after for found in _find_nearest(each, by_name, chosen)}


def _find_all_before(step: Step, by_name: Mapping[str, Step]) -> set[str]:
    return {found for each in step.after for found in ({each} | _find_all_before(by_name[each], by_name))}


def write_plan(steps: tuple[Step, ...]) -> str:
    """The file ``plan`` of a bundle, a line a step: ``NAME|BEFORE,BEFORE|once`` or ``|boot``."""
    return "".join(
        f"{step.name}|{','.join(step.after)}|{'boot' if step.every_boot else 'once'}\n" for step in steps
    )

"""What the node images of AWS hold: a set pins a release, and the release brings versions of its own."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from clusterwright.software.versions import is_older, version_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

TABLE_FILE = Path(__file__).parent / "images.txt"

IMAGES = {
    "eks": "eks-ami",
    "hyperpod-eks": "hyperpod-eks-image",
    "hyperpod-slurm": "hyperpod-image",
    "pcs": "pcs-image",
}
"""The component that pins the image of each orchestrator.

PCS's is named after the Deep Learning AMI that it is made from, as the image's own description is.
"""

_DRIVERS = ("nvidia-driver", "fabric-manager", "imex", "neuron-driver")
_KUBERNETES = (*_DRIVERS, "efa-driver", "container-toolkit")

OWNED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "eks": _KUBERNETES,
        "hyperpod-eks": _KUBERNETES,
        "hyperpod-slurm": (*_DRIVERS, "slurm", "lustre-client"),
        "pcs": ("nvidia-driver", "fabric-manager", "imex", "container-toolkit", "dcgm", "cuda"),
    }
)
"""What the image of each orchestrator brings, whatever a set says; nodes never install another version of it.

What a release holds of these and nobody tells is not known of its nodes either.
"""

SIDE_BY_SIDE = ("cuda",)
"""What an image holds several versions of, so that an override of it may be met."""


@dataclass(frozen=True, slots=True)
class NodeImage:
    """One release of an image.

    Attributes:
        image: The component that pins it.
        release: Its version.
        kubernetes: The Kubernetes version that it is built for; empty for Slurm.
        driver: NVIDIA driver; empty where it has none or nobody says, as for all below.
        efa_driver: EFA kernel module.
        kernel: Linux kernel.
        containerd: The container runtime.
        container_toolkit: NVIDIA container toolkit.
        neuron_driver: Kernel module of Trainium and Inferentia.
        slurm: Slurm.
        lustre_client: Lustre client.
        architecture: Architecture of the processors that it is for; empty where the release is for all.
        dcgm: NVIDIA DCGM.
        cuda: The CUDA that is the default.
    """

    image: str
    release: str
    kubernetes: str = ""
    driver: str = ""
    efa_driver: str = ""
    kernel: str = ""
    containerd: str = ""
    container_toolkit: str = ""
    neuron_driver: str = ""
    slurm: str = ""
    lustre_client: str = ""
    architecture: str = ""
    dcgm: str = ""
    cuda: str = ""

    @property
    def versions(self) -> dict[str, str]:
        """What it brings, by component; what must equal the driver is installed with it."""
        held = {
            "nvidia-driver": self.driver,
            "fabric-manager": self.driver,
            "imex": self.driver,
            "efa-driver": self.efa_driver,
            "container-toolkit": self.container_toolkit,
            "neuron-driver": self.neuron_driver,
            "slurm": self.slurm,
            "lustre-client": self.lustre_client,
            "dcgm": self.dcgm,
            "cuda": self.cuda,
        }
        return {component: version for component, version in held.items() if version}


def find_image(
    versions: Mapping[str, str], orchestrator: str, kubernetes: str = "", architecture: str = "x86_64"
) -> NodeImage | None:
    """What is known of the image that a cluster's nodes start from.

    Args:
        versions: Version of each component, the image among them.
        orchestrator: Such as ``eks``.
        kubernetes: Kubernetes version; where the table lacks it, the release's newest row counts, since the
            rows of one release differ in the kernel alone.
        architecture: ``x86_64`` or ``arm64``.

    Returns:
        The release, or None where it is not known.
    """
    image = IMAGES.get(orchestrator, "")
    rows = [row for row in _rows_of(image, versions.get(image, "")) if row.architecture in {"", architecture}]
    exact = [row for row in rows if row.kubernetes == kubernetes]
    return next(iter(exact or rows[:1]), None)


def releases_of(image: str) -> tuple[str, ...]:
    """The known releases of an image, oldest first."""
    return tuple(sorted({row.release for row in _read_table() if row.image == image}, key=version_key))


def newest_kubernetes(image: NodeImage) -> str:
    """The newest Kubernetes version that a release is known to be built for; empty for Slurm.

    The table has not every Kubernetes version of every release; what an older release was built for, a newer
    one is too.
    """
    rows = (row for row in _read_table() if row.image == image.image)
    return max((row.kubernetes for row in rows if not is_older(image.release, row.release)), key=version_key)


def node_versions(
    versions: Mapping[str, str],
    orchestrator: str,
    kubernetes: str = "",
    architecture: str = "x86_64",
    overridden: Collection[str] = (),
) -> dict[str, str]:
    """The versions that nodes should have: those of the image in place of the set's, where it brings some.

    What it brings and nobody knows is left out, unless an override says it.

    Args:
        versions: Version of each component, as selected.
        orchestrator: Such as ``eks``.
        kubernetes: Kubernetes version.
        architecture: ``x86_64`` or ``arm64``.
        overridden: The components whose version is the user's.
    """
    image = find_image(versions, orchestrator, kubernetes, architecture)
    held = image.versions if image is not None else {}
    unknown = {*OWNED.get(orchestrator, ())} - {*overridden}
    chosen = {component: version for component, version in versions.items() if component not in unknown}
    kept = {component for component in SIDE_BY_SIDE if component in overridden}
    return chosen | {component: version for component, version in held.items() if component not in kept}


def versions_in_images(component: str) -> set[str]:
    """The versions of a component that some release of an image holds."""
    return {row.versions[component] for row in _read_table() if component in row.versions}


@cache
def _rows_of(image: str, release: str) -> list[NodeImage]:
    """The rows of a release, the newest Kubernetes version first."""
    rows = [row for row in _read_table() if (row.image, row.release) == (image, release)]
    return sorted(rows, key=lambda row: version_key(row.kubernetes), reverse=True)


@cache
def _read_table() -> tuple[NodeImage, ...]:
    names = [field.name for field in fields(NodeImage)]
    lines = TABLE_FILE.read_text(encoding="utf-8").splitlines()
    return tuple(
        NodeImage(**dict(zip(names, ("" if cell == "-" else cell for cell in line.split()), strict=True)))
        for line in lines
        if line and not line.startswith("#")
    )

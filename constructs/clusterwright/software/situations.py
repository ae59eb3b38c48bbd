"""The nodes that versions are checked for, and what they have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clusterwright.software.images import find_image, node_versions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.software.images import NodeImage


@dataclass(frozen=True, slots=True)
class Target:
    """The nodes that versions are checked for.

    Attributes:
        instance_type: EC2 type, such as ``p5en.48xlarge``.
        accelerator: EC2's name of the accelerator, such as ``H200``; empty without one.
        vendor: ``nvidia``, ``neuron``, or None.
        compute_capability: Of CUDA, such as ``9.0``; empty for other accelerators.
        architecture: ``x86_64`` or ``arm64``.
        has_efa: Whether the nodes have EFA devices.
        orchestrator: Such as ``eks``.
        kubernetes: Kubernetes version; empty under Slurm.
        operating_system: ``al2023``, ``ubuntu-22.04`` or ``ubuntu-24.04``.
        kernel: Linux kernel; empty where it is not known.
    """

    instance_type: str = ""
    accelerator: str = ""
    vendor: str | None = None
    compute_capability: str = ""
    architecture: str = "x86_64"
    has_efa: bool = False
    orchestrator: str = "eks"
    kubernetes: str = ""
    operating_system: str = "al2023"
    kernel: str = ""

    @property
    def family(self) -> str:
        """The instance family, such as ``p5en``."""
        return self.instance_type.partition(".")[0]


@dataclass(frozen=True)
class Situation:
    """Versions on nodes.

    Attributes:
        versions: Version of each component, as nodes get them: those of their image in place of the set's.
        target: The nodes.
        chosen: Version of each component, as selected.
        overridden: The components whose version is the user's.
        image: The image that the nodes start from, or None where it is not known.
    """

    versions: Mapping[str, str]
    target: Target
    chosen: Mapping[str, str]
    overridden: frozenset[str] = frozenset()
    image: NodeImage | None = field(default=None)

    @classmethod
    def of(cls, chosen: Mapping[str, str], target: Target, overridden: frozenset[str]) -> Situation:
        """The situation of nodes for which versions are selected, with the image looked up."""
        place = (target.orchestrator, target.kubernetes, target.architecture)
        versions = node_versions(chosen, *place, overridden)
        return cls(versions, target, chosen, overridden, find_image(chosen, *place))

"""EKS: sizes, versions and images of managed node groups.

Sources, read 2026-11-20: EKS API reference, "NodegroupScalingConfig" and "CreateNodegroup"; EKS user guide,
"Update existing cluster to new Kubernetes version"; Kubernetes documentation, "Version Skew Policy".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

MOST_MINORS_BEHIND = 3
"""How far a kubelet may be behind the API server, since Kubernetes 1.28."""


def scaling_problems(scaling: Mapping[str, int]) -> Iterator[str]:
    """Whether the sizes of a node group are in order, in nodes.

    Args:
        scaling: ``minSize``, ``maxSize`` and ``desiredSize``; those left out are not judged.
    """
    least, most, desired = (scaling.get(key) for key in ("minSize", "maxSize", "desiredSize"))
    if most is not None and most < 1:
        yield f"Maximum capacity {most} must be at least 1."
    if least is not None and most is not None and least > most:
        yield f"Minimum capacity {least} can't be greater than maximum size {most}."
    if desired is not None and least is not None and least > desired:
        yield f"Minimum capacity {least} can't be greater than desired size {desired}."
    if desired is not None and most is not None and desired > most:
        yield f"Desired capacity {desired} can't be greater than maximum size {most}."


def version_problems(node_version: str, cluster_version: str) -> Iterator[str]:
    """Whether nodes of one Kubernetes version can be in a cluster of another."""
    behind = minor(cluster_version) - minor(node_version)
    if behind < 0:
        yield f"Nodes of Kubernetes {node_version} are newer than the cluster, which has {cluster_version}."
    elif behind > MOST_MINORS_BEHIND:
        yield (
            f"Nodes of Kubernetes {node_version} are {behind} minor versions behind the cluster, which has "
            f"{cluster_version}; at most {MOST_MINORS_BEHIND} are allowed."
        )


def release_problems(release: str | None, node_version: str) -> Iterator[str]:
    """Whether a release of the image is one for the nodes' Kubernetes version.

    Args:
        release: Such as ``1.34.9-20260801``, or None for the newest.
        node_version: Such as ``1.34``.
    """
    if release is None:
        return
    patch, _, day = release.rpartition("-")
    if patch.rpartition(".")[0] != node_version or len(day) != len("20260801"):
        yield f"Requested release version {release} is not valid for kubernetes version {node_version}."


def ami_type_problems(
    ami_type: str, instance_type: str, architectures: Collection[str] | None
) -> Iterator[str]:
    """Whether an EKS image runs on an instance type's processor.

    EKS is not known to refuse an image without the driver of the type's accelerator, so neither does this.

    Args:
        ami_type: Such as ``AL2023_ARM_64_NVIDIA``; ``CUSTOM`` is not judged.
        instance_type: The type.
        architectures: ``ProcessorInfo.SupportedArchitectures`` of the type; None where they are not known.
    """
    if architectures is None or ami_type == "CUSTOM":
        return
    needed = "arm64" if "ARM_64" in ami_type else "x86_64"
    if needed not in architectures:
        yield f"[{instance_type}] is not a valid instance type for requested amiType {ami_type}"


def minor(version: str) -> int:
    """The minor version of ``1.34``, which is 34."""
    return int(version.partition(".")[2])

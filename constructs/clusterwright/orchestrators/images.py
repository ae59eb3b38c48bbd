"""Which image EKS nodes start from: its kind, by the hardware, and its release, by the version set."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusterwright.hardware import InstanceSpec


def pick_ami_type(spec: InstanceSpec) -> str:
    """EKS's image type: Amazon Linux 2023 for the architecture, with the accelerator's driver."""
    architecture = "ARM_64" if spec.architecture == "arm64" else "x86_64"
    if spec.accelerators is None:
        return f"AL2023_{architecture}_STANDARD"
    return f"AL2023_{architecture}_{spec.accelerators.vendor.upper()}"


def refer_to_release(spec: InstanceSpec, *, kubernetes_version: str, release: str) -> str:
    """A dynamic reference to what EKS calls a release of its image, such as ``1.34.9-20260801``.

    EKS publishes it for each image by name, and for no image does it change; the patch version in it is known
    nowhere else. Source: EKS user guide, "Retrieve recommended Amazon Linux AMI IDs", November 2026.

    Args:
        spec: The instance type.
        kubernetes_version: Minor version of the nodes, such as ``1.34``.
        release: Release of the images, such as ``v20260714``.
    """
    variant = spec.accelerators.vendor if spec.accelerators else "standard"
    name = f"amazon-eks-node-al2023-{spec.architecture}-{variant}-{kubernetes_version}-{release}"
    path = f"{kubernetes_version}/amazon-linux-2023/{spec.architecture}/{variant}/{name}/release_version"
    return f"{{{{resolve:ssm:/aws/service/eks/optimized-ami/{path}}}}}"

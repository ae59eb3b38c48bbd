"""Where what nodes should have comes from, when it is not from the set: an image, or cluster.yaml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.software.images import find_image
from clusterwright.software.sets import load_set
from clusterwright.software.versions import version_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.software.selection import Software


def find_kernel(versions: Mapping[str, str], orchestrator: str, kubernetes: str, architecture: str) -> str:
    """How the release of the nodes' kernel begins, or nothing where that is not known.

    Kubernetes versions of one release have kernels of their own. Of those before 1.33 the table tells that of
    x86-64: arm64 had a newer one for NVIDIA's driver (awslabs/amazon-eks-ami, CHANGELOG, July 2026).

    Args:
        versions: Version of each component, the image among them.
        orchestrator: Such as ``eks``.
        kubernetes: Kubernetes version; empty for Slurm.
        architecture: ``x86_64`` or ``arm64``.
    """
    image = find_image(versions, orchestrator, kubernetes, architecture)
    if image is None or image.kubernetes != kubernetes:
        return ""
    is_other = architecture == "arm64" and bool(kubernetes) and version_key(kubernetes) < version_key("1.33")
    return "" if is_other else image.kernel


def describe_origins(
    software: Software,
    versions: Mapping[str, str],
    orchestrator: str,
    kubernetes: str = "",
    architecture: str = "x86_64",
) -> dict[str, str]:
    """Where versions come from that are not the set's, in words: an image, an override, or what that brings.

    Args:
        software: The versions as selected.
        versions: Those that nodes should have, which the image may have changed; ``kernel`` among them.
        orchestrator: Such as ``eks``.
        kubernetes: Kubernetes version.
        architecture: ``x86_64`` or ``arm64``.
    """
    set_pins = load_set(software.set_name).pins
    image = find_image(software.versions, orchestrator, kubernetes, architecture)
    held = {"kernel": image.kernel, **image.versions} if image else {}
    origins = {}
    for component, version in versions.items():
        pin = software.pins.get(component)
        if image is not None and version == held.get(component):
            origins[component] = f"the image {image.image} {image.release}"
        elif pin is not None and (component not in set_pins or pin.version != set_pins[component].version):
            source = "software.overrides of cluster.yaml"
            origins[component] = source if pin.is_override else f"{source}: it {pin.source}"
    return origins

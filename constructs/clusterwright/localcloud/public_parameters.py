"""Parameters that AWS publishes for everybody, which moto lacks: the releases of EKS's images."""

from __future__ import annotations

import re

from clusterwright.software.images import find_image, newest_kubernetes
from clusterwright.software.versions import version_key

_RELEASE = re.compile(
    r"/aws/service/eks/optimized-ami/(?P<minor>1\.\d+)/amazon-linux-2023/(?P<arch>x86_64|arm64)/"
    r"(?P<variant>standard|nvidia|neuron)/"
    r"amazon-eks-node-al2023-(?P=arch)-(?P=variant)-(?P=minor)-v(?P<date>\d{8})/release_version"
)


def find_public_parameter(name: str) -> str | None:
    """The value of a public parameter, or None where AWS has none of this name, as far as is known.

    A release of EKS's images is known by its day; the patch version of Kubernetes in it is made up here: 0.
    """
    match = _RELEASE.fullmatch(name)
    if match is None:
        return None
    image = find_image({"eks-ami": f"v{match['date']}"}, "eks")
    if image is None or version_key(match["minor"]) > version_key(newest_kubernetes(image)):
        return None
    return f"{match['minor']}.0-{match['date']}"

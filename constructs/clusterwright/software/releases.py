"""Published releases: what comes together in one of them, and which there are at all."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from clusterwright.software.images import releases_of, versions_in_images
from clusterwright.software.sets import load_set, set_names
from clusterwright.software.versions import is_older, is_same, version_key

if TYPE_CHECKING:
    from collections.abc import Mapping

EFA_SOURCE = "Amazon EC2 user guide, EFA changelog, November 2026; amazon-eks-ami and HyperPod release notes"
NEURON_SOURCE = "aws-neuron/aws-neuron-sdk, n2-manifest.json, August 2026"

_EFA = """\
1.51.0  3.3.1   2.7.0amzn2.0  65.0  1.22.0
1.50.0  3.3.0   2.6.0amzn1.0  64.0  1.21.1
1.49.0  3.1.0   2.4.0amzn5.0  63.0  1.20.0
1.48.0  3.0.0   2.4.0amzn3.0  61.0  1.19.0
1.47.0  3.0.0   -             -     1.18.0
1.46.0  2.17.3  2.3.1amzn3.0  60.0  1.17.2
1.45.1  2.17.3  -             60.0  -
1.45.0  2.17.3  2.3.1amzn2.0  60.0  1.17.2
1.44.0  2.17.3  2.3.1amzn1.0  59.0  1.17.1
1.43.3  2.17.3  -             -     -
1.43.2  2.17.2  2.1.0amzn5.0  58.0  1.16.3
1.43.1  2.17.2  2.1.0amzn5.0  -     1.16.2
1.43.0  2.17.2  2.1.0amzn4.0  58.0  1.16.1
1.42.0  2.15.3  2.1.0amzn3.0  57.0  1.15.0
1.41.0  2.15.0  -             57.0  -
1.40.0  -       2.1.0amzn2.0  56.0  1.14.2
1.38.1  2.13.0  1.22.0        54.0  -
"""
"""EFA installer: kernel module, libfabric, rdma-core, aws-ofi-nccl; - where no source says.

Of 1.44.0 to 1.46.0, libfabric and rdma-core are those of the HyperPod images that followed each of them, and
the plugin is its last release before the installer's: likely, and not verified.
"""

_NEURON = """\
2.32.0  2.30.2.0   2.34.10.0  2.34.10.0  2.32.28.0
2.31.1  2.29.0.0   2.33.10.0  2.33.10.0  2.31.15.0
2.30.0  2.28.0.0   2.32.31.0  2.32.28.0  2.30.10.0
2.29.1  2.27.4.0   2.31.24.0  2.31.24.0  2.29.22.0
2.28.1  2.26.10.0  2.30.51.0  2.30.59.0  2.28.23.0
2.27.1  2.25.4.0   2.29.40.0  2.29.41.0  2.27.33.0
2.26.1  2.24.7.0   2.28.23.0  2.28.27.0  2.26.14.0
"""
"""Neuron SDK: kernel module, runtime, collectives, tools."""

BUNDLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "efa-installer": ("efa-driver", "libfabric", "rdma-core", "aws-ofi-nccl"),
        "neuron-sdk": ("neuron-driver", "neuron-runtime", "neuron-collectives", "neuron-tools"),
        "nvidia-driver": ("fabric-manager", "imex"),
    }
)
"""What each component brings along: change it, and these change with it."""

_OTHERS: Mapping[str, str] = MappingProxyType(
    {
        "aws-ofi-nccl": "1.14.2 1.15.0 1.16.0 1.16.1 1.16.2 1.16.3 1.17.0 1.17.1 1.17.2 1.17.3 1.18.0 1.19.0 "
        "1.19.1 1.19.2 1.20.0 1.21.0 1.21.1 1.22.0",
        "nccl": "2.18.5 2.21.5 2.22.3 2.23.4 2.24.3 2.25.1 2.26.2 2.26.5 2.26.6 2.27.3 2.27.5 2.27.6 2.27.7 "
        "2.28.3 2.28.7 2.28.9 2.29.2 2.29.3 2.29.7 2.30.3 2.30.4 2.30.7 2.31.2 2.32.3",
        "gdrcopy": "2.4.1 2.4.2 2.4.3 2.4.4 2.5 2.5.1 2.5.2 2.6",
        "cuda": "12.4 12.5 12.6 12.6U3 12.8 12.8U1 12.9 12.9U1 13.0 13.0U1 13.0U2 13.1 13.1U1 13.2 13.2U1 "
        "13.2U2 13.3 13.3U1",
        "efa-installer": "1.38.0 1.39.0",
        "neuron-sdk": "2.25.0 2.26.0 2.27.0 2.28.0 2.29.0 2.31.0",
        "container-toolkit": "1.16.2 1.17.1 1.17.2 1.17.4 1.17.7 1.17.8 1.18.0 1.18.1 1.18.2 1.19.0 1.19.1 "
        "1.20.0 1.20.1",
        "nvidia-driver": "525.60.13 535.288.01 550.54.14 555.42.02 560.28.03 560.35.05 570.26 570.124.06 "
        "570.211.01 575.51.03 575.57.08 580.65.06 580.82.07 580.95.05 580.105.08 580.126.09 580.126.20 "
        "580.142 580.159.03 580.159.04 580.173.02 590.44.01 590.48.01 595.45.04 595.58.03 595.71.05 "
        "595.91.07 595.112.07 610.43.02",
        "dcgm": "4.4.1 4.4.2 4.5.0 4.5.1 4.5.2 4.5.3 4.6.0 4.7.0",
        "slurm": "24.11.6 24.11.7 25.05.7 25.05.8 25.11.2 25.11.6 25.11.8",
    }
)
"""Releases beside those of the bundles, of the images and of the sets.

Drivers are those of CUDA's release notes, of NVIDIA/open-gpu-kernel-modules and of AWS's images; Slurm's are
those of AWS ParallelCluster and of the images for PCS, all read in 2026. A list is never whole.
"""

_LIKE_THE_DRIVER = ("fabric-manager", "imex")


def bundle_of(component: str, version: str) -> dict[str, str | None]:
    """What a release brings along.

    Args:
        component: One that has a bundle.
        version: The release.

    Returns:
        Version by component, None where it is not known; nothing for a component that brings nothing along.
    """
    names = BUNDLES.get(component, ())
    if component == "nvidia-driver":
        return dict.fromkeys(names, version)
    return (
        dict(zip(names, _bundles()[component].get(version, (None,) * len(names)), strict=True))
        if names
        else {}
    )


@cache
def known_versions(component: str) -> tuple[str, ...]:
    """The releases of a component that are known, oldest first."""
    leader = "nvidia-driver" if component in _LIKE_THE_DRIVER else component
    names = {
        *_OTHERS.get(leader, "").split(),
        *_bundles().get(leader, {}),
        *_brought_along(leader),
        *releases_of(leader),
        *versions_in_images(leader),
        *_in_sets(leader),
    }
    return tuple(sorted(names, key=version_key))


def is_known(component: str, version: str) -> bool:
    """Whether a release is known."""
    return any(is_same(version, each) for each in known_versions(component))


def near_versions(component: str, version: str) -> tuple[str, ...]:
    """The known releases before and after a version, at most three."""
    known = known_versions(component)
    at = sum(is_older(each, version) for each in known)
    return known[max(0, min(at - 1, len(known) - 3)) :][:3]


def published_form(component: str, version: str) -> str:
    """A version as its publisher writes it: containers call CUDA 13.0.2 what NVIDIA calls 13.0U2."""
    parts = version.split(".")
    if component != "cuda" or len(parts) != len(("major", "minor", "update")) or not parts[2].isdigit():
        return version
    update = int(parts[2])
    return ".".join(parts[:2]) + (f"U{update}" if update else "")


def _brought_along(component: str) -> set[str]:
    """The versions of a component that some release of another one brings."""
    return {
        version
        for leader, releases in _bundles().items()
        if component in BUNDLES[leader]
        for row in releases.values()
        if (version := row[BUNDLES[leader].index(component)])
    }


def _in_sets(component: str) -> set[str]:
    pins = (load_set(name).pins.get(component) for name in set_names())
    return {pin.version for pin in pins if pin}


@cache
def _bundles() -> dict[str, dict[str, tuple[str | None, ...]]]:
    return {"efa-installer": _read(_EFA), "neuron-sdk": _read(_NEURON)}


def _read(table: str) -> dict[str, tuple[str | None, ...]]:
    rows = (line.split() for line in table.splitlines())
    return {row[0]: tuple(None if cell == "-" else cell for cell in row[1:]) for row in rows}

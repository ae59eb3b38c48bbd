"""The files that nodes install components from: where each is published, and its checksum where that is.

An image mostly has these components already; then nothing is downloaded. A file whose checksum nobody
publishes comes from a mirror alone, whose manifest is pinned by cluster.yaml.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from clusterwright.software.versions import is_older

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusterwright.software.selection import Software

CHECKSUM_FILE = Path(__file__).parent / "checksums.toml"

_DEB_ARCHITECTURES = {"x86_64": "amd64", "arm64": "arm64"}
_MACHINES = {"x86_64": "x86_64", "arm64": "aarch64"}
_REPOSITORY_ARCHITECTURES = {"x86_64": "x86_64", "arm64": "sbsa"}


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that something is installed from.

    Attributes:
        component: What is in it.
        version: The version of that.
        file: Name of the file, which no other artifact has.
        url: Where it is published.
        sha256: Its SHA-256, or None where none is published.
    """

    component: str
    version: str
    file: str
    url: str
    sha256: str | None


@dataclass(frozen=True, slots=True)
class Template:
    """How the files of a component are named.

    Attributes:
        component: Whose files.
        file: Name, with the fields of `_name_parts`; where one of them is not known, there is no file.
        url: Address with the same fields, and ``{file}``.
        accelerators: Vendors whose nodes have a use for it; ``None`` stands for nodes without accelerators.
        systems: How the operating systems begin that have a use for it; empty for every one.
    """

    component: str
    file: str
    url: str
    accelerators: tuple[str | None, ...] = (None, "nvidia", "neuron")
    systems: tuple[str, ...] = ()


TEMPLATES: tuple[Template, ...] = (
    Template(
        "efa-installer",
        "aws-efa-installer-{version}.tar.gz",
        "https://efa-installer.amazonaws.com/{file}",
    ),
    Template(
        "gdrcopy",
        "gdrcopy-{version}.tar.gz",
        "https://github.com/NVIDIA/gdrcopy/archive/refs/tags/v{version}.tar.gz",
        accelerators=("nvidia",),
    ),
    Template(
        "enroot",
        "enroot_{version}-1_{deb}.deb",
        "https://github.com/NVIDIA/enroot/releases/download/v{version}/{file}",
        systems=("ubuntu",),
    ),
    Template(
        "enroot",
        "enroot+caps_{version}-1_{deb}.deb",
        "https://github.com/NVIDIA/enroot/releases/download/v{version}/{file}",
        systems=("ubuntu",),
    ),
    Template(
        "pyxis",
        "pyxis-{version}.tar.gz",
        "https://github.com/NVIDIA/pyxis/archive/refs/tags/v{version}.tar.gz",
    ),
    Template(
        "node-exporter",
        "node_exporter-{version}.linux-{deb}.tar.gz",
        "https://github.com/prometheus/node_exporter/releases/download/v{version}/{file}",
    ),
    Template(
        "nvidia-driver",
        "NVIDIA-Linux-{machine}-{version}.run",
        "https://us.download.nvidia.com/tesla/{version}/{file}",
        accelerators=("nvidia",),
        systems=("ubuntu",),
    ),
    *(
        Template(component, file, "{repository}/{file}", accelerators=("nvidia",), systems=("ubuntu",))
        for component, file in (
            ("fabric-manager", "nvidia-fabricmanager{branch}_{version}-{revision}_{deb}.deb"),
            ("imex", "nvidia-imex{branch}_{version}-{revision}_{deb}.deb"),
            ("nccl", "libnccl2_{version}-1+cuda{nccl_cuda}_{deb}.deb"),
            ("nccl", "libnccl-dev_{version}-1+cuda{nccl_cuda}_{deb}.deb"),
            ("dcgm", "datacenter-gpu-manager-4-core_{version}-1_{deb}.deb"),
            ("dcgm", "datacenter-gpu-manager-4-cuda{cuda_major}_{version}-1_{deb}.deb"),
        )
    ),
    *(
        Template(
            "container-toolkit",
            f"{package}_{{version}}-1_{{deb}}.deb",
            "https://nvidia.github.io/libnvidia-container/stable/deb/{deb}/{file}",
            accelerators=("nvidia",),
            systems=("ubuntu",),
        )
        for package in (
            "libnvidia-container1",
            "libnvidia-container-tools",
            "nvidia-container-toolkit-base",
            "nvidia-container-toolkit",
        )
    ),
)
"""Each file once. NVIDIA's are named as its repositories list them, and as projects download them, in 2026.

There is none for CUDA, which is a repository of packages, nor for Neuron, whose names hold a hash that no
release notes tell, nor for Slurm: an image has to bring these.
"""

_NCCL_CUDA = {
    ("2.28.9", "13"): "13.0",
    ("2.30.4", "13"): "13.2",
    ("2.30.7", "13"): "13.3",
    ("2.31.2", "12"): "12.9",
    ("2.31.2", "13"): "13.3",
}
"""The CUDA that NVIDIA built a release of NCCL with, for each major version of CUDA; where it is known."""

_NVIDIA_REPOSITORY = "https://developer.download.nvidia.com/compute/cuda/repos"


def artifacts_of(
    software: Software, architecture: str, operating_system: str, accelerator: str | None
) -> tuple[Artifact, ...]:
    """The files that a node may have to download, in the order of the set.

    Args:
        software: The versions.
        architecture: ``x86_64`` or ``arm64``.
        operating_system: ``al2023``, ``ubuntu-22.04`` or ``ubuntu-24.04``.
        accelerator: ``nvidia``, ``neuron``, or None.
    """
    cuda = software.versions.get("cuda", "")
    found = (
        fill_in(template, software.versions[template.component], architecture, operating_system, cuda)
        for template in TEMPLATES
        if template.component in software.versions
        and accelerator in template.accelerators
        and (not template.systems or operating_system.startswith(template.systems))
    )
    return tuple(artifact for artifact in found if artifact is not None)


def fill_in(
    template: Template, version: str, architecture: str, operating_system: str, cuda: str = ""
) -> Artifact | None:
    """The artifact of one version for one kind of node; None where nobody tells how the file is named."""
    parts = _name_parts(version, architecture, operating_system, cuda)
    try:
        file = template.file.format_map(parts)
        url = template.url.format_map({**parts, "file": file})
    except KeyError:
        return None
    return Artifact(template.component, version, file, url, checksum_of(file))


def _name_parts(version: str, architecture: str, operating_system: str, cuda: str) -> dict[str, str]:
    """What names of files are made of, as far as it is known."""
    major = cuda.partition(".")[0]
    known = {
        "version": version,
        "architecture": architecture,
        "deb": _DEB_ARCHITECTURES[architecture],
        "machine": _MACHINES[architecture],
        "repository": f"{_NVIDIA_REPOSITORY}/{operating_system.replace('-', '').replace('.', '')}/"
        f"{_REPOSITORY_ARCHITECTURES[architecture]}",
        "branch": f"-{version.partition('.')[0]}" if is_older(version, "580") else "",
        "revision": _driver_revision(version),
        "nccl_cuda": _NCCL_CUDA.get((version, major), ""),
        "cuda_major": major,
    }
    return {name: part for name, part in known.items() if part or name == "branch"}


def _driver_revision(version: str) -> str:
    """The packagers' part of the version of what comes with a driver; empty where nobody told.

    It was 1 up to 580.126.20 of February 2026, and is 1ubuntu1 from the releases of May 2026 on.
    """
    if not is_older("580.126.20", version):
        return "1"
    is_later_of_580 = not is_older(version, "580.159") and is_older(version, "581")
    return "1ubuntu1" if is_later_of_580 or not is_older(version, "595.71") else ""


def checksum_of(file: str) -> str | None:
    """The published SHA-256 of a file, or None."""
    found = _read_checksums().get(file)
    return found["sha256"] if found else None


def only_checksum(component: str, version: str) -> str | None:
    """The checksum of the one file that a component is installed from; None where it has several or none."""
    files = {each.file for each in _all_of(component, version)}
    return checksum_of(files.pop()) if len(files) == 1 else None


def _all_of(component: str, version: str) -> Iterator[Artifact]:
    for template in TEMPLATES:
        if template.component == component:
            found = (fill_in(template, version, each, "") for each in _DEB_ARCHITECTURES)
            yield from (each for each in found if each is not None)


@cache
def _read_checksums() -> Mapping[str, Mapping[str, str]]:
    files: dict[str, dict[str, str]] = tomllib.loads(CHECKSUM_FILE.read_text(encoding="utf-8"))["files"]
    return files

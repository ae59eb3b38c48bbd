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

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusterwright.software.selection import Software

CHECKSUM_FILE = Path(__file__).parent / "checksums.toml"

_DEB_ARCHITECTURES = {"x86_64": "amd64", "arm64": "arm64"}


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
        file: Name, with ``{version}``, ``{architecture}`` (x86_64, arm64) and ``{deb}`` (amd64, arm64).
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
)


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
    return tuple(
        fill_in(template, software.versions[template.component], architecture)
        for template in TEMPLATES
        if template.component in software.versions
        and accelerator in template.accelerators
        and (not template.systems or operating_system.startswith(template.systems))
    )


def fill_in(template: Template, version: str, architecture: str) -> Artifact:
    """The artifact of one version for one architecture."""
    names = {"version": version, "architecture": architecture, "deb": _DEB_ARCHITECTURES[architecture]}
    file = template.file.format(**names)
    url = template.url.format(**names, file=file)
    return Artifact(template.component, version, file, url, checksum_of(file))


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
            yield from (fill_in(template, version, each) for each in _DEB_ARCHITECTURES)


@cache
def _read_checksums() -> Mapping[str, Mapping[str, str]]:
    files: dict[str, dict[str, str]] = tomllib.loads(CHECKSUM_FILE.read_text(encoding="utf-8"))["files"]
    return files

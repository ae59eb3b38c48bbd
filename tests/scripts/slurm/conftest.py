"""Machines with a real Slurm on them, started once for each version of Slurm and each cluster."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from slurm_clusters import (
    GB200,
    H100,
    PREPARE,
    list_resources,
    node_names,
    resolve_text,
    tell_topology,
)
from slurm_machine import SlurmMachine, find_roots, is_required

from clusterwright.node_context import make_node_contexts
from clusterwright.slurm_context import make_slurm_context
from clusterwright_lifecycle.rendering import render_node_environment
from clusterwright_lifecycle.slurm_rendering import render_slurm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


ROOTS = find_roots()


def is_able() -> bool:
    """Whether this machine lets us make namespaces and mounts."""
    command = [
        "unshare",
        "--mount",
        "--pid",
        "--net",
        "--uts",
        "--fork",
        "mount",
        "-t",
        "tmpfs",
        "none",
        "/mnt",
    ]
    return os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module", params=sorted(ROOTS) or ["none"])
def slurm_root(request: pytest.FixtureRequest) -> Path:
    """A root file system with a Slurm; the test is skipped without one, unless it is required."""
    missing = "" if is_able() else "namespaces need root and a kernel that grants them"
    missing = missing if ROOTS else "no slurmctld, slurmd and munged are installed"
    if missing and not is_required():
        pytest.skip(missing)
    assert not missing, missing
    root: Path = ROOTS[request.param]
    return root


def start(root: Path, scratch: Path, text: str, nodes: int, *, leaf: int) -> Iterator[SlurmMachine]:
    """A running cluster, which ends with the test module."""
    cluster = resolve_text(text)
    machine = SlurmMachine(root, scratch)
    try:
        files = render_slurm(make_slurm_context(cluster))
        environment = render_node_environment(make_node_contexts(cluster)["train"])
        has_ultraservers = "ultraserver" in text
        others = PREPARE if has_ultraservers else ()
        machine.install(files, environment, list_resources(nodes, others))
        machine.answer_aws(
            "describe-instance-topology", tell_topology(nodes, leaf, has_ultraservers=has_ultraservers)
        )
        machine.update_nodes("--no-reconfigure")
        machine.start([*node_names(nodes), *others])
        yield machine
    finally:
        machine.stop()


@pytest.fixture(scope="module")
def h100(slurm_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlurmMachine]:
    """Eight nodes with eight H100 each, four under a switch."""
    yield from start(slurm_root, tmp_path_factory.mktemp("h100"), H100, 8, leaf=4)


@pytest.fixture(scope="module")
def gb200(slurm_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlurmMachine]:
    """Two UltraServers with eighteen nodes each, of four GB200 each."""
    yield from start(slurm_root, tmp_path_factory.mktemp("gb200"), GB200, 36, leaf=18)


@pytest.fixture(autouse=True)
def _repaired(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test finds all nodes well and idle."""
    yield
    for name in {"h100", "gb200"} & set(request.fixturenames):
        request.getfixturevalue(name).repair()

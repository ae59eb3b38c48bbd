"""Epilog, prolog and health check with a PCS image's folders, and with a Slurm that does not answer."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from slurm_clusters import H100, resolve_text

from clusterwright.slurm_context import make_slurm_context
from clusterwright_lifecycle.slurm_rendering import render_slurm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PCS = "opt/aws/pcs/scheduler/slurm-25.05/bin"
# Another user for each worker of pytest: the epilog of one test would end the process of another's.
STRAY_UID = 23_456 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
NO_ANSWER = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)"

# node.env as far as the scripts read it.
NODE_ENV = """\
CW_ACCELERATOR=''
CW_VERSION_SLURM='25.05'
CW_MOUNTS='lustre|fs-1.example|abcdef|/fsx|1
openzfs|fs-2.example|fsx|/home|'
"""
MOUNTS = """\
10.0.0.1@tcp:/abcdef /fsx lustre rw,noatime,flock 0 0
fs-2.example:/fsx /home nfs4 rw,hard 0 0
"""


class PcsNode:
    """A node in a folder, with Slurm's commands where PCS has them."""

    def __init__(self, folder: Path) -> None:
        self.root, self.scripts, self.calls = folder / "root", folder / "slurm", folder / "calls"
        for name, text in render_slurm(make_slurm_context(resolve_text(H100))).items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        self.write("etc/clusterwright/node.env", NODE_ENV)
        self.write("proc/mounts", MOUNTS)
        self.answer("squeue", "")
        self.answer("sinfo", "echo idle")
        self.answer("scontrol", "")

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def answer(self, name: str, text: str, folder: str = PCS) -> None:
        """Let a command answer with a piece of shell."""
        self.write(f"{folder}/{name}", f'#!/bin/bash\necho "{name} $*" >>{self.calls}\n{text}\n')
        (self.root / folder / name).chmod(0o755)

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a script as slurmd does, with hardly any environment."""
        job = {"SLURM_JOB_ID": "7", "SLURM_JOB_UID": str(STRAY_UID), "SLURMD_NODENAME": "node-1"}
        return subprocess.run(
            ["/bin/bash", str(self.scripts / script)],
            env={"CW_ROOT": str(self.root), "PATH": "/bin:/usr/bin", **job},
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )

    @property
    def drains(self) -> list[str]:
        """How the node was drained."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [line for line in lines if line.startswith("scontrol update")]


@pytest.fixture
def node(tmp_path: Path) -> PcsNode:
    return PcsNode(tmp_path)


@pytest.fixture
def stray() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the job's user that is in no job."""
    if os.geteuid() != 0:
        pytest.skip("another user's process needs root")
    process = subprocess.Popen(["sleep", "300"], user=STRAY_UID)
    yield process
    process.kill()
    process.wait()


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        return False
    return True


def test_a_stray_is_ended_where_the_user_has_no_other_job(
    node: PcsNode, stray: subprocess.Popen[bytes]
) -> None:
    node.answer("squeue", f"echo '7 {STRAY_UID}'; echo '8 1234'")
    assert node.run("epilog.sh").returncode == 0
    assert has_ended(stray)


@pytest.mark.parametrize(
    "answer",
    [
        f"echo '7 {STRAY_UID}'; echo '9 {STRAY_UID}'",
        f"echo '{NO_ANSWER}' >&2; exit 1",
        "exit 127",
    ],
    ids=["another job", "no answer", "no squeue"],
)
def test_nothing_is_ended_unless_slurm_says_that_nobody_else_is_there(
    node: PcsNode, stray: subprocess.Popen[bytes], answer: str
) -> None:
    node.answer("squeue", answer)
    assert node.run("epilog.sh").returncode == 0
    assert not has_ended(stray)


@pytest.mark.parametrize("script", ["prolog.sh", "epilog.sh", "health_check.sh"])
def test_a_node_of_pcs_is_drained_with_our_reason(node: PcsNode, script: str) -> None:
    node.write("proc/mounts", MOUNTS.splitlines()[1] + "\n")
    result = node.run(script)
    assert result.returncode == (1 if script == "prolog.sh" else 0)
    assert node.drains == [
        "scontrol update NodeName=node-1 State=DRAIN Reason=clusterwright: /fsx is not mounted"
    ]


@pytest.mark.parametrize("state", ["drained", "draining", "down*", "failing"])
@pytest.mark.parametrize("script", ["prolog.sh", "epilog.sh", "health_check.sh"])
def test_a_node_that_is_out_keeps_its_reason(node: PcsNode, script: str, state: str) -> None:
    node.write("proc/mounts", "")
    node.answer("sinfo", f"echo '{state}'")
    assert node.run(script).returncode == (1 if script == "prolog.sh" else 0)
    assert node.drains == []


@pytest.mark.parametrize("script", ["prolog.sh", "epilog.sh", "health_check.sh"])
@pytest.mark.parametrize("command", ["sinfo", "scontrol"])
def test_a_drain_that_fails_is_no_success(node: PcsNode, script: str, command: str) -> None:
    """Slurm drains a node itself whose prolog or epilog fails, as soon as it hears of it."""
    node.write("proc/mounts", "")
    node.answer(command, f"echo '{NO_ANSWER}' >&2; exit 1")
    result = node.run(script)
    assert result.returncode == 1
    assert f"this node is not drained: {command}: {NO_ANSWER}" in result.stderr


def test_the_cluster_s_version_is_asked_where_pcs_has_several(node: PcsNode) -> None:
    for version in ("24.11", "25.11"):
        for name in ("squeue", "sinfo", "scontrol"):
            node.answer(name, "exit 1", folder=f"opt/aws/pcs/scheduler/slurm-{version}/bin")
    node.write("proc/mounts", "")
    assert node.run("epilog.sh").returncode == 0
    assert len(node.drains) == 1


@pytest.mark.parametrize(
    ("mounts", "reason"),
    [
        (MOUNTS, ""),
        ("", "/fsx is not mounted"),
        (MOUNTS.replace(" lustre ", " xfs "), "/fsx is not mounted"),
        (MOUNTS.replace("/fsx lustre", "/fsx2 lustre"), "/fsx is not mounted"),
        (MOUNTS.splitlines()[0] + "\n", "/home is not mounted"),
    ],
)
def test_file_systems_of_the_pool_must_be_mounted(node: PcsNode, mounts: str, reason: str) -> None:
    node.write("proc/mounts", mounts)
    result = node.run("check_node.sh")
    assert (result.stdout.strip(), result.returncode) == (reason, 1 if reason else 0)


@pytest.mark.parametrize(
    ("pools", "nodes", "peers"),
    [
        # A name is resolved, as IMEX takes IP addresses alone.
        ("train\n", {"node-1": "10.1.0.9", "node-2": "10.1.0.10", "node-3": "localhost"}, True),
        ("train\n", {"node-1": "10.1.0.9"}, False),
        ("", {"node-1": "10.1.0.9", "node-2": "10.1.0.10"}, False),
    ],
)
def test_imex_on_pcs_where_a_pool_is_one_ultraserver(
    node: PcsNode, pools: str, nodes: dict[str, str], peers: bool
) -> None:
    node.write("etc/clusterwright/node.env", f"{NODE_ENV}CW_HAS_IMEX='1'\nCW_POOL='train'\n")
    (node.scripts / "one_ultraserver").write_text(pools)
    lines = [f"NodeName={name} Arch=aarch64 NodeAddr={address} Port=0" for name, address in nodes.items()]
    node.answer("scontrol", "printf '%s\\n' " + " ".join(f"'{line}'" for line in lines))
    node.answer("systemctl", "[[ $1 != is-failed ]]")
    result = node.run("prolog.sh")
    assert result.returncode == 0, result.stderr
    file = node.root / "etc/nvidia-imex/nodes_config.cfg"
    assert file.exists() == peers
    assert ("systemctl restart nvidia-imex.service" in node.calls.read_text()) == peers
    assert ("nobody tells which of its nodes" in result.stderr) == (not pools)
    if peers:
        assert file.read_text().split() == ["10.1.0.9", "10.1.0.10", "127.0.0.1"]
        assert node.run("epilog.sh").returncode == 0
        assert not file.exists()

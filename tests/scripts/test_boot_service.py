"""No job starts before the plan of a boot has ended well: slurmd waits for it, whoever starts slurmd."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from scratch_nodes import NODES, make_node

if TYPE_CHECKING:
    from pathlib import Path

GATE = "etc/systemd/system/slurmd.service.d/clusterwright-boot.conf"
SYSTEMD = "/lib/systemd/systemd"

# A user's systemd in namespaces of its own; what it calls itself does not matter to units.
TRY = """\
set -euo pipefail
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null || true
export XDG_RUNTIME_DIR=/run/user SYSTEMD_UNIT_PATH="$1/units"
chmod 0700 /run/user
setsid {systemd} --user --unit=basic.target >"$1/systemd.log" 2>&1 &
for _ in {{1..100}}; do [[ -e /run/user/systemd/private ]] && break; sleep 0.1; done
systemctl --user start --no-block slurmd.service
for _ in {{1..100}}; do
  # What is asked for and waits is inactive, and a job.
  [[ $(systemctl --user list-jobs --no-legend) ]] || break
  sleep 0.1
done
systemctl --user is-active clusterwright-boot.service slurmd.service || true
"""


@pytest.mark.parametrize("name", NODES)
def test_slurmd_waits_for_the_plan_where_jobs_run(name: str, tmp_path: Path) -> None:
    node = make_node(tmp_path, **NODES[name])
    assert node.run("--only", "boot-service").returncode in (0, 2)  # EKS has no such step
    assert (node.root / GATE).exists() == (node.context.role == "compute")


def is_able() -> bool:
    """Whether this machine has systemd, and lets us make namespaces."""
    command = ["unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "none", "/mnt"]
    has_programs = bool(shutil.which("systemctl")) and os.access(SYSTEMD, os.X_OK) and os.geteuid() == 0
    return has_programs and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not is_able(), reason="it needs root, namespaces and systemd")
@pytest.mark.parametrize(("code", "states"), [(0, "active active"), (1, "failed inactive")])
def test_a_real_systemd_starts_slurmd_after_the_plan_alone(code: int, states: str, tmp_path: Path) -> None:
    node = make_node(tmp_path / "node", **NODES["hyperpod-slurm compute"])
    node.run("--only", "boot-service")
    units = tmp_path / "units"
    shutil.copytree(node.root / "etc/systemd/system", units)
    boot = units / "clusterwright-boot.service"
    plan = f"/bin/sh -c 'sleep 1; echo plan >>{tmp_path}/order; exit {code}'"
    boot.write_text(boot.read_text().replace("/bin/bash /opt/clusterwright/run.sh", plan))
    slurmd = f"/bin/sh -c 'echo slurmd >>{tmp_path}/order; exec sleep 60'"
    (units / "slurmd.service").write_text(f"[Service]\nExecStart={slurmd}\n")
    (units / "basic.target").write_text("[Unit]\n")
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c"]
    script = TRY.format(systemd=SYSTEMD)
    result = subprocess.run(
        [*command, script, "bash", str(tmp_path)], capture_output=True, text=True, check=False, timeout=60
    )
    assert " ".join(result.stdout.split()) == states, result.stderr + (tmp_path / "systemd.log").read_text()
    assert (tmp_path / "order").read_text().split() == (["plan", "slurmd"] if code == 0 else ["plan"])

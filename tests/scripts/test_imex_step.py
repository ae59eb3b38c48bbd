"""The step that makes an UltraServer's node ready for IMEX, which jobs start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scratch_nodes import DRIVER, FAKES, NODES, ScratchNode, make_node

if TYPE_CHECKING:
    from pathlib import Path

CHANNEL = "dev/nvidia-caps-imex-channels/channel0"
DEVICES = "Character devices:\n  1 mem\n195 nvidia\n234 nvidia-caps-imex-channels\n"


def make_ultraserver_node(folder: Path, name: str) -> ScratchNode:
    """A node whose image has IMEX and starts it at boot."""
    changes = {"has_imex": True, "has_nvswitch": False, "gpu_product": "GB200"}
    node = make_node(folder, **{**NODES[name], **changes})
    (node.folder / "programs/mknod").symlink_to(FAKES / "record")
    node.answer("mknod", 'touch "${@: -4:1}"')
    node.write("proc/devices", DEVICES)
    node.remember("packages", f"nvidia-imex {DRIVER}")
    node.remember("units", "nvidia-imex")
    node.remember("enabled", "nvidia-imex")
    node.answer(
        "systemctl", (FAKES / "systemctl").read_text() + '[[ $verb != disable ]] || forget enabled "$unit"\n'
    )
    return node


@pytest.mark.parametrize("name", ["hyperpod-slurm compute", "pcs compute"])
def test_channel_is_made_and_the_service_left_to_jobs(name: str, tmp_path: Path) -> None:
    node = make_ultraserver_node(tmp_path, name)
    result = node.run("--only", "imex")
    assert result.returncode == 0, result.stderr
    assert node.called("mknod") == [f"mknod --mode 0666 /{CHANNEL} c 234 0"]
    assert node.called("systemctl disable") == ["systemctl disable --now --quiet nvidia-imex.service"]
    assert node.called("systemctl start") == []
    assert node.run("--only", "imex").returncode == 0
    assert node.called("mknod") + node.called("systemctl disable") == []


def test_a_driver_without_channels_is_the_reason(tmp_path: Path) -> None:
    node = make_ultraserver_node(tmp_path, "hyperpod-slurm compute")
    node.write("proc/devices", "Character devices:\n195 nvidia\n")
    result = node.run("--only", "imex")
    assert result.returncode == 1
    assert "the driver has no nvidia-caps-imex-channels in /proc/devices" in result.stderr


def test_kubernetes_runs_an_imex_of_its_own(tmp_path: Path) -> None:
    node = make_ultraserver_node(tmp_path, "hyperpod-eks worker")
    assert node.run("--only", "imex").returncode == 0
    assert node.called("systemctl mask") == ["systemctl mask --now --quiet nvidia-imex.service"]
    assert node.called("mknod") == []

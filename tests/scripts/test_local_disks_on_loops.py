"""The step ``local-disks`` with real programs on real block devices, where the machine lets us have them.

Loop devices stand for the NVMe disks: only ``lsblk`` is a fake, which says that they are such.

Disks are mounted by their label, which all tests share and the whole machine sees: so one test at a time has
disks.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scratch_nodes import ScratchNode, make_context, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

REAL = ("blkid", "wipefs", "mkfs.xfs", "xfs_admin", "mount", "findmnt", "mdadm")
# What xfs_admin, a script, calls.
CALLED = ("xfs_db", "xfs_io")
NEEDED = ("losetup", "umount", *REAL)
# The least that mkfs.xfs takes is 300 MiB; the files are sparse.
DISK_BYTES = 320 * 2**20
SBIN = f"{os.environ['PATH']}:/usr/sbin:/sbin"


def find_obstacle(*, raid: bool) -> str:
    """Why real disks cannot be had here; empty if they can."""
    if os.geteuid() != 0:
        return "needs root for loop devices"
    if missing := [
        name for name in NEEDED if not shutil.which(name, path=SBIN) and (raid or name != "mdadm")
    ]:
        return f"needs {' '.join(missing)}"
    if "\txfs" not in Path("/proc/filesystems").read_text():
        return "the kernel has no xfs"
    if raid and not Path("/proc/mdstat").exists():
        return "the kernel has no md, which stripes disks"
    if run("losetup", "--find").returncode:
        return "there is no free loop device"
    return ""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a real program."""
    return subprocess.run(
        command, env=os.environ | {"PATH": SBIN}, capture_output=True, text=True, check=False
    )


@pytest.fixture
def turn() -> Iterator[None]:
    """This machine's block devices, for one test of one process at a time."""
    with (Path(tempfile.gettempdir()) / "clusterwright-tests-of-loops.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture
def disks(tmp_path: Path, turn: None) -> Iterator[list[str]]:
    """Two empty disks."""
    del turn
    made = []
    for number in range(2):
        file = tmp_path / f"disk{number}"
        with file.open("wb") as content:
            content.truncate(DISK_BYTES)
        result = run("losetup", "--find", "--show", str(file))
        if result.returncode:
            pytest.skip(f"loop devices cannot be had: {result.stderr.strip()}")
        made.append(result.stdout.strip())
    yield made
    for path in sorted((tmp_path / "root" / "scratch").glob("*"), reverse=True):
        run("umount", str(path))
    run("mdadm", "--stop", "/dev/md/clusterwright")
    for device in made:
        run("losetup", "--detach", device)


def make_node(folder: Path, disks: list[str], *, raid: bool) -> ScratchNode:
    """A node whose local disks are these."""
    context = make_context(local_disks=2, local_raid=0 if raid else None, local_uses=("scratch",))
    node = ScratchNode(folder, context)
    node.remember("disks", *(f"{disk} Amazon EC2 NVMe Instance Storage" for disk in disks))
    for name in (*REAL, *CALLED):
        link = folder / "programs" / name
        link.unlink(missing_ok=True)
        if found := shutil.which(name, path=SBIN):
            link.symlink_to(found)
    return node


def prepare(node: ScratchNode) -> str:
    """Run the step, and give back its log."""
    result = node.run("--only", "local-disks")
    assert result.returncode == 0, tell(result)
    return node.read("var/log/clusterwright/steps/local-disks.log")


def check_disks(node: ScratchNode, mounts: list[str]) -> None:
    """Formats once, keeps what is written, and mounts again after a reboot."""
    assert "formatting" in prepare(node)
    for mount in mounts:
        node.write(f"scratch/{mount}/data", "precious")
    assert "formatting" not in prepare(node)
    for mount in mounts:
        assert run("umount", str(node.root / "scratch" / mount)).returncode == 0
        assert not (node.root / "scratch" / mount / "data").exists()
    assert "formatting" not in prepare(node)
    assert [node.read(f"scratch/{mount}/data") for mount in mounts] == ["precious"] * len(mounts)


@pytest.mark.skipif(find_obstacle(raid=False) != "", reason=find_obstacle(raid=False))
def test_disks_one_by_one(tmp_path: Path, disks: list[str]) -> None:
    check_disks(make_node(tmp_path, disks, raid=False), ["0", "1"])


@pytest.mark.skipif(find_obstacle(raid=False) != "", reason=find_obstacle(raid=False))
def test_what_was_cut_off_is_formatted_again(tmp_path: Path, disks: list[str]) -> None:
    node = make_node(tmp_path, disks, raid=False)
    run("mkfs.xfs", "-q", "-L", "cw-making", disks[0])
    assert f"formatting {disks[0]}" in prepare(node)


@pytest.mark.skipif(find_obstacle(raid=False) != "", reason=find_obstacle(raid=False))
def test_somebodys_file_system_stays(tmp_path: Path, disks: list[str]) -> None:
    node = make_node(tmp_path, disks, raid=False)
    run("mkfs.xfs", "-q", "-L", "precious", disks[1])
    result = node.run("--only", "local-disks")
    assert tell(result) == (
        f"local-disks: {disks[1]} holds xfs labelled precious, which is not ours: it is not formatted"
    )


@pytest.mark.skipif(find_obstacle(raid=True) != "", reason=find_obstacle(raid=True))
def test_disks_as_one_striped_volume(tmp_path: Path, disks: list[str]) -> None:
    node = make_node(tmp_path, disks, raid=True)
    check_disks(node, ["0"])
    assert run("umount", str(node.root / "scratch/0")).returncode == 0
    assert run("mdadm", "--stop", "/dev/md/clusterwright").returncode == 0
    assert "striping" not in prepare(node)
    assert node.read("scratch/0/data") == "precious"

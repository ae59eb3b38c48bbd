"""Disks with somebody else's data are neither formatted nor striped: real signatures, real block devices."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import disk_contents
import pytest
from scratch_nodes import tell
from test_local_disks_on_loops import DISK_BYTES, SBIN, disks, find_obstacle, make_node, prepare, run, turn

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(find_obstacle(raid=False) != "", reason=find_obstacle(raid=False))
__all__ = ["disks", "turn"]  # fixtures

OURS = "any:clusterwright"


def put_ext4(disk: Path) -> None:
    run("mkfs.ext4", "-q", "-L", "precious", str(disk)).check_returncode()


def put_two_file_systems(disk: Path) -> None:
    """One whose first sector another one has taken: nobody can tell which is in use."""
    xfs = disk.with_suffix(".xfs")
    with xfs.open("wb") as file:
        file.truncate(DISK_BYTES)
    run("mkfs.xfs", "-q", str(xfs)).check_returncode()
    put_ext4(disk)
    disk_contents.put(disk, 0, xfs.read_bytes()[: disk_contents.SECTOR])


def put_foreign_stripe(disk: Path) -> None:
    disk_contents.put_stripe_member(disk, name="storage:data")


def put_partitions_and_our_label(disk: Path) -> None:
    """What mkfs would overwrite, though blkid names the file system alone."""
    run("mkfs.xfs", "-q", "-L", "cw-making", str(disk)).check_returncode()
    backup = b"EFI PART\0\0\1\0\\\0\0\0"
    disk_contents.put(disk, DISK_BYTES - disk_contents.SECTOR, backup)
    disk_contents.put_lvm_volume(disk)


CONTENTS: dict[str, tuple[Callable[[Path], None], str]] = {
    "partition table": (disk_contents.put_partition_table, "holds dos, which is not ours"),
    "LVM": (disk_contents.put_lvm_volume, "holds LVM2_member, which is not ours"),
    "file system": (put_ext4, "holds ext4 labelled precious, which is not ours"),
    "ambiguous": (put_two_file_systems, "holds what blkid cannot tell (its status is 8): "),
    "foreign stripe": (
        put_foreign_stripe,
        "holds linux_raid_member labelled storage:data, which is not ours",
    ),
    "several": (put_partitions_and_our_label, "LVM2_member"),
}


def digest(disk: str) -> str:
    with Path(disk).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@pytest.mark.parametrize("raid", [True, False], ids=["striped", "one by one"])
@pytest.mark.parametrize("content", CONTENTS)
def test_what_is_somebody_elses_stays(tmp_path: Path, disks: list[str], content: str, *, raid: bool) -> None:
    """On the second disk, so that the first is left alone as well where they are striped."""
    if raid and not shutil.which("mdadm", path=SBIN):
        pytest.skip("needs mdadm")
    put, words = CONTENTS[content]
    put(Path(disks[1]))
    before = [digest(disk) for disk in disks]
    node = make_node(tmp_path, disks, raid=raid)
    result = node.run("--only", "local-disks")
    assert result.returncode == 1
    assert tell(result).startswith(f"local-disks: {disks[1]} ")
    assert words in tell(result)
    assert digest(disks[1]) == before[1]
    if raid:
        assert digest(disks[0]) == before[0]


@pytest.mark.skipif(not shutil.which("mdadm", path=SBIN), reason="needs mdadm")
def test_half_a_stripe_of_ours_is_not_made_anew(tmp_path: Path, disks: list[str]) -> None:
    disk_contents.put_stripe_member(Path(disks[0]), name=OURS)
    result = make_node(tmp_path, disks, raid=True).run("--only", "local-disks")
    assert tell(result) == (
        "local-disks: 1 of the 2 local disks are parts of a striped volume of ours and the others are blank: "
        "replace the node"
    )


@pytest.mark.skipif(not shutil.which("mdadm", path=SBIN), reason="needs mdadm")
def test_a_stripe_that_was_cut_off_is_cleared(tmp_path: Path, disks: list[str]) -> None:
    """Whatever striping then does on this machine: mdadm takes our superblock off after our own mark."""
    disk_contents.put_stripe_member(Path(disks[0]), name=OURS)
    node = make_node(tmp_path, disks, raid=True)
    node.write("var/lib/clusterwright/stripe-begun", "")
    node.run("--only", "local-disks")
    log = node.read("var/log/clusterwright/steps/local-disks.log")
    assert "striping 2 disks as /dev/md/clusterwright" in log


def test_disks_keep_their_numbers_under_other_names(tmp_path: Path, disks: list[str]) -> None:
    """A reboot may call the disks otherwise; the label says which is which."""
    node = make_node(tmp_path, disks, raid=False)
    prepare(node)
    for number in range(2):
        node.write(f"scratch/{number}/data", f"disk {number}")
    for number in range(2):
        assert run("umount", str(node.root / "scratch" / str(number))).returncode == 0
    for disk in disks:
        run("losetup", "--detach", disk).check_returncode()
    for disk, number in zip(disks, (1, 0), strict=True):
        run("losetup", disk, str(tmp_path / f"disk{number}")).check_returncode()
    assert "formatting" not in prepare(node)
    assert [node.read(f"scratch/{number}/data") for number in range(2)] == ["disk 0", "disk 1"]


def test_a_blank_disk_gets_the_number_that_is_free(tmp_path: Path, disks: list[str]) -> None:
    run("mkfs.xfs", "-q", "-L", "cw-local-0", disks[1]).check_returncode()
    node = make_node(tmp_path, disks, raid=False)
    log = prepare(node)
    assert f"formatting {disks[0]}" in log
    assert f"formatting {disks[1]}" not in log
    assert run("blkid", "-p", "-s", "LABEL", "-o", "value", disks[0]).stdout == "cw-local-1\n"


def test_two_disks_of_one_number(tmp_path: Path, disks: list[str]) -> None:
    for disk in disks:
        run("mkfs.xfs", "-q", "-L", "cw-local-0", disk).check_returncode()
    result = make_node(tmp_path, disks, raid=False).run("--only", "local-disks")
    assert tell(result) == f"local-disks: {disks[0]} and {disks[1]} both bear the label cw-local-0"

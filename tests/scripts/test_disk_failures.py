"""Local disks that go wrong, recorded: stripes, which not every kernel has, and daemons that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scratch_nodes import ScratchNode, make_node, tell

if TYPE_CHECKING:
    from pathlib import Path

MEMBER = "any:clusterwright linux_raid_member"


def fail_at_disks(node: ScratchNode) -> str:
    """Run the step, which should fail, and give back its reason."""
    result = node.run("--only", "local-disks")
    assert result.returncode == 1, result.stderr
    return tell(result).removeprefix("local-disks: ")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("precious ext4", "/dev/nvme8n1 holds ext4 labelled precious, which is not ours: "),
        ("- LVM2_member", "/dev/nvme8n1 holds LVM2_member, which is not ours: "),
        ("table gpt", "/dev/nvme8n1 holds gpt, which is not ours: "),
        ("storage:data linux_raid_member", "/dev/nvme8n1 holds linux_raid_member labelled storage:data, "),
        ("cw-local-0 xfs", "/dev/nvme8n1 holds xfs labelled cw-local-0, which is not ours: "),
        ("ambiguous ext4", "/dev/nvme8n1 holds what blkid cannot tell (its status is 8): ext4; "),
    ],
)
def test_every_member_is_looked_at_before_striping(tmp_path: Path, content: str, words: str) -> None:
    node = make_node(tmp_path)
    node.remember("filesystem-dev-nvme8n1", content)
    assert fail_at_disks(node).startswith(words)
    assert node.called("mdadm --create") + node.called("mkfs") == []


def test_what_wipefs_alone_sees_counts(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("signatures-dev-nvme3n1", "gpt", "PMBR")
    assert fail_at_disks(node).startswith("/dev/nvme3n1 holds gpt PMBR, which is not ours: ")


@pytest.mark.parametrize("program", ["blkid", "wipefs"])
def test_a_disk_that_cannot_be_read_is_not_blank(tmp_path: Path, program: str) -> None:
    node = make_node(tmp_path)
    node.answer(program, "exit 1")
    assert "/dev/nvme1n1" in fail_at_disks(node)
    assert node.called("mdadm --create") + node.called("mkfs") == []


def test_nothing_overrides_the_doubts_of_the_programs(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.run()
    (create,) = node.called("mdadm --create")
    (format_,) = node.called("mkfs.xfs")
    assert {"--run", "--force", "-f"} & set(f"{create} {format_}".split()) == set()


def test_killed_while_it_stripes_it_stripes_again(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer(
        "mdadm",
        '[[ $1 != --create ]] || { echo "any:clusterwright linux_raid_member" '
        '>"$FAKE_STATE/filesystem-dev-nvme1n1"; kill -9 $PPID; exit 1; }\nsource "$FAKE_DEFAULTS/mdadm"',
    )
    assert "was killed by signal 9" in fail_at_disks(node)
    (tmp_path / "answers/mdadm").unlink()
    assert node.run("--only", "local-disks").returncode == 0
    assert node.called("mdadm --zero-superblock") == ["mdadm --zero-superblock /dev/nvme1n1"]
    assert len(node.called("mdadm --create")) == 1
    assert not (node.root / "var/lib/clusterwright/stripe-begun").exists()


def test_half_a_stripe_that_was_once_whole_is_kept(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    for number in range(1, 8):
        node.remember(f"filesystem-dev-nvme{number}n1", MEMBER)
    assert fail_at_disks(node).startswith("7 of the 8 local disks are parts of a striped volume of ours ")
    assert node.called("mdadm --create") + node.called("mdadm --zero") == []


def test_docker_runs_again_after_a_move_that_failed(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.write("var/lib/docker/image", "layers")
    node.answer("mount", '[[ $* != *docker ]] || exit 32\nsource "$FAKE_DEFAULTS/mount"')
    assert fail_at_disks(node) == "cannot show /scratch/0/docker at /var/lib/docker"
    assert "docker" in (node.state / "active").read_text().split()
    (tmp_path / "answers/mount").unlink()
    assert node.run("--only", "local-disks").returncode == 0
    assert node.read("scratch/0/docker/image") == "layers"


def test_docker_that_a_killed_run_stopped_is_started(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("enabled", "docker")
    node.answer("mount", '[[ $* != *docker ]] || { kill -9 $PPID; exit 1; }\nsource "$FAKE_DEFAULTS/mount"')
    assert "was killed by signal 9" in fail_at_disks(node)
    assert "docker" not in (node.state / "active").read_text().split()
    (tmp_path / "answers/mount").unlink()
    assert node.run("--only", "local-disks").returncode == 0
    assert "docker" in (node.state / "active").read_text().split()


@pytest.mark.parametrize("name", ["scratch", "docker"])
def test_a_link_that_a_user_has_put_there_is_not_followed(tmp_path: Path, name: str) -> None:
    """Everybody may write there: root would open another folder to all, or keep Docker's files in it."""
    node = make_node(tmp_path)
    node.write("etc/secret/key", "root's")
    mode = (node.root / "etc/secret").stat().st_mode
    (node.root / "scratch/0").mkdir(parents=True)
    (node.root / "scratch/0" / name).symlink_to(node.root / "etc/secret")
    assert fail_at_disks(node).startswith(f"/scratch/0/{name} is in the way: ")
    assert (node.root / "etc/secret").stat().st_mode == mode

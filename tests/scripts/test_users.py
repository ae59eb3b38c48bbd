"""Homes that their users have prepared: root follows no link in them. It needs root, to use their rights."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scratch_nodes import ScratchNode, make_node

from clusterwright_lifecycle.contexts import UserContext

if TYPE_CHECKING:
    from collections.abc import Iterator

ALICE = UserContext(name="alice", uid=2001)
BOB = UserContext(name="bob", uid=2002)
REAL = ("setpriv", "chown")
# The real one wants the user in /etc/passwd.
SSH_KEYGEN = """#!/usr/bin/env bash
if [[ $1 == -y ]]; then cat "${*: -1}" && exit; fi
printf 'a key of %s\\n' "$UID" >"${*: -1}"
cat "${*: -1}" >"${*: -1}.pub"
"""


def find_obstacle() -> str:
    """Why rights cannot be tried here; empty if they can."""
    if os.geteuid() != 0:
        return "needs root to become another user"
    return "" if shutil.which("setpriv") else "needs setpriv"


pytestmark = pytest.mark.skipif(find_obstacle() != "", reason=find_obstacle())


@pytest.fixture
def node() -> Iterator[ScratchNode]:
    """A node in a folder that every user can reach; pytest's own are for root alone."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    made = make_node(folder, users=(ALICE, BOB))
    for name in REAL:
        program = folder / "programs" / name
        program.unlink(missing_ok=True)
        program.symlink_to(shutil.which(name) or name)
    (folder / "programs/ssh-keygen").unlink()
    (folder / "programs/ssh-keygen").write_text(SSH_KEYGEN)
    (folder / "programs/ssh-keygen").chmod(0o755)
    yield made
    shutil.rmtree(folder)


def give_home(node: ScratchNode, mode: int = 0o755) -> Path:
    """A home that alice has already."""
    home = node.root / "home/alice"
    home.mkdir(parents=True)
    home.chmod(mode)
    os.chown(home, ALICE.uid, ALICE.uid)
    return home


def as_alice(path: Path) -> None:
    os.chown(path, ALICE.uid, ALICE.uid, follow_symlinks=False)


def run_users(node: ScratchNode) -> str:
    """Run the step, which no user can make fail, and give back its log."""
    result = node.run("--only", "users")
    assert result.returncode == 0, result.stderr
    return node.read("var/log/clusterwright/steps/users.log")


def test_new_homes_belong_to_their_users(node: ScratchNode) -> None:
    run_users(node)
    for user in (ALICE, BOB):
        home = node.root / "home" / user.name
        found = {path: path.stat() for path in (home, home / ".ssh", *(home / ".ssh").iterdir())}
        assert {(each.st_uid, each.st_gid) for each in found.values()} == {(user.uid, user.uid)}
        assert found[home].st_mode & 0o777 == found[home / ".ssh"].st_mode & 0o777 == 0o700
        assert found[home / ".ssh/id_ed25519"].st_mode & 0o777 == 0o600
        assert found[home / ".ssh/authorized_keys"].st_mode & 0o777 == 0o600
    assert sorted(path.name for path in (node.root / "home").iterdir()) == ["alice", "bob"]


def test_what_is_there_keeps_its_mode_and_its_keys(node: ScratchNode) -> None:
    home = give_home(node)
    (home / ".ssh").mkdir()
    (home / ".ssh").chmod(0o750)
    (home / ".ssh/authorized_keys").write_text("ssh-ed25519 AAAA laptop")
    for path in (home / ".ssh", home / ".ssh/authorized_keys"):
        as_alice(path)
    run_users(node)
    run_users(node)
    assert (home.stat().st_mode & 0o777, (home / ".ssh").stat().st_mode & 0o777) == (0o755, 0o750)
    keys = (home / ".ssh/authorized_keys").read_text().splitlines()
    assert keys == ["ssh-ed25519 AAAA laptop", (home / ".ssh/id_ed25519.pub").read_text().strip()]


@pytest.mark.parametrize("name", ["authorized_keys", "id_ed25519", "id_ed25519.pub"])
def test_a_link_to_roots_files_is_not_followed(node: ScratchNode, name: str) -> None:
    node.write("root/.ssh/secret", "root's")
    secret = node.root / "root/.ssh/secret"
    secret.chmod(0o600)
    home = give_home(node)
    (home / ".ssh").mkdir()
    as_alice(home / ".ssh")
    (home / ".ssh" / name).symlink_to(secret)
    log = run_users(node)
    assert f"alice gets no key for ssh between nodes: {home}/.ssh/{name} is not a plain file" in log
    assert (secret.read_text(), secret.stat().st_mode & 0o777, secret.stat().st_uid) == ("root's", 0o600, 0)
    assert (node.root / "home/bob/.ssh/id_ed25519").exists(), "others are served all the same"


def test_a_link_to_roots_folder_is_not_followed(node: ScratchNode) -> None:
    folder = node.root / "srv"
    folder.mkdir()
    folder.chmod(0o755)
    home = give_home(node)
    (home / ".ssh").symlink_to(folder)
    assert f"{home}/.ssh is not a folder" in run_users(node)
    assert list(folder.iterdir()) == []
    assert (folder.stat().st_mode & 0o777, folder.stat().st_uid) == (0o755, 0)


def test_a_pipe_that_nobody_writes_to_holds_nothing_up(node: ScratchNode) -> None:
    home = give_home(node)
    (home / ".ssh").mkdir()
    os.mkfifo(home / ".ssh/authorized_keys")
    for path in (home / ".ssh", home / ".ssh/authorized_keys"):
        as_alice(path)
    assert "authorized_keys is not a plain file" in run_users(node)


def test_a_home_that_is_a_link_or_somebody_elses_ends_the_step(node: ScratchNode) -> None:
    (node.root / "srv").mkdir()
    (node.root / "home").mkdir()
    (node.root / "home/alice").symlink_to(node.root / "srv")
    result = node.run("--only", "users")
    assert result.stderr.splitlines()[-1] == (
        "users: /home/alice is not a folder: the home of alice should be one"
    )
    (node.root / "home/alice").unlink()
    (node.root / "home/alice").mkdir()
    result = node.run("--only", "users")
    assert result.stderr.splitlines()[-1] == (
        "users: /home/alice belongs to the number 0, and it should belong to alice (2001): chown it"
    )
    assert list((node.root / "srv").iterdir()) == []

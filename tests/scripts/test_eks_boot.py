"""What an EKS node does before its kubelet: the user data, and the script that the kubelet waits for."""

from __future__ import annotations

import hashlib
import os
import subprocess
from email import message_from_string
from typing import TYPE_CHECKING

import pytest

from clusterwright_lifecycle.archives import pack
from clusterwright_lifecycle.contexts import BootContext, EksNodeContext
from clusterwright_lifecycle.eks_user_data import USER_DATA_BYTES, UserDataSizeError, render_eks_user_data

if TYPE_CHECKING:
    from pathlib import Path

RUN = """#!/usr/bin/env bash
here=$(dirname -- "${BASH_SOURCE[0]}")
cat "$here/node.env" >>"$CW_ROOT/ran"
echo "all is well"
[[ ! -e $CW_ROOT/broken ]] || { echo "gpu-check: 7 of 8 GPUs answer" >&2; exit 1; }
"""
OWN = {"node.env": "CW_POOL=train\n", "plan": "verify||boot\n"}


def make_archive(root: Path) -> bytes:
    library = root / "lifecycle_scripts" / "clusterwright_lifecycle" / "lib"
    files = {f"lib/{name}": (library / name).read_text() for name in ("install.sh", "lock.sh")}
    return pack({"run.sh": RUN, **files})


class Node:
    """A node in a folder: with a bucket, and an `aws` that copies from it."""

    def __init__(self, folder: Path, archive: bytes) -> None:
        self.folder = folder
        self.archive = archive
        self.url = "s3://assets/scripts.tar"
        self.sha256 = hashlib.sha256(archive).hexdigest()
        self.bucket = folder / "bucket.tar"
        self.bucket.write_bytes(archive)
        tools = folder / "tools"
        tools.mkdir()
        fake = tools / "aws"
        fake.write_text(f'#!/bin/sh\necho "$@" >>{folder}/calls\nexec cp {self.bucket} "$7"\n')
        fake.chmod(0o755)
        self._install()

    def _install(self) -> None:
        """Run the user data's script, with the node's folder for the file system's root."""
        boot = BootContext(
            region="us-east-2", archive_url=self.url, archive_sha256=self.sha256, own=dict(OWN)
        )
        text = render_eks_user_data(EksNodeContext(max_pods=110, local_storage=None, boot=boot))
        part = message_from_string(text).get_payload()[1]
        assert part.get_content_type() == "text/x-shellscript"  # type: ignore[union-attr]  a message
        script: str = part.get_payload()  # type: ignore[union-attr,assignment]  a message of text
        here = script.replace("=/opt/", f"={self.folder}/opt/").replace("/etc/systemd", f"{self.folder}/etc")
        systemctl = self.folder / "tools" / "systemctl"
        systemctl.write_text(f'#!/bin/sh\necho "$@" >>{self.folder}/systemctl\n')
        systemctl.chmod(0o755)
        self.run("bash", "-c", here).check_returncode()

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{self.folder}/tools:{os.environ['PATH']}",
            "CW_ROOT": str(self.folder),
            "CW_CONSOLE": str(self.folder / "console"),
            "CW_FETCH_SECONDS": "0",
        }
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def start_kubelet(self) -> subprocess.CompletedProcess[str]:
        """What systemd runs before it starts the kubelet."""
        drop_in = (self.folder / "etc/system/kubelet.service.d/50-clusterwright.conf").read_text()
        (line,) = [line for line in drop_in.splitlines() if line.startswith("ExecStartPre=")]
        return self.run(*line.removeprefix("ExecStartPre=").split())

    @property
    def console(self) -> str:
        return (self.folder / "console").read_text()


@pytest.fixture
def node(root: Path, tmp_path: Path) -> Node:
    return Node(tmp_path, make_archive(root))


def test_user_data_installs_what_the_kubelet_waits_for(node: Node) -> None:
    assert (node.folder / "systemctl").read_text() == "daemon-reload\n"
    assert (node.folder / "opt/clusterwright-boot/own/node.env").read_text() == OWN["node.env"]
    assert os.access(node.folder / "opt/clusterwright-boot/prepare.sh", os.X_OK)


def test_scripts_are_fetched_once_and_run_before_each_start(node: Node) -> None:
    for start in (1, 2):
        result = node.start_kubelet()
        assert result.returncode == 0, result.stderr
        assert (node.folder / "ran").read_text() == OWN["node.env"] * start
    assert (node.folder / "calls").read_text().count("s3 cp") == 1


def test_other_bytes_are_not_run(node: Node) -> None:
    node.bucket.write_bytes(b"not what was deployed")
    result = node.start_kubelet()
    assert result.returncode == 1
    assert node.sha256 in node.console
    assert not (node.folder / "ran").exists()
    node.bucket.write_bytes(node.archive)
    assert node.start_kubelet().returncode == 0, "the next start of the kubelet tries again"


def test_archive_out_of_reach_is_explained(node: Node) -> None:
    node.bucket.unlink()
    result = node.start_kubelet()
    assert result.returncode == 1
    assert "s3:GetObject" in node.console
    assert (node.folder / "calls").read_text().count("s3 cp") == 5


def test_a_step_that_fails_keeps_the_node_out_and_says_why(node: Node) -> None:
    (node.folder / "broken").touch()
    result = node.start_kubelet()
    assert result.returncode == 1
    assert "does not join the cluster: gpu-check: 7 of 8 GPUs answer" in node.console
    (node.folder / "broken").unlink()
    assert node.start_kubelet().returncode == 0


def test_nothing_is_written_when_nothing_is_due(node: Node) -> None:
    """So that a root disk that has filled up does not keep the kubelet down."""
    node.start_kubelet().check_returncode()
    installed = node.folder / "opt/clusterwright"
    before = installed.stat().st_ino
    (node.folder / "opt/clusterwright-boot" / f"scripts-{node.sha256}.tar").unlink()
    (node.folder / "tools/cp").write_text("#!/bin/sh\necho 'cp: No space left on device' >&2\nexit 1\n")
    (node.folder / "tools/cp").chmod(0o755)
    for name in ("mktemp", "tee"):
        (node.folder / "tools" / name).symlink_to(node.folder / "tools/cp")
    result = node.start_kubelet()
    assert result.returncode == 0, result.stderr
    assert installed.stat().st_ino == before


def test_other_settings_of_the_pool_are_installed(node: Node) -> None:
    node.start_kubelet().check_returncode()
    (node.folder / "opt/clusterwright-boot/own/node.env").write_text("CW_POOL=other\n")
    node.start_kubelet().check_returncode()
    assert (node.folder / "ran").read_text() == OWN["node.env"] + "CW_POOL=other\n"


def test_a_disk_that_is_full_at_the_first_boot_is_told(node: Node) -> None:
    (node.folder / "tools/tar").write_text("#!/bin/sh\necho 'tar: No space left on device' >&2\nexit 2\n")
    (node.folder / "tools/tar").chmod(0o755)
    result = node.start_kubelet()
    assert result.returncode == 1
    assert "does not join the cluster: 'tar --extract" in node.console
    assert "failed with status 2; " in node.console
    assert " MiB are free" in node.console
    assert result.stderr.splitlines()[-1] == node.console.splitlines()[-1]


def test_user_data_that_ec2_would_refuse_is_refused_here() -> None:
    boot = BootContext(
        region="us-east-2",
        archive_url="s3://a/b",
        archive_sha256="0" * 64,
        own={"node.env": "x" * USER_DATA_BYTES},
    )
    with pytest.raises(UserDataSizeError, match="EC2 takes 16384"):
        render_eks_user_data(EksNodeContext(max_pods=110, local_storage=None, boot=boot))


def test_a_file_cannot_end_itself() -> None:
    """Not even with the line that ended it before: the line is made from what the files hold."""
    text = render_own("CW_A=1")
    (mark,) = {line for line in text.splitlines() if line.startswith("END_")}
    hostile = f"CW_A='\n{mark}\nrm -rf /'"
    again = render_own(hostile)
    assert hostile in again
    assert {line for line in again.splitlines() if line.startswith("END_")} - {mark}
    assert again.splitlines().count(mark) == 1


def render_own(text: str) -> str:
    boot = BootContext(
        region="us-east-2", archive_url="s3://a/b", archive_sha256="0" * 64, own={"node.env": text}
    )
    return render_eks_user_data(EksNodeContext(max_pods=110, local_storage=None, boot=boot))


def test_archives_are_the_same_bytes_in_any_order() -> None:
    assert pack({"a": "1", "b/c": "#!/bin/sh\n"}) == pack({"b/c": "#!/bin/sh\n", "a": "1"})

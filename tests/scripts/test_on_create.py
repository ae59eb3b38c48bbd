"""How a node's first run is started: HyperPod's ``on_create.sh``, and the user data of PCS."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from email import message_from_string
from typing import TYPE_CHECKING

import pytest
from scratch_nodes import make_context

from clusterwright_lifecycle.archives import pack
from clusterwright_lifecycle.bundles import Bundle, render_bundle
from clusterwright_lifecycle.contexts import BootContext
from clusterwright_lifecycle.pcs_user_data import render_pcs_user_data

if TYPE_CHECKING:
    from pathlib import Path

RUN = """#!/usr/bin/env bash
here=$(dirname "$0")
echo "ran in $here as $(tail -n 1 "$here/node.env")"
exit "${CODE:-0}"
"""


def make_bundle(orchestrator: str, pool: str = "train") -> Bundle:
    """A bundle whose run.sh only tells where it runs."""
    bundle = render_bundle(make_context(orchestrator=orchestrator))
    return Bundle({**bundle.shared, "run.sh": RUN}, {"node.env": f"CW_POOL={pool}\n"})


def create(folder: Path, root: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(folder / "on_create.sh")],
        env=os.environ | {"CW_ROOT": str(root), **more},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("orchestrator", ["hyperpod-slurm", "hyperpod-eks"])
def test_hyperpod_runs_from_where_later_boots_find_it(orchestrator: str, tmp_path: Path) -> None:
    make_bundle(orchestrator).write(tmp_path / "from-s3")
    result = create(tmp_path / "from-s3", tmp_path / "node")
    assert result.stdout == f"ran in {tmp_path}/node/opt/clusterwright as CW_POOL=train\n"
    assert result.returncode == 0


def test_the_status_of_the_run_is_hyperpods(tmp_path: Path) -> None:
    """It keeps the node or replaces it by that."""
    make_bundle("hyperpod-slurm").write(tmp_path / "from-s3")
    assert create(tmp_path / "from-s3", tmp_path / "node", CODE="1").returncode == 1


def test_a_newer_bundle_replaces_the_older_whole(tmp_path: Path) -> None:
    make_bundle("hyperpod-slurm").write(tmp_path / "old")
    (tmp_path / "old/steps/gone.sh").write_text("")
    create(tmp_path / "old", tmp_path / "node")
    make_bundle("hyperpod-slurm", "other").write(tmp_path / "new")
    assert create(tmp_path / "new", tmp_path / "node").stdout.endswith("as CW_POOL=other\n")
    assert not (tmp_path / "node/opt/clusterwright/steps/gone.sh").exists()
    assert [path.name for path in (tmp_path / "node/opt").iterdir()] == ["clusterwright"]


def test_the_installed_bundle_can_start_itself(tmp_path: Path) -> None:
    make_bundle("hyperpod-slurm").write(tmp_path / "from-s3")
    create(tmp_path / "from-s3", tmp_path / "node")
    assert create(tmp_path / "node/opt/clusterwright", tmp_path / "node").returncode == 0


@pytest.mark.parametrize("orchestrator", ["hyperpod-slurm", "hyperpod-eks"])
def test_execute_bits_that_s3_does_not_keep_are_set(orchestrator: str, tmp_path: Path) -> None:
    """HyperPod copies the files one by one: none can be executed, and its mask may hide them from users."""
    bundle = make_bundle(orchestrator)
    bundle.write(tmp_path / "from-s3")
    (tmp_path / "from-s3/slurm").mkdir()
    (tmp_path / "from-s3/slurm/prolog.sh").write_text("#!/usr/bin/env bash\n")
    files = [path for path in (tmp_path / "from-s3").rglob("*") if path.is_file()]
    for path in files:
        path.chmod(0o644)
    before = os.umask(0o077)
    try:
        create(tmp_path / "from-s3", tmp_path / "node").check_returncode()
    finally:
        os.umask(before)
    installed = tmp_path / "node/opt/clusterwright"
    for path in files:
        mode = (installed / path.relative_to(tmp_path / "from-s3")).stat().st_mode & 0o777
        assert mode == (0o755 if path.read_text().startswith("#!") else 0o644), path
    assert {path.stat().st_mode & 0o777 for path in (installed, *installed.glob("*/"))} == {0o755}
    assert os.access(installed / "slurm/prolog.sh", os.X_OK)


def test_nothing_is_changed_under_a_run(tmp_path: Path) -> None:
    """It waits for the run, and says who runs if it waits in vain."""
    make_bundle("hyperpod-slurm").write(tmp_path / "from-s3")
    (tmp_path / "node/run").mkdir(parents=True)
    with (tmp_path / "node/run/clusterwright.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = create(tmp_path / "from-s3", tmp_path / "node", CW_LOCK_SECONDS="1")
        assert result.returncode == 1
        assert f"(pid {os.getpid()}) holds " in result.stderr.splitlines()[-1]
        assert not (tmp_path / "node/opt/clusterwright").exists()
    assert create(tmp_path / "from-s3", tmp_path / "node").returncode == 0


def test_the_lock_is_kept_for_the_run(tmp_path: Path) -> None:
    bundle = make_bundle("hyperpod-slurm")
    probe = '#!/usr/bin/env bash\nflock -n "$CW_ROOT/run/clusterwright.lock" true && echo free || echo held\n'
    Bundle({**bundle.shared, "run.sh": probe}, bundle.own).write(tmp_path / "from-s3")
    assert create(tmp_path / "from-s3", tmp_path / "node").stdout == "held\n"


def run_user_data(folder: Path, *, code: str = "0") -> subprocess.CompletedProcess[str]:
    """Run the script of a PCS node's user data, with a folder for the root of the file system."""
    archive = pack(make_bundle("pcs").shared)
    (folder / "archive").write_bytes(archive)
    boot = BootContext(
        region="us-east-2",
        archive_url="s3://assets/scripts.tar",
        archive_sha256=hashlib.sha256(archive).hexdigest(),
        own={"node.env": "CW_POOL=train\n"},
    )
    (part,) = message_from_string(render_pcs_user_data(boot)).get_payload()  # type: ignore[misc]  a multipart message's payload is a list
    assert part.get_content_type() == "text/x-shellscript"  # type: ignore[union-attr]  and holds messages
    script: str = part.get_payload()  # type: ignore[union-attr,assignment]  of text
    aws = folder / "tools" / "aws"
    aws.parent.mkdir()
    aws.write_text(f'#!/bin/sh\nexec cp {folder}/archive "$7"\n')
    aws.chmod(0o755)
    return subprocess.run(
        ["bash", "-c", script.replace("=/opt/", f"={folder}/opt/")],
        env={
            "PATH": f"{aws.parent}:{os.environ['PATH']}",
            "CW_ROOT": str(folder / "node"),
            "CW_CONSOLE": str(folder / "console"),
            "CODE": code,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_pcs_runs_the_scripts_from_its_user_data(tmp_path: Path) -> None:
    result = run_user_data(tmp_path)
    assert result.returncode == 0, result.stderr
    assert f"ran in {tmp_path}/node/opt/clusterwright as CW_POOL=train" in result.stdout + result.stderr


def test_pcs_tells_the_console_why_a_node_fails(tmp_path: Path) -> None:
    result = run_user_data(tmp_path, code="1")
    assert result.returncode == 1
    assert "this node does not join the cluster: ran in " in (tmp_path / "console").read_text()

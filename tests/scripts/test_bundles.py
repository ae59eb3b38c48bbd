"""The bundles of every kind of node: complete, and right as shell."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from scratch_nodes import HOMES, LUSTRE, NODES, make_context

from clusterwright_lifecycle.bundles import render_bundle
from clusterwright_lifecycle.contexts import MirrorContext, UserContext

if TYPE_CHECKING:
    from pathlib import Path


def read_variables(bundle: Path, *names: str) -> list[str]:
    """What bash finds in a bundle's node.env."""
    script = 'source "$1/node.env"; shift; for name; do printf "%s\\0" "${!name}"; done'
    command = ["bash", "-euc", script, "bash", str(bundle), *names]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


@pytest.mark.parametrize("name", NODES)
def test_scripts_are_right_as_shell(name: str, tmp_path: Path) -> None:
    render_bundle(make_context(**NODES[name])).write(tmp_path)
    scripts = [str(path) for path in sorted(tmp_path.rglob("*.sh"))]
    assert len(scripts) > 30
    paths = ["--source-path=SCRIPTDIR", "--source-path=SCRIPTDIR/.."]
    subprocess.run(["shellcheck", "--external-sources", *paths, *scripts], check=True)
    for script in [*scripts, str(tmp_path / "node.env")]:
        subprocess.run(["bash", "-n", script], check=True)


@pytest.mark.parametrize("name", NODES)
def test_a_bundle_has_every_step_of_its_plan(name: str) -> None:
    files = render_bundle(make_context(**NODES[name])).files
    planned = [f"steps/{line.split('|')[0]}.sh" for line in files["plan"].splitlines()]
    assert [name for name in planned if name not in files] == []
    assert {"run.sh", "verify_node.py", "expected.json", "manifest.json", "node.env"} <= set(files)


@pytest.mark.parametrize(
    ("orchestrator", "has_entry"),
    [("hyperpod-slurm", True), ("hyperpod-eks", True), ("eks", False), ("pcs", False)],
)
def test_hyperpod_has_the_script_that_it_starts_with(orchestrator: str, has_entry: bool) -> None:
    bundle = render_bundle(make_context(orchestrator=orchestrator))
    assert ("on_create.sh" in bundle.shared) == has_entry


def test_what_pools_share_is_the_same() -> None:
    head = render_bundle(make_context(**NODES["hyperpod-slurm controller"]))
    train = render_bundle(make_context(**NODES["hyperpod-slurm compute"]))
    assert head.shared == train.shared
    assert head.own["plan"] != train.own["plan"]


def test_programs_can_be_run_and_libraries_only_read(tmp_path: Path) -> None:
    render_bundle(make_context()).write(tmp_path)
    modes = {str(path.relative_to(tmp_path)): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*.*")}
    assert {modes[name] for name in ("run.sh", "on_create.sh", "verify_node.py", "steps/efa.sh")} == {0o755}
    assert {modes[name] for name in ("lib/log.sh", "node.env", "manifest.json")} == {0o644}


def test_more_files_are_the_pools_own() -> None:
    bundle = render_bundle(make_context(), {"slurm/slurm.conf": "ClusterName=atlas\n"})
    assert bundle.shared["slurm/slurm.conf"] == "ClusterName=atlas\n"


def test_bash_reads_back_what_was_written(tmp_path: Path) -> None:
    hostile = 'it\'s "$HOME" `id` \\ $(false) \u00e9'
    context = make_context(
        environment={"NCCL_DEBUG": hostile, "A": "1"},
        users=(UserContext(name="ada", uid=2001), UserContext(name="bob", uid=2002)),
        mirror=MirrorContext(url="s3://bucket/prefix/", manifest_sha256="0" * 64),
    )
    render_bundle(context).write(tmp_path)
    assert read_variables(tmp_path, "CW_ENVIRONMENT", "CW_USERS", "CW_MOUNTS", "CW_MIRROR_URL") == [
        f"A=1\nNCCL_DEBUG={hostile}",
        "ada|2001\nbob|2002",
        f"lustre|{LUSTRE.dns_name}|abcdef|/fsx|1\nopenzfs|{HOMES.dns_name}|/fsx|/home|",
        "s3://bucket/prefix",
    ]


def test_claims_are_one_or_empty_and_components_are_named(tmp_path: Path) -> None:
    render_bundle(make_context(local_raid=None)).write(tmp_path)
    names = (
        "CW_HAS_NVSWITCH",
        "CW_HAS_IMEX",
        "CW_LOCAL_RAID",
        "CW_VERSION_NVIDIA_DRIVER",
        "CW_OS",
        "CW_LOCAL_USES",
    )
    assert read_variables(tmp_path, *names) == [
        "1",
        "",
        "",
        "580.159.03",
        "ubuntu-22.04",
        "containerd scratch",
    ]


def test_the_manifest_is_json() -> None:
    artifacts = json.loads(render_bundle(make_context()).own["manifest.json"])
    assert {each["component"] for each in artifacts} >= {"efa-installer", "enroot"}

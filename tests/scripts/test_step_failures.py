"""What goes wrong on nodes, injected: the last line says what, and what to do."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from scratch_nodes import (
    CONTENTS,
    DRIVER,
    KERNEL,
    NODES,
    VERSIONS,
    ScratchNode,
    make_artifacts,
    make_context,
    make_node,
    sha256,
    tell,
)

from clusterwright_lifecycle.contexts import MirrorContext, UserContext

if TYPE_CHECKING:
    from pathlib import Path

EFA = "aws-efa-installer-1.50.0.tar.gz"
MIRROR = "s3://mirror/set"
FAILS_ONCE = """
has failed || { touch "$FAKE_STATE/failed"; echo "Could not connect" >&2; exit 1; }
source "$FAKE_DEFAULTS/aws"
"""
BROKEN_DPKG = """
[[ $1 != --audit ]] || has repaired || echo broken
[[ $1 != --configure ]] || touch "$FAKE_STATE/repaired"
"""
MEMBER = "any:clusterwright linux_raid_member"
HOLDER = """
import fcntl, sys, time
file = open(sys.argv[1], "w")
fcntl.lockf(file, fcntl.LOCK_EX)
print(flush=True)
time.sleep(60)
"""


def fail_at(node: ScratchNode, step: str, *more: str) -> str:
    """Run one step, which should fail, and give back its reason."""
    result = node.run("--only", step, *more)
    assert result.returncode == 1, result.stderr
    head, _, reason = tell(result).partition(": ")
    assert head == step
    assert node.status["reason"] == tell(result)
    return reason


def test_a_file_that_the_mirror_lacks(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    (tmp_path / "s3/mirror/set" / EFA).unlink()
    reason = fail_at(node, "efa")
    assert reason.startswith(f"cannot download {EFA} from {MIRROR}: fatal error: An error occurred (404)")
    assert len(node.called(f"aws s3 cp --region us-east-2 --only-show-errors {MIRROR}/{EFA}")) == 1


def test_a_file_that_is_not_what_it_should_be(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    (tmp_path / "s3/mirror/set" / EFA).write_bytes(b"truncated")
    assert fail_at(node, "efa") == (
        f"{EFA} from {MIRROR}/{EFA} has the SHA-256 {sha256(b'truncated')}, expected {sha256(CONTENTS[EFA])}"
    )
    assert list((node.root / "var/lib/clusterwright/downloads").glob(f"{EFA}*")) == []


def test_a_manifest_that_is_not_the_pinned_one(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    (tmp_path / "s3/mirror/set/manifest.json").write_text("[]")
    assert "manifest-" in (reason := fail_at(node, "efa"))
    assert f"has the SHA-256 {sha256(b'[]')}, expected " in reason


def test_a_mirror_of_another_set(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    manifest = tmp_path / "s3/mirror/set/manifest.json"
    manifest.write_text("[]")
    mirror = MirrorContext(url=MIRROR, manifest_sha256=sha256(b"[]"))
    node.set_bundle(make_context(mirror=mirror))
    assert fail_at(node, "efa") == f"the mirror {MIRROR} lacks {EFA}: run clusterwright scripts mirror again"


def test_a_download_is_tried_again(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("aws", FAILS_ONCE)
    assert node.run("--only", "efa").returncode == 0
    notes = [each["text"] for each in node.events if each["event"] == "note"]
    assert "_fetch: attempt 1 of 5 failed with status 1; again in 0 s" in notes


def test_a_download_that_never_works(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("aws", 'echo "Could not connect to the endpoint URL" >&2; exit 1')
    reason = fail_at(node, "efa")
    assert reason.endswith(f"from {MIRROR}/manifest.json: Could not connect to the endpoint URL")
    assert len(node.called("aws")) == 5


def test_without_a_mirror_a_known_checksum_serves(tmp_path: Path) -> None:
    node = make_node(tmp_path, mirror=None)
    web = tmp_path / "web" / "efa-installer.amazonaws.com"
    web.mkdir()
    (web / EFA).write_bytes(CONTENTS[EFA])
    assert node.run("--only", "efa").returncode == 0
    assert node.called("curl")


def test_without_a_mirror_a_missing_file_is_named(tmp_path: Path) -> None:
    node = make_node(tmp_path, mirror=None)
    assert fail_at(node, "efa") == (
        f"cannot download {EFA} from https://efa-installer.amazonaws.com: "
        "curl: (22) The requested URL returned error: 404"
    )


def test_without_a_mirror_or_a_checksum_nothing_is_downloaded(tmp_path: Path) -> None:
    node = make_node(tmp_path, mirror=None)
    reason = fail_at(node, "enroot")
    assert reason.startswith("the image lacks enroot 3.5.0, and enroot_3.5.0-1_amd64.deb has no published ")
    assert "clusterwright scripts mirror" in reason
    assert node.called("curl") == []


def test_nodes_do_not_read_github(tmp_path: Path) -> None:
    node = make_node(tmp_path, mirror=None, artifacts=make_artifacts(has_checksums=True))
    assert fail_at(node, "enroot").startswith("the image lacks enroot 3.5.0, and nodes do not read GitHub: ")
    assert node.called("curl") == []


def hold(path: Path) -> subprocess.Popen[bytes]:
    """A process that holds a file as apt does: open, and locked."""
    path.parent.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_a_package_manager_that_is_busy(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    with hold(node.root / "var/lib/dpkg/lock-frontend") as holder:
        result = node.run("--only", "lustre-client", CW_PACKAGE_LOCK_SECONDS="1")
        holder.kill()
    assert result.returncode == 1
    assert "lustre-client: waited 1 s for the package manager: " in tell(result)
    assert tell(result).endswith(f"(pid {holder.pid}) holds /var/lib/dpkg/lock-frontend")
    assert node.called("apt-get install") == []


def test_a_package_manager_that_becomes_free(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    with hold(node.root / "var/lib/dpkg/lock-frontend") as holder:
        process = node.start(CW_PACKAGE_LOCK_SECONDS="30")
        time.sleep(1)
        holder.kill()
        holder.wait()
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors


def test_dnf_that_is_busy(tmp_path: Path) -> None:
    node = make_node(tmp_path, operating_system="al2023")
    node.write("var/cache/dnf/metadata_lock.pid", f"{os.getpid()}\n")
    result = node.run("--only", "lustre-client", CW_PACKAGE_LOCK_SECONDS="1")
    assert tell(result).endswith(f"(pid {os.getpid()}) holds /var/cache/dnf/metadata_lock.pid")


def test_another_step_that_installs_for_ever(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    (node.root / "run").mkdir()
    with (node.root / "run/clusterwright-packages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = node.run("--only", "lustre-client", CW_PACKAGE_LOCK_SECONDS="1")
    assert f"(pid {os.getpid()}) holds the lock" in tell(result)


def test_a_package_that_cannot_be_had(tmp_path: Path) -> None:
    node = make_node(tmp_path, operating_system="al2023")
    node.remember("available")
    reason = fail_at(node, "lustre-client")
    assert reason == "cannot install lustre-client: E: Unable to locate package lustre-client"


def test_dpkg_left_half_way_is_repaired_first(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("dpkg", BROKEN_DPKG)
    assert node.run("--only", "enroot").returncode == 0
    calls = node.calls
    install = next(call for call in calls if call.startswith("apt-get install"))
    assert calls.index("dpkg --configure -a") < calls.index(install)


def test_a_disk_that_is_missing(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    lines = (node.state / "disks").read_text().splitlines()
    node.remember("disks", *lines[:-1])
    reason = fail_at(node, "local-disks")
    assert reason.startswith("7 of the 8 local disks of p5.48xlarge are there: /dev/nvme1n1 ")
    assert node.called("mdadm") + node.called("mkfs") == []


def test_a_disk_with_somebodys_data(tmp_path: Path) -> None:
    node = make_node(tmp_path, local_raid=None)
    node.remember("filesystem-dev-nvme1n1", "precious ext4")
    assert fail_at(node, "local-disks") == (
        "/dev/nvme1n1 holds ext4 labelled precious, which is not ours: it is not formatted"
    )
    assert node.called("mkfs") == []


def test_a_disk_of_ours_is_never_formatted_again(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("filesystem-dev-md-clusterwright", "cw-local-0 xfs")
    for number in range(1, 9):
        node.remember(f"filesystem-dev-nvme{number}n1", MEMBER)
    assert node.run("--only", "local-disks").returncode == 0
    assert node.called("mkfs") + node.called("mdadm --create") == []
    assert len(node.called("mdadm --assemble")) == 1


def test_killed_while_it_formats_it_formats_again(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("xfs_admin", "kill -9 $PPID; exit 1")
    assert "was killed by signal 9" in fail_at(node, "local-disks")
    (tmp_path / "answers/xfs_admin").unlink()
    assert node.run().returncode == 0
    assert len(node.called("mkfs.xfs")) == 1
    assert node.called("mdadm --create") == []


def test_nodeadm_did_not_mount_the_disks(tmp_path: Path) -> None:
    node = make_node(tmp_path, **NODES["eks worker"])
    (node.state / "disk_mounts").unlink()
    assert fail_at(node, "local-disks").startswith("nodeadm has not mounted the local disks /dev/nvme1n1 ")


def test_lustre_client_without_efa(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("modprobe", "[[ $1 != kefalnd ]]")
    assert fail_at(node, "lustre-network").startswith("this Lustre client has no kefalnd, without which ")
    assert node.called("lnetctl net add") == []


def test_no_lustre_client_for_this_kernel(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("available", "lustre-client-modules-aws 2.15.6")
    reason = fail_at(node, "lustre-client")
    assert reason.startswith(f"there is no lustre-client-modules-{KERNEL}: ")
    assert node.called("apt-get install") == []


def test_a_lustre_client_that_would_change_the_kernel(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("simulation", "Inst linux-image-6.17.0-1019-aws (6.17.0 Ubuntu)")
    assert "would install another kernel than the running" in fail_at(node, "lustre-client")
    assert node.called("apt-get install --yes") == []


def test_a_file_system_that_does_not_answer(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("mount", "echo 'mount.nfs4: Connection timed out' >&2; exit 32")
    assert fail_at(node, "homes") == (
        "cannot mount fs-2.fsx.us-east-2.amazonaws.com:/fsx at /home: mount.nfs4: Connection timed out"
    )


def test_something_else_is_mounted_there(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("mounts", f"fs-9:/other {node.root}/home")
    assert fail_at(node, "homes") == (
        "/home has fs-9:/other mounted, and fs-2.fsx.us-east-2.amazonaws.com:/fsx should be there"
    )


@pytest.mark.parametrize(
    ("step", "state", "lines", "words"),
    [
        (
            "nvidia-driver",
            "driver",
            ["570.172.08"],
            f"the node has nvidia-driver 570.172.08, and {DRIVER} is expected, from the set 2026.11: ",
        ),
        (
            "fabric-manager",
            "packages",
            ["nvidia-fabricmanager 580.126.09"],
            f"the node has fabric-manager 580.126.09, and {DRIVER} is expected, from the set 2026.11: ",
        ),
        ("container-toolkit", "toolkit", ["1.17.1"], "the node has container-toolkit 1.17.1, and 1"),
        (
            "exporters",
            "packages",
            ["datacenter-gpu-manager-4-core 1:4.4.2"],
            "the node has dcgm 1:4.4.2, and 4",
        ),
    ],
)
def test_another_version_than_the_sets(
    tmp_path: Path, step: str, state: str, lines: list[str], words: str
) -> None:
    node = make_node(tmp_path)
    node.remember(state, *lines)
    reason = fail_at(node, step)
    assert reason.startswith(words)
    assert "software.overrides." in reason


def test_a_version_of_an_image_is_not_said_to_be_the_sets(tmp_path: Path) -> None:
    node = make_node(tmp_path, origins={"nvidia-driver": "the image hyperpod-image 2026-07-09"})
    node.remember("driver", "570.172.08")
    assert fail_at(node, "nvidia-driver") == (
        f"the node has nvidia-driver 570.172.08, and {DRIVER} is expected, from the image hyperpod-image "
        "2026-07-09: the node starts from another image than 2026-07-09; write the release that it "
        "starts from into software.overrides.hyperpod-image"
    )


KUBERNETES = {"orchestrator": "hyperpod-eks", "role": "worker", "operating_system": "al2023", "users": ()}


def test_an_efa_module_that_nobody_knows_is_not_compared(tmp_path: Path) -> None:
    versions = {name: each for name, each in VERSIONS.items() if name != "efa-driver"}
    node = make_node(tmp_path, **KUBERNETES, versions=versions)
    node.remember("module-efa", "2.17.3g")
    assert node.run("--only", "efa").returncode == 0


def test_an_efa_module_that_cluster_yaml_says_is_compared(tmp_path: Path) -> None:
    origins = {"efa-driver": "software.overrides of cluster.yaml"}
    node = make_node(tmp_path, **KUBERNETES, versions=VERSIONS | {"efa-driver": "3.1.0"}, origins=origins)
    node.remember("module-efa", "2.17.3g")
    reason = fail_at(node, "efa")
    assert reason.startswith("the node has efa-driver 2.17.3, and 3.1.0 is expected, from software.overrides")
    assert reason.endswith("pin software.overrides.efa-driver to 2.17.3 and check it")


def test_companion_at_another_version_than_the_driver(tmp_path: Path) -> None:
    node = make_node(tmp_path, versions={**VERSIONS, "fabric-manager": "580.126.09"})
    node.remember("packages", "nvidia-fabricmanager 580.126.09")
    assert fail_at(node, "fabric-manager") == (
        f"fabric-manager is 580.126.09, and the driver is {DRIVER}: they must be of one version"
    )


def test_a_companion_without_a_pin_still_equals_the_driver(tmp_path: Path) -> None:
    versions = {name: version for name, version in VERSIONS.items() if name != "fabric-manager"}
    node = make_node(tmp_path, versions=versions)
    assert node.run("--only", "fabric-manager").returncode == 0


def test_an_image_without_a_driver(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    (node.state / "driver").unlink()
    assert fail_at(node, "nvidia-driver") == (
        f"the image lacks nvidia-driver {DRIVER}, and the set names no file to install it from: "
        "take an image that has it"
    )


def test_a_kubernetes_image_without_a_driver(tmp_path: Path) -> None:
    node = make_node(tmp_path, **NODES["eks worker"])
    (node.state / "driver").unlink()
    reason = fail_at(node, "nvidia-driver")
    assert reason.startswith(f"the image lacks nvidia-driver {DRIVER}, which nodes of Kubernetes ")


def test_a_service_that_does_not_start(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("systemctl", '[[ $1 != start ]] || exit 1\nsource "$FAKE_DEFAULTS/systemctl"')
    node.answer("journalctl", "echo 'fabric manager NVIDIA GPU driver interface version mismatch'")
    assert fail_at(node, "fabric-manager") == (
        "the service nvidia-fabricmanager.service does not start: "
        "fabric manager NVIDIA GPU driver interface version mismatch"
    )


def test_efa_without_its_plugin(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    assert fail_at(node, "aws-ofi-nccl").startswith("EFA is installed without libnccl-net-ofi.so below ")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"operating_system": "al2023"},
            "the image runs ubuntu-22.04, and this pool's scripts are for al2023",
        ),
        ({"architecture": "arm64"}, "the processor is x86_64, and this pool's is arm64"),
    ],
)
def test_another_image_than_the_pools(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    node = make_node(tmp_path)
    node.set_bundle(make_context(**changes))
    assert fail_at(node, "os-checks") == words


def test_no_room_on_the_root_volume(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("free_mib", "900")
    assert fail_at(node, "os-checks") == (
        "the root volume has 900 MiB left of the 20480 needed: raise root_volume_gib"
    )


@pytest.mark.parametrize(
    ("name", "needed"),
    [("eks worker", 2048), ("hyperpod-slurm login", 5120), ("hyperpod-slurm compute", 20480)],
)
def test_room_is_asked_for_by_what_is_installed(tmp_path: Path, name: str, needed: int) -> None:
    node = make_node(tmp_path, **NODES[name])
    node.remember("free_mib", f"{needed}")
    assert node.run("--only", "os-checks").returncode == 0
    node.remember("free_mib", f"{needed - 1}")
    assert f"{needed - 1} MiB left of the {needed} needed" in fail_at(node, "os-checks")


def test_a_user_with_another_number(tmp_path: Path) -> None:
    node = make_node(tmp_path, users=(UserContext(name="ubuntu", uid=2001),))
    node.remember("passwd", "ubuntu:x:1000:1000::/home/ubuntu:/bin/bash")
    assert fail_at(node, "users") == (
        "the image has a user ubuntu with the number 1000, and the cluster's has 2001"
    )


def test_a_node_that_differs_says_in_what(tmp_path: Path) -> None:
    report = {
        "state": "differs",
        "checks": [
            {"name": "nccl", "expected": "2.31.2", "found": "2.28.3", "state": "differs"},
            {"name": "cuda", "expected": "13.0", "found": "13.0", "state": "ok"},
            {"name": "efa-devices", "expected": "32", "found": "31", "state": "differs"},
        ],
    }
    program = f"import json, sys\nprint(json.dumps({report!r}))\nsys.exit(1)\n"
    node = make_node(tmp_path, {"verify_node.py": program})
    assert fail_at(node, "verify") == (
        "the node is not as its set says: "
        "nccl: expected 2.31.2, found 2.28.3; efa-devices: expected 32, found 31"
    )


def test_a_plan_killed_in_the_middle_goes_on(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.answer("mkfs.xfs", 'echo $$ >"$FAKE_STATE/formatting"; sleep 60')
    process = node.start()
    for _ in range(1000):
        if (node.state / "formatting").exists():
            break
        time.sleep(0.01)
    kill_all(process)
    (tmp_path / "answers/mkfs.xfs").unlink()
    node.reboot()
    result = node.run()
    assert result.returncode == 0, result.stderr
    assert node.status["state"] == "done"


def kill_all(process: subprocess.Popen[str]) -> None:
    """What a power cut does: the runner and its steps end at once, and no trap runs."""
    children = f"/proc/{process.pid}/task/{process.pid}/children"
    with open(children) as file:  # noqa: PTH123  a file of the kernel
        steps = [int(pid) for pid in file.read().split()]
    process.kill()
    for pid in steps:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    process.communicate()

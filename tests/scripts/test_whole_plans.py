"""The whole plan of every kind of node, really run in a scratch root; a second run does nothing."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

import pytest
from scratch_nodes import DRIVER, KERNEL, NODES, ScratchNode, make_node, tell

from clusterwright_lifecycle.contexts import UserContext

if TYPE_CHECKING:
    from pathlib import Path

# What changes a node. All other calls only ask.
ACTS = re.compile(
    r"apt-get install(?! --simulate)|apt-mark hold|dnf .*(install|versionlock add)|mount |mkfs|xfs_admin|"
    r"mdadm --(create|assemble)|modprobe|make|efa_installer|useradd|groupadd|sysctl|ldconfig$|aws|curl|"
    r"nvidia-ctk runtime|lnetctl (net add|udsp add|set)|"
    r"systemctl (enable|start|restart|stop|mask|daemon-reload)"
)


def acts_of(node: ScratchNode) -> list[str]:
    """The calls of the last run that changed something."""
    return [call for call in node.calls if ACTS.match(call)]


@pytest.mark.parametrize("name", NODES)
def test_a_plan_runs_to_its_end_and_then_does_nothing(name: str, tmp_path: Path) -> None:
    node = make_node(tmp_path, **NODES[name])
    result = node.run()
    assert result.returncode == 0, result.stderr
    assert acts_of(node)
    start = time.monotonic()
    again = node.run()
    assert time.monotonic() - start < 2
    assert again.returncode == 0
    assert node.calls == []
    assert tell(again).endswith(f"all {len(node.status['steps'])} steps are done")


@pytest.mark.parametrize("name", NODES)
def test_every_step_by_itself_finds_its_work_done(name: str, tmp_path: Path) -> None:
    """Without the marks of what is done each step runs, sees how things are, and changes nothing."""
    node = make_node(tmp_path, **NODES[name])
    node.run()
    for mark in (node.root / "var/lib/clusterwright/steps").glob("*.done"):
        mark.unlink()
    result = node.run()
    assert result.returncode == 0, result.stderr
    harmless = r"modprobe|lnetctl set discovery 1"
    assert [call for call in acts_of(node) if not re.match(harmless, call)] == []


@pytest.mark.parametrize("name", NODES)
def test_a_reboot_brings_the_node_back(name: str, tmp_path: Path) -> None:
    node = make_node(tmp_path, **NODES[name])
    node.run()
    node.reboot()
    result = node.run()
    assert result.returncode == 0, result.stderr
    lasting = ("mkfs", "mdadm --create", "apt-get install", "dnf --assumeyes")
    assert [call for call in node.calls if call.startswith(lasting)] == []
    assert node.run().returncode == 0
    assert node.calls == []


@pytest.fixture(scope="module")
def compute(tmp_path_factory: pytest.TempPathFactory) -> ScratchNode:
    """A compute node of Slurm after its first run."""
    users = (UserContext(name="ada", uid=2001),)
    node = make_node(tmp_path_factory.mktemp("compute"), users=users, efa_devices=32)
    result = node.run()
    assert result.returncode == 0, result.stderr
    return node


def test_disks_are_striped_formatted_and_mounted(compute: ScratchNode) -> None:
    disks = " ".join(f"/dev/nvme{number}n1" for number in range(1, 9))
    (create,) = compute.called("mdadm --create")
    assert create.startswith("mdadm --create /dev/md/clusterwright --level 0 --raid-devices 8 ")
    assert create.endswith(f" {disks}")
    assert compute.called("mkfs.xfs") == ["mkfs.xfs -q -L cw-making /dev/md/clusterwright"]
    assert compute.called("xfs_admin") == ["xfs_admin -L cw-local-0 /dev/md/clusterwright"]
    assert "LABEL=cw-local-0 /scratch/0 xfs " in compute.read("etc/fstab")


def test_containers_are_moved_to_the_disks(compute: ScratchNode) -> None:
    calls = compute.calls
    for unit in ("docker", "containerd"):
        stop = calls.index(f"systemctl stop {unit}.service")
        bind = calls.index(f"mount --bind /scratch/0/{unit} /var/lib/{unit}")
        assert stop < bind < calls.index(f"systemctl start {unit}.service")
    assert "bind,nofail,x-systemd.before=docker.socket,x-systemd.before=docker.service" in compute.read(
        "etc/fstab"
    )
    settings = compute.read("etc/enroot/enroot.conf.d/clusterwright.conf")
    assert "ENROOT_DATA_PATH /scratch/0/enroot/data-" in settings


def test_the_root_disk_is_left_alone(compute: ScratchNode) -> None:
    assert [call for call in compute.calls if "nvme0n1" in call] == []


def test_lustre_is_for_the_running_kernel_and_no_meta_package(compute: ScratchNode) -> None:
    installed = " ".join(compute.called("apt-get install --yes"))
    assert f"lustre-client-modules-{KERNEL}" in installed
    assert "lustre-client-modules-aws" not in installed


def test_lustre_has_eight_interfaces_of_efa_before_it_is_mounted(compute: ScratchNode) -> None:
    added = [call.split()[6] for call in compute.called("lnetctl net add --net efa")]
    assert added == [f"rdmap{number:02}s0" for number in range(0, 32, 4)]
    mount = next(call for call in compute.calls if call.startswith("mount --types lustre"))
    assert compute.calls.index("lnetctl udsp add --src efa --priority 0") < compute.calls.index(mount)
    assert "lustre defaults,noatime,flock,noauto,_netdev " in compute.read("etc/fstab")


def test_homes_use_several_connections(compute: ScratchNode) -> None:
    (mount,) = compute.called("mount --types nfs4")
    assert "nfsvers=4.2,nconnect=16," in mount
    assert mount.endswith("fs-2.fsx.us-east-2.amazonaws.com:/fsx /home")


def test_users_can_reach_other_nodes(compute: ScratchNode) -> None:
    assert compute.called("useradd") == [
        "useradd --uid 2001 --gid 2001 --home-dir /home/ada --no-create-home --shell /bin/bash ada"
    ]
    assert compute.read("home/ada/.ssh/authorized_keys") == compute.read("home/ada/.ssh/id_ed25519.pub")
    assert (compute.root / "home/ada/.ssh/id_ed25519").stat().st_mode & 0o777 == 0o600


def test_efa_is_installed_at_the_pin_with_the_images_module(compute: ScratchNode) -> None:
    assert compute.called("efa_installer.sh") == ["efa_installer.sh -y --disable-ngc --skip-kmod"]
    assert compute.read("etc/ld.so.conf.d/clusterwright-ofi-nccl.conf") == "/opt/amazon/ofi-nccl/lib\n"


def test_a_module_at_another_version_is_built(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.remember("module-efa", "2.17.2")
    node.run()
    assert node.called("efa_installer.sh") == ["efa_installer.sh -y --disable-ngc"]


def test_all_downloads_come_from_the_mirror(compute: ScratchNode) -> None:
    assert compute.called("curl") == []
    assert {call.split()[-2] for call in compute.called("aws")} > {"s3://mirror/set/manifest.json"}


def test_what_belongs_together_is_held(compute: ScratchNode) -> None:
    held = (compute.state / "held").read_text().split()
    assert {f"linux-image-{KERNEL}", f"lustre-client-modules-{KERNEL}"} <= set(held)
    assert {"nvidia-fabricmanager", "enroot"} <= set(held)


def test_nothing_upgrades_itself(compute: ScratchNode) -> None:
    assert "unattended-upgrades" in (compute.state / "masked").read_text()
    assert "$nrconf{restart} = 'l';" in compute.read("etc/needrestart/conf.d/99-clusterwright.conf")
    assert 'APT::Periodic::Enable "0";' in compute.read("etc/apt/apt.conf.d/99-clusterwright")


def test_the_record_names_set_hash_and_versions(compute: ScratchNode) -> None:
    record = json.loads(compute.read("etc/clusterwright/software.json"))
    assert (record["set"], record["content_hash"]) == ("2026.11", "0123456789ab")
    assert record["versions"]["nvidia-driver"] == DRIVER
    assert record["versions"] == compute.context.versions


def test_jobs_find_the_environment(compute: ScratchNode) -> None:
    assert "export NCCL_DEBUG='WARN'\n" in compute.read("etc/profile.d/clusterwright.sh")
    assert compute.read("etc/clusterwright/environment") == 'NCCL_DEBUG="WARN"\n'


def test_the_plan_runs_at_each_boot(compute: ScratchNode) -> None:
    assert "ExecStart=/bin/bash /opt/clusterwright/run.sh\n" in compute.read(
        "etc/systemd/system/clusterwright-boot.service"
    )
    assert "clusterwright-boot" in (compute.state / "enabled").read_text()


def test_services_of_the_gpus_run(compute: ScratchNode) -> None:
    active = (compute.state / "active").read_text().split()
    assert {"nvidia-fabricmanager", "nvidia-persistenced", "nvidia-dcgm"} <= set(active)
    assert "clusterwright-node-exporter" in active


def test_disks_one_by_one(tmp_path: Path) -> None:
    node = make_node(tmp_path, local_raid=None)
    result = node.run()
    assert result.returncode == 0, result.stderr
    assert node.called("mdadm") == []
    assert [call.split()[-1] for call in node.called("mkfs.xfs")] == [f"/dev/nvme{n}n1" for n in range(1, 9)]
    assert "LABEL=cw-local-7 /scratch/7 xfs " in node.read("etc/fstab")


def test_disks_that_the_image_mounts_are_taken_over(tmp_path: Path) -> None:
    """Deep Learning AMIs put them together with LVM and mount them."""
    node = make_node(tmp_path)
    node.remember("disk_mounts", "/opt/dlami/nvme")
    result = node.run()
    assert result.returncode == 0, result.stderr
    assert node.called("mkfs") + node.called("mdadm") == []
    assert "mount --bind /opt/dlami/nvme /scratch/0" in node.calls


def test_kubernetes_nodes_are_checked_and_not_changed(tmp_path: Path) -> None:
    node = make_node(tmp_path, **NODES["eks worker"])
    assert node.run().returncode == 0
    changes = ("apt-get", "dnf --assumeyes", "mount", "mkfs", "mdadm", "aws", "curl", "make", "efa_installer")
    assert [call for call in node.calls if call.startswith(changes)] == []


def test_a_changed_set_is_checked_again(tmp_path: Path) -> None:
    node = make_node(tmp_path)
    node.run()
    node.set_bundle(node.context.model_copy(update={"versions": node.context.versions | {"nccl": "2.30.7"}}))
    result = node.run()
    assert result.returncode == 1
    assert tell(result).startswith(
        "nccl: the node has nccl 2.31.2, and 2.30.7 is expected, from the set 2026.11"
    )


def test_pyxis_is_built_for_slurm_and_included(compute: ScratchNode) -> None:
    plugin = "/usr/local/lib/clusterwright/slurm/lib/slurm/spank_pyxis.so"
    assert compute.read("opt/slurm/etc/plugstack.conf") == "include /opt/slurm/etc/plugstack.conf.d/*.conf\n"
    settings = compute.read("opt/slurm/etc/plugstack.conf.d/clusterwright-pyxis.conf")
    assert settings == f"required {plugin}\n"
    assert (compute.root / plugin.lstrip("/")).exists()


def test_pyxis_on_pcs_is_built_for_each_slurm(tmp_path: Path) -> None:
    node = make_node(tmp_path, **NODES["pcs login"])
    node.write("opt/aws/pcs/scheduler/slurm-25.05/include/slurm/spank.h", "")
    assert node.run("--only", "pyxis").returncode == 0
    for version in ("25.05", "25.11"):
        file = f"etc/aws/pcs/scheduler/slurm-{version}/plugstack.conf.d/clusterwright-pyxis.conf"
        assert f"/clusterwright/slurm-{version}/lib/slurm/spank_pyxis.so" in node.read(file)


def test_homes_of_the_images_own_users_stay(tmp_path: Path) -> None:
    """The mount hides them; the shared file system gets what it lacks of them, and keeps what it has."""
    node = make_node(tmp_path)
    node.write("home/ubuntu/.ssh/authorized_keys", "of the image")
    node.write("home/ec2-user/notes", "of the image")
    node.answer(
        "mount",
        'if [[ $* == */home ]]; then rm -rf "$CW_ROOT/home"; mkdir -p "$CW_ROOT/home/ec2-user"; fi\n'
        'source "$FAKE_DEFAULTS/mount"',
    )
    assert node.run("--only", "homes").returncode == 0
    assert node.read("home/ubuntu/.ssh/authorized_keys") == "of the image"
    assert sorted(path.name for path in (node.root / "home").iterdir()) == ["ec2-user", "ubuntu"]
    assert list((node.root / "home/ec2-user").iterdir()) == []
    assert not (node.root / "var/lib/clusterwright/homes").exists()

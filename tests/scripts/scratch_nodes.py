"""Nodes that are a folder: bundles really run in them, with fakes for all that would touch the machine."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clusterwright_lifecycle.bundles import render_bundle
from clusterwright_lifecycle.contexts import ArtifactContext, MirrorContext, MountContext, NodeContext

if TYPE_CHECKING:
    from collections.abc import Mapping

FAKES = Path(__file__).parent / "fakes"
# Programs that only read, compute or write below the scratch root. What is neither here nor fake is missing.
REAL_TOOLS = [
    "awk",
    "bash",
    "basename",
    "cat",
    "chmod",
    "cmp",
    "cp",
    "cut",
    "date",
    "dirname",
    "env",
    "find",
    "flock",
    "grep",
    "gzip",
    "head",
    "iconv",
    "install",
    "ln",
    "ls",
    "mkdir",
    "mktemp",
    "mv",
    "readlink",
    "rm",
    "rmdir",
    "sed",
    "sh",
    "sha256sum",
    "sleep",
    "sort",
    "ssh-keygen",
    "stat",
    "tail",
    "tar",
    "tee",
    "timeout",
    "touch",
    "tr",
    "true",
    "uniq",
    "xargs",
]
PLAIN_FAKES = ["chown", "docker", "containerd", "dpkg", "journalctl", "modprobe", "mount.nfs4", "sysctl"]
KERNEL = "6.8.0-1063-aws"
DRIVER = "580.159.03"
VERSIONS = {
    "nvidia-driver": DRIVER,
    "fabric-manager": DRIVER,
    "cuda": "13.0U2",
    "efa-installer": "1.50.0",
    "efa-driver": "3.3.0",
    "aws-ofi-nccl": "1.21.1",
    "nccl": "2.31.2",
    "gdrcopy": "2.5.2",
    "dcgm": "4.5.3",
    "container-toolkit": "1.19.1",
    "enroot": "3.5.0",
    "pyxis": "0.20.0",
    "node-exporter": "1.9.1",
    "lustre-client": "2.15.6-1fsx34",
}
LUSTRE = MountContext(
    kind="lustre", dns_name="fs-1.fsx.us-east-2.amazonaws.com", export="abcdef", path="/fsx", has_efa=True
)
HOMES = MountContext(kind="openzfs", dns_name="fs-2.fsx.us-east-2.amazonaws.com", export="/fsx", path="/home")
VERIFIED = 'import json\nprint(json.dumps({"state": "ok", "checks": []}))\n'
EFA_INSTALLER = """#!/usr/bin/env bash
mkdir -p "$CW_ROOT/opt/amazon/ofi-nccl/lib"
touch "$CW_ROOT/opt/amazon/ofi-nccl/lib/libnccl-net-ofi.so"
printf '# EFA installer version: 1.50.0\\n' >"$CW_ROOT/opt/amazon/efa_installed_packages"
printf 'efa_installer.sh %s\\n' "$*" >>"$FAKE_CALLS"
"""


def pack(files: Mapping[str, str]) -> bytes:
    """A tar archive with one folder around its files, as publishers make them."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"folder/{name}")
            member.size = len(text.encode())
            member.mode = 0o755
            archive.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


CONTENTS = {
    "aws-efa-installer-1.50.0.tar.gz": pack({"efa_installer.sh": EFA_INSTALLER}),
    "gdrcopy-2.5.2.tar.gz": pack({"VERSION": "2.5.2"}),
    "enroot_3.5.0-1_amd64.deb": b"enroot",
    "enroot+caps_3.5.0-1_amd64.deb": b"caps",
    "pyxis-0.20.0.tar.gz": pack({"pyxis.c": ""}),
    "node_exporter-1.9.1.linux-amd64.tar.gz": pack({"node_exporter": "#!/bin/sh\n"}),
}
COMPONENTS = ("efa-installer", "gdrcopy", "enroot", "enroot", "pyxis", "node-exporter")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_artifacts(*, has_checksums: bool = False) -> tuple[ArtifactContext, ...]:
    """The files of the set: on GitHub, but for EFA's installer."""
    return tuple(
        ArtifactContext(
            component=component,
            version=VERSIONS[component],
            file=file,
            url=f"https://{'efa-installer.amazonaws.com' if 'efa' in file else 'github.com'}/{file}",
            sha256=sha256(content) if has_checksums or "efa" in file else None,
        )
        for component, (file, content) in zip(COMPONENTS, CONTENTS.items(), strict=True)
    )


def write_mirror(folder: Path) -> str:
    """Put all files and their manifest into a folder.

    Returns:
        The SHA-256 of the manifest.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in CONTENTS.items():
        (folder / name).write_bytes(content)
    entries = [{"file": name, "sha256": sha256(content)} for name, content in CONTENTS.items()]
    manifest = json.dumps(entries).encode()
    (folder / "manifest.json").write_bytes(manifest)
    return sha256(manifest)


def make_context(**changes: Any) -> NodeContext:
    """A compute node of Slurm with eight H100, and what the test wants otherwise."""
    plain: dict[str, Any] = {
        "cluster": "atlas",
        "pool": "train",
        "region": "us-east-2",
        "orchestrator": "hyperpod-slurm",
        "role": "compute",
        "operating_system": "ubuntu-22.04",
        "instance_type": "p5.48xlarge",
        "architecture": "x86_64",
        "accelerator": "nvidia",
        "accelerator_count": 8,
        "accelerator_memory_mib": 81920,
        "gpu_product": "H100",
        "has_nvlink": True,
        "has_nvswitch": True,
        "efa_devices": 32,
        "local_disks": 8,
        "software_set": "2026.11",
        "software_hash": "0123456789ab",
        "versions": VERSIONS,
        "environment": {"NCCL_DEBUG": "WARN"},
        "artifacts": make_artifacts(),
        "mounts": (LUSTRE, HOMES),
    }
    return NodeContext(**(plain | changes))


PLAIN = {
    "instance_type": "m7i.2xlarge",
    "accelerator": None,
    "accelerator_count": 0,
    "accelerator_memory_mib": 0,
    "gpu_product": "",
    "has_nvlink": False,
    "has_nvswitch": False,
    "efa_devices": 0,
    "local_disks": 0,
    "mounts": (HOMES,),
    "versions": {name: VERSIONS[name] for name in ("enroot", "pyxis", "node-exporter")},
}
KUBERNETES: dict[str, Any] = {"role": "worker", "operating_system": "al2023", "mounts": (), "artifacts": ()}
NODES: dict[str, dict[str, Any]] = {
    "eks worker": {"orchestrator": "eks", **KUBERNETES},
    "eks system": {**PLAIN, "orchestrator": "eks", **KUBERNETES, "versions": {}},
    "hyperpod-eks worker": {"orchestrator": "hyperpod-eks", **KUBERNETES},
    "hyperpod-slurm controller": {**PLAIN, "role": "controller"},
    "hyperpod-slurm login": {**PLAIN, "role": "login"},
    "hyperpod-slurm compute": {},
    "pcs login": {**PLAIN, "orchestrator": "pcs", "role": "login", "operating_system": "ubuntu-24.04"},
    "pcs compute": {"orchestrator": "pcs", "operating_system": "ubuntu-24.04"},
    "pcs compute, al2023": {
        "orchestrator": "pcs",
        "operating_system": "al2023",
        "versions": {name: each for name, each in VERSIONS.items() if name != "enroot"} | {"enroot": "3.5.0"},
    },
}


class ScratchNode:
    """A node in a folder."""

    def __init__(self, folder: Path, context: NodeContext, files: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.state = folder / "state"
        self.boot_id = "first-boot"
        for name in ("answers", "programs", "state", "s3", "web", "root/etc"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self._link_programs()
        self._make_image(context)
        self.set_bundle(context, files)

    def set_bundle(self, context: NodeContext, files: Mapping[str, str] | None = None) -> None:
        """Give the node another bundle; steps of Slurm and the verification are tested elsewhere."""
        self.context = context
        bundle = render_bundle(context)
        planned = [line.split("|")[0] for line in bundle.own["plan"].splitlines()]
        stubs = {f"steps/{name}.sh": "true\n" for name in planned if name.startswith("slurm-")}
        changed = {**stubs, "verify_node.py": VERIFIED, **(files or {})}
        target = self.root / "opt" / "clusterwright"
        shutil.rmtree(target, ignore_errors=True)
        bundle.write(target)
        for name, text in changed.items():
            (target / name).write_text(text)

    def _link_programs(self) -> None:
        programs = self.folder / "programs"
        for name in REAL_TOOLS:
            if found := shutil.which(name):
                (programs / name).symlink_to(found)
        (programs / "python3").symlink_to(Path(sys.executable).resolve())
        fakes = [path.name for path in FAKES.iterdir() if path.name not in ("record", "install_package")]
        for name in [*fakes, *PLAIN_FAKES]:
            (programs / name).symlink_to(FAKES / "record")

    def _make_image(self, context: NodeContext) -> None:
        """An image with the driver and what belongs to it, and without EFA, GDRCopy, enroot and pyxis."""
        name, _, version = context.operating_system.partition("-")
        release = ("amzn", "2023") if name == "al2023" else (name, version)
        self.write("etc/os-release", f'ID="{release[0]}"\nVERSION_ID="{release[1]}"\n')
        self.write("etc/fstab", "LABEL=cloudimg-rootfs / ext4 defaults 0 1\n")
        self.remember("kernel", KERNEL)
        self.remember("architecture", context.architecture.replace("arm64", "aarch64"))
        model = "Amazon EC2 NVMe Instance Storage"
        self.remember(
            "disks",
            "/dev/nvme0n1 Amazon Elastic Block Store",
            *(f"/dev/nvme{n + 1}n1 {model}" for n in range(context.local_disks)),
        )
        self.remember(
            "available",
            f"lustre-client-modules-{KERNEL} 2.15.6",
            "lustre-client-utils 2.15.6",
            "lustre-client 2.15.6",
            "nfs-common 1",
            "enroot 3.5.0",
        )
        self.remember(
            "units",
            "docker",
            "containerd",
            "nvidia-persistenced",
            "nvidia-dcgm",
            "unattended-upgrades",
            "nvidia-fabricmanager",
        )
        self.remember("active", "docker", "containerd")
        self.remember("packages", f"linux-image-{KERNEL} 1", "kernel 6.12")
        self.remember("module-efa", "3.3.0g")
        if context.orchestrator == "eks" and context.local_disks:
            self.remember("disk_mounts", "/mnt/k8s-disks/0")
        if context.accelerator == "nvidia":
            self.remember("driver", DRIVER)
            self.remember("toolkit", "1.19.1")
            self.remember(
                "packages",
                f"linux-image-{KERNEL} 1",
                "kernel 6.12",
                f"nvidia-fabricmanager {DRIVER}",
                "datacenter-gpu-manager-4-core 1:4.5.3",
                "libnccl-ofi 1.21.1",
            )
            self.remember("libraries", "\tlibnccl.so.2 (libc6,x86-64) => /usr/local/cuda/lib/libnccl.so.2")
            self.write(
                "usr/local/cuda-13.0/version.json", '{"cuda" : {"name" : "CUDA SDK", "version" : "13.0.2"}}'
            )
            (self.root / "usr/local/cuda").symlink_to("cuda-13.0")
            self.write("usr/local/cuda-13.0/lib/libnccl.so.2.31.2", "")
            (self.root / "usr/local/cuda-13.0/lib/libnccl.so.2").symlink_to("libnccl.so.2.31.2")
        slurm = (
            "opt/slurm" if context.orchestrator == "hyperpod-slurm" else "opt/aws/pcs/scheduler/slurm-25.11"
        )
        self.write(f"{slurm}/include/slurm/spank.h", "")
        (self.root / "sys/bus/pci/drivers/efa").mkdir(parents=True)
        for number in range(context.efa_devices):
            device = self.root / f"sys/class/infiniband/rdmap{number:02}s0/device"
            device.mkdir(parents=True)
            (device / "driver").symlink_to(self.root / "sys/bus/pci/drivers/efa")

    def write(self, path: str, text: str) -> None:
        """Write a file of the node."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def read(self, path: str) -> str:
        """The text of a file of the node."""
        return (self.root / path).read_text()

    def remember(self, name: str, *lines: str) -> None:
        """What the fakes know."""
        (self.state / name).write_text("".join(f"{line}\n" for line in lines))

    def answer(self, name: str, text: str) -> None:
        """Make a program answer otherwise: a piece of bash."""
        (self.folder / "answers" / name).write_text(text)

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of a run: nothing of this machine's."""
        return {
            "PATH": str(self.folder / "programs"),
            "CW_ROOT": str(self.root),
            "CW_BOOT_ID": self.boot_id,
            "CW_RETRY_SECONDS": "0",
            "CW_LOCK_POLL_SECONDS": "0.1",
            "FAKE_CALLS": str(self.folder / "calls"),
            "FAKE_ANSWERS": str(self.folder / "answers"),
            "FAKE_DEFAULTS": str(FAKES),
            "FAKE_STATE": str(self.state),
            "FAKE_S3": str(self.folder / "s3"),
            "FAKE_WEB": str(self.folder / "web"),
            **more,
        }

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run the plan; the calls of earlier runs are forgotten."""
        (self.folder / "calls").write_text("")
        return subprocess.run(
            ["bash", str(self.root / "opt/clusterwright/run.sh"), *arguments],
            env=self.environment(**more),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            stdin=subprocess.DEVNULL,
        )

    def start(self, **more: str) -> subprocess.Popen[str]:
        """Start the plan in a session of its own, so that a test can kill it."""
        (self.folder / "calls").write_text("")
        return subprocess.Popen(
            ["bash", str(self.root / "opt/clusterwright/run.sh")],
            env=self.environment(**more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def reboot(self) -> None:
        """Forget what a machine forgets: mounts, running services, loaded modules, networks, /run."""
        self.boot_id = f"{self.boot_id}-again"
        for name in [
            "mounts",
            "array_runs",
            "active",
            "udsp",
            *(path.name for path in self.state.glob("net-*")),
        ]:
            (self.state / name).unlink(missing_ok=True)
        shutil.rmtree(self.root / "run", ignore_errors=True)

    @property
    def calls(self) -> list[str]:
        """What the last run called, in order."""
        return (self.folder / "calls").read_text().replace(str(self.root), "").splitlines()

    def called(self, start: str) -> list[str]:
        """The calls that begin so."""
        return [call for call in self.calls if call.startswith(start)]

    @property
    def status(self) -> dict[str, Any]:
        """The status file."""
        status: dict[str, Any] = json.loads(self.read("var/lib/clusterwright/status.json"))
        return status

    @property
    def events(self) -> list[dict[str, Any]]:
        """The log for machines."""
        return [json.loads(line) for line in self.read("var/log/clusterwright/lifecycle.jsonl").splitlines()]


def make_node(folder: Path, files: Mapping[str, str] | None = None, **changes: Any) -> ScratchNode:
    """A node with a mirror in S3."""
    digest = write_mirror(folder / "s3" / "mirror" / "set")
    mirror = MirrorContext(url="s3://mirror/set", manifest_sha256=digest)
    return ScratchNode(folder, make_context(**({"mirror": mirror} | changes)), files)


def tell(result: subprocess.CompletedProcess[str]) -> str:
    """The last line on stderr."""
    return result.stderr.splitlines()[-1]

"""A node that is not there: a scratch root with /sys and /proc, and tools that answer as real ones do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from tool_outputs import DRIVER, EFA_PACKAGES, GB200, H200, LNET_OVER_EFA, Gpus, nvidia_smi

from clusterwright.config.loading import load_cluster
from clusterwright.examples import example_path
from clusterwright.node_context import make_node_contexts
from clusterwright.resolution import resolve
from clusterwright.software import select
from clusterwright_lifecycle.contexts import MountContext, NodeContext
from clusterwright_lifecycle.expectations import make_expectations
from clusterwright_lifecycle.verify.assembly import assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VERSIONS = dict(select("2026.11").versions) | {"slurm": "25.11.8"}
KERNEL = "6.8.0-1044"


def slurm_node(example: str = "eks-h200", pool: str = "train", **changes: Any) -> NodeContext:
    """A compute node of Slurm with the hardware of an example's pool: there all is on the node itself."""
    node = make_node_contexts(resolve(load_cluster(example_path(example))))[pool]
    absent = {"eks-ami", "hyperpod-eks-image", "nvlsm", *(() if node.has_imex else ("imex",))}
    absent |= set() if node.has_nvswitch else {"fabric-manager"}
    absent |= {name for name in VERSIONS if name.startswith("neuron")}
    lustre = MountContext(
        kind="lustre", dns_name="fs-1.fsx.aws", export="abcdefgh", path="/fsx", has_efa=True
    )
    home = MountContext(kind="openzfs", dns_name="fs-2.fsx.aws", export="/fsx", path="/home")
    fields: dict[str, Any] = {
        "orchestrator": "hyperpod-slurm",
        "role": "compute",
        "operating_system": "ubuntu-22.04",
        "local_path": "/scratch",
        "mounts": (lustre, home),
        "versions": {name: version for name, version in VERSIONS.items() if name not in absent},
        "origins": {"kernel": "the image hyperpod-image 2026-07-09"},
        "kernel": KERNEL,
    }
    return node.model_copy(update=fields | changes)


class FakeNode:
    """A healthy node of a context, which tests then damage."""

    def __init__(self, folder: Path, node: NodeContext, gpus: Gpus) -> None:
        self.root, self.bin = folder / "root", folder / "bin"
        self.bin.mkdir()
        self.gpus = gpus
        self.expected = make_expectations(node)
        self.library = folder / "lib"
        self.library.mkdir()
        self._set_up_versions(self.expected["versions"])
        self._set_up_devices(node)

    def write(self, path: str, text: str) -> None:
        """Write a file below the root."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def tool(self, name: str, answers: Mapping[str, str] | str, code: int = 0) -> None:
        """Put a tool on PATH that answers by a part of its arguments."""
        answers = {"": answers} if isinstance(answers, str) else answers
        cases = "".join(
            f"  *{quote(part)}*) /bin/cat <<'END_OF_ANSWER'\n{text.rstrip(chr(10))}\nEND_OF_ANSWER\n;;\n"
            for part, text in answers.items()
        )
        self.script(name, f'case "$*" in\n{cases}  *) exit 9 ;;\nesac\nexit {code}\n')

    def script(self, name: str, text: str) -> None:
        """Put a tool on PATH that runs a script."""
        (self.bin / name).write_text(f"#!/bin/sh\n{text}")
        (self.bin / name).chmod(0o755)

    def _set_up_versions(self, versions: Mapping[str, str]) -> None:
        get = versions.get
        self.write("/proc/sys/kernel/osrelease", f"{get('kernel') or KERNEL}-aws\n")
        self.write("/proc/driver/nvidia/version", DRIVER.format(version=get("nvidia-driver")))
        self.write("/sys/module/efa/version", f"{get('efa-driver')}g\n")
        self.write("/sys/module/gdrdrv/version", f"{get('gdrcopy')}\n")
        self.write("/sys/module/lustre/version", f"{str(get('lustre-client')).partition('-')[0]}\n")
        cuda = str(get("cuda")).replace("U", ".")
        self.write("/usr/local/cuda/version.json", json.dumps({"cuda": {"name": "SDK", "version": cuda}}))
        names = {"installer": "efa-installer", "driver": "efa-driver", "libfabric": "libfabric"}
        listed = {field: get(name) for field, name in names.items()}
        rdma = f"{str(get('rdma-core')).partition('.')[0]}.amzn0"
        self.write("/opt/amazon/efa_installed_packages", EFA_PACKAGES.format(**listed, rdma_core=rdma))
        plugin = f"\x7fELF\0NET/OFI Initializing aws-ofi-nccl {get('aws-ofi-nccl')}\0ncclNetPlugin_v10\0"
        self.write("/opt/amazon/ofi-nccl/lib/libnccl-net-ofi.so", plugin)
        self.tool(
            "fi_info", f"fi_info: {get('libfabric')}\nlibfabric: {get('libfabric')}\nlibfabric api: 2.6"
        )
        self.tool("nv-fabricmanager", f"\n\tFabric Manager version is : {get('fabric-manager')}\n")
        if "imex" in versions:
            self.tool("nvidia-imex", f"IMEX version is: {get('imex')}")
        self.tool("dcgmi", f"dcgmi  version: {get('dcgm')}")
        ctk = get("container-toolkit")
        self.tool(
            "nvidia-ctk",
            f"NVIDIA Container Toolkit CLI version {ctk}\ncommit: f8daa5e26de9fd7eb79259040b6dd5a52060048c",
        )
        self.tool("enroot", str(get("enroot")))
        self.tool("slurmd", f"slurm {get('slurm')}")
        self.tool("node_exporter", f"node_exporter, version {get('node-exporter')} (branch: HEAD)")
        self.tool("dpkg-query", {"pyxis": f"{get('pyxis')}-1"})
        self.set_nccl(get("nccl"))

    def set_nccl(self, version: str | None) -> None:
        """Compile a library that tells this version, and let jobs' loader find it."""
        major, minor, patch = (int(each) for each in str(version or "2.0.0").split("-")[0].split("."))
        source = f"int ncclGetVersion(int *v) {{ *v = {major * 10000 + minor * 100 + patch}; return 0; }}\n"
        target = self.library / "libnccl.so.2"
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(target)]
        subprocess.run(command, input=source, text=True, check=True, capture_output=True)
        self.expected["environment"]["LD_LIBRARY_PATH"] = str(self.library)

    def _set_up_devices(self, node: NodeContext) -> None:
        self.tool("nvidia-smi", nvidia_smi(self.gpus))
        for number in range(node.efa_devices):
            self.add_infiniband(f"rdmap{number}s0", "0x1d0f")
        self.write(
            "/proc/mounts",
            "/dev/root / ext4 rw 0 0\n/dev/md127 /scratch/0 xfs rw 0 0\n"
            "10.0.0.5@tcp:/abcdefgh /fsx lustre rw,noatime 0 0\n"
            "fs-2.fsx.aws:/fsx /home nfs4 rw,vers=4.2 0 0\n",
        )
        self.tool("lnetctl", LNET_OVER_EFA)
        self.tool("systemctl", "active")
        self.tool("timedatectl", "yes")

    def add_infiniband(self, name: str, vendor: str, state: str = "4: ACTIVE") -> None:
        """Add a device to /sys/class/infiniband."""
        self.write(f"/sys/class/infiniband/{name}/device/vendor", f"{vendor}\n")
        self.write(f"/sys/class/infiniband/{name}/ports/1/state", f"{state}\n")

    def run(
        self, *arguments: str, python: str = sys.executable, stdout: Any = subprocess.PIPE
    ) -> subprocess.CompletedProcess[str]:
        """Run the script as a node runs it."""
        bundle = self.bin.parent / "bundle"
        bundle.mkdir(exist_ok=True)
        (bundle / "verify_node.py").write_text(assemble())
        (bundle / "expected.json").write_text(json.dumps(self.expected))
        command = [python, "-I", str(bundle / "verify_node.py"), "--root", str(self.root), *arguments]
        return subprocess.run(
            command,
            env={"PATH": str(self.bin)},
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )

    def report(self, *arguments: str) -> dict[str, Any]:
        """The report of a run."""
        result = self.run(*arguments)
        assert "Traceback" not in result.stderr
        assert result.stdout, result.stderr
        report: dict[str, Any] = json.loads(result.stdout)
        assert result.returncode == (0 if report["state"] == "ok" else 1)
        return report


@pytest.fixture
def make_node(tmp_path: Path) -> Callable[..., FakeNode]:
    """How to make a healthy node."""

    def make(node: NodeContext | None = None, gpus: Gpus = H200) -> FakeNode:
        return FakeNode(tmp_path, node or slurm_node(), gpus)

    return make


@pytest.fixture
def h200(make_node: Callable[..., FakeNode]) -> FakeNode:
    """A healthy p5en.48xlarge."""
    return make_node()


@pytest.fixture
def gb200(make_node: Callable[..., FakeNode]) -> FakeNode:
    """A healthy p6e-gb200.36xlarge."""
    return make_node(slurm_node("eks-gb200"), GB200)

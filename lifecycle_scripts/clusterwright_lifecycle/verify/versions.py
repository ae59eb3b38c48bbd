"""Which version of a component a node has: one function each, which tells it or raises why it cannot."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

from clusterwright_lifecycle.verify.node import (
    MissingError,
    SilentError,
    TroubleError,
    is_version,
    search,
    shorten,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusterwright_lifecycle.verify.node import Node

PLUGIN_FILES = (
    "/opt/amazon/ofi-nccl/lib*/libnccl-net-ofi.so",
    "/opt/amazon/ofi-nccl/lib*/libnccl-net.so",
    "/opt/amazon/ofi-nccl/lib*/*-linux-gnu/libnccl-net.so",
)
"""Where EFA's installer puts the plugin: from 1.44 on, and before; the first that is there counts."""

PYXIS_FILES = (
    "/usr/local/lib/slurm/spank_pyxis.so",
    "/opt/slurm/lib/slurm/spank_pyxis.so",
    "/opt/aws/pcs/scheduler/slurm-*/lib/slurm/spank_pyxis.so",
    "/usr/lib*/slurm*/spank_pyxis.so",
    "/usr/lib/*-linux-gnu/slurm*/spank_pyxis.so",
)
"""Where Slurm's plugins are: our build, the images of HyperPod and PCS, packages of distributions."""

SLURM_FOLDERS = ("/opt/slurm", "/opt/aws/pcs/scheduler/slurm-*")
"""Where HyperPod's image has Slurm, and PCS's, which has several; PATH has that of distributions."""

ASK_SLURM = (("sbin/slurmd", "-V"), ("sbin/slurmctld", "-V"), ("bin/sinfo", "--version"))
"""What tells Slurm's version. The clients come last: without a configuration they end in an error, even when
only asked for their version (seen with Slurm 22.05.8, 2026-11-21), and at boot there may be none yet."""

EFA_PACKAGES = "/opt/amazon/efa_installed_packages"
"""The list that EFA's installer leaves."""

ASK_NCCL = """
import ctypes
version = ctypes.c_int()
assert ctypes.CDLL("libnccl.so.2").ncclGetVersion(ctypes.byref(version)) == 0
number = version.value
print("NCCL", ".".join(map(str, (number // 10000, number // 100 % 100, number % 100))))
"""
"""Asks the library that a job would load, in a process of its own, which it may crash.

A package's version says nothing of what is loaded. From 2.9 on, the number is major * 10000 + minor * 100 +
patch (nccl.h, NCCL_VERSION).
"""


def ask_module(name: str) -> Callable[[Node], str]:
    """How to find the version of a kernel module: of the loaded one, not of the file that is next."""

    def ask(node: Node) -> str:
        if not node.find(f"/sys/module/{name}"):
            raise MissingError(f"the kernel module {name} is not loaded")
        return node.read(f"/sys/module/{name}/version")

    return ask


def ask_tool(pattern: str, *command: str) -> Callable[[Node], str]:
    """How to find the version that a tool tells of itself."""
    return lambda node: search(pattern, node.run(*command), " ".join(command))


def ask_package(*names: str) -> Callable[[Node], str]:
    """How to find the version of the first of some packages that is installed, by dpkg or rpm."""

    def ask(node: Node) -> str:
        for name in names:
            for query in (("dpkg-query", "-W", "-f", "${Version}"), ("rpm", "-q", "--qf", "%{VERSION}")):
                try:
                    return search(r"^([0-9]\S*)$", node.run(*query, name), query[0])
                except (MissingError, TroubleError):
                    continue
        raise MissingError(f"no package {' or '.join(names)} is installed")

    return ask


def ask_efa(pattern: str) -> Callable[[Node], str]:
    """How to find a version in the list of EFA's installer."""
    return lambda node: search(pattern, node.read(EFA_PACKAGES), EFA_PACKAGES)


def ask_driver(node: Node) -> str:
    """The loaded module's version: after an upgrade without a reboot, that of the library is another."""
    file = "/proc/driver/nvidia/version"
    return search(r"Kernel Module.*?\s([0-9]+\.[0-9.]+)(?:\s|$)", node.read(file), file)


def ask_cuda(node: Node) -> str:
    """The toolkit's version; what nvidia-smi calls CUDA version is the newest that the driver takes."""
    file = "/usr/local/cuda/version.json"
    try:
        return str(json.loads(node.read(file))["cuda"]["version"])
    except (ValueError, KeyError, TypeError):
        raise TroubleError(f"{file} names no version") from None


def ask_nccl(node: Node) -> str:
    """The version of the library that the loader finds with the environment of jobs."""
    try:
        return search(
            r"NCCL ([0-9.]+)", node.run(sys.executable or "python3", "-c", ASK_NCCL), "libnccl.so.2"
        )
    except TroubleError as error:
        if "cannot open shared object" in str(error):
            raise MissingError("the loader finds no libnccl.so.2") from None
        raise


def ask_plugin(node: Node) -> str:
    """The version that is written in the plugin's file, which logs it when it starts."""
    files = [path for pattern in PLUGIN_FILES for path in node.find(pattern)]
    if not files:
        raise MissingError("there is no libnccl-net-ofi.so below /opt/amazon/ofi-nccl")
    found = re.search(rb"aws-ofi-nccl[ -]v?([0-9]+\.[0-9.]+)", files[0].read_bytes())
    if found is None:
        raise TroubleError(f"{files[0].name} names no version: is it the plugin?")
    return found[1].decode()


def ask_pyxis(node: Node) -> str:
    """The version of the package; of a plugin that was built from source, what its file says, if anything."""
    try:
        return ask_package("nvslurm-plugin-pyxis", "pyxis")(node)
    except MissingError:
        files = [path for pattern in PYXIS_FILES for path in node.find(pattern)]
    if not files:
        raise MissingError("there is no spank_pyxis.so among Slurm's plugins")
    found = re.search(rb"pyxis[^\0]{0,20}version v?([0-9]+\.[0-9.]+)", files[0].read_bytes())
    if found is None:
        raise SilentError(f"{files[0].name} is there, and tells no version")
    return found[1].decode()


def ask_slurm(node: Node) -> list[str]:
    """The versions of all Slurms on the node: an image for PCS has several, of which PCS starts one."""
    trouble: Exception = MissingError("neither slurmd nor slurmctld nor sinfo is installed")
    for tool, option in ASK_SLURM:
        places = [path for folder in SLURM_FOLDERS for path in node.find(f"{folder}/{tool}")]
        told: list[str] = []
        for program in (tool.rpartition("/")[2], *map(str, places)):
            try:
                told.append(search(r"^slurm\S* ([0-9.]+)", node.run(program, option), program))
            except MissingError:
                continue
            except TroubleError as error:
                trouble = error
        if told:
            return list(dict.fromkeys(told))
    raise trouble


VERSIONS: dict[str, Callable[[Node], str | list[str]]] = {
    "kernel": lambda node: node.read("/proc/sys/kernel/osrelease"),
    "nvidia-driver": ask_driver,
    "fabric-manager": ask_tool(r"version is\s*:\s*([0-9.]+)", "nv-fabricmanager", "--version"),
    "imex": ask_tool(r"([0-9]+\.[0-9.]+)", "nvidia-imex", "--version"),
    "nvlsm": ask_package("nvlsm"),
    "cuda": ask_cuda,
    "efa-installer": ask_efa(r"EFA installer version: *([0-9.]+)"),
    "efa-driver": ask_module("efa"),
    "libfabric": ask_tool(r"libfabric: *([0-9]\S+)", "fi_info", "--version"),
    "rdma-core": ask_efa(r"rdma-core[-_]([0-9][^-_\s]*)"),
    "aws-ofi-nccl": ask_plugin,
    "nccl": ask_nccl,
    "gdrcopy": ask_module("gdrdrv"),
    "dcgm": ask_tool(r"version: *([0-9.]+)", "dcgmi", "--version"),
    "container-toolkit": ask_tool(r"version ([0-9.]+)", "nvidia-ctk", "--version"),
    "enroot": ask_tool(r"^([0-9.]+)", "enroot", "version"),
    "pyxis": ask_pyxis,
    "slurm": ask_slurm,
    "lustre-client": ask_module("lustre"),
    "neuron-driver": ask_module("neuron"),
    "neuron-runtime": ask_package("aws-neuronx-runtime-lib"),
    "neuron-collectives": ask_package("aws-neuronx-collectives"),
    "neuron-tools": ask_package("aws-neuronx-tools"),
    "node-exporter": ask_tool(r"version ([0-9.]+)", "node_exporter", "--version"),
}
"""How the version of each component is found."""


def look_up(component: str, node: Node, wanted: str = "") -> tuple[str, str]:
    """A component's version and ``ok``; else why there is none, and ``missing``, ``untold`` or ``skipped``.

    Args:
        component: Its name.
        node: The node.
        wanted: The version that counts where there are several; all of them are told where it is not there.
    """
    if component not in VERSIONS:
        return "nothing on a node tells it", "skipped"
    try:
        found = VERSIONS[component](node)
    except MissingError as error:
        return shorten(str(error)), "missing"
    except SilentError as error:
        return shorten(str(error)), "skipped"
    except Exception as error:  # noqa: BLE001  garbage may break a probe in ways that nobody thought of
        return shorten(str(error)) or type(error).__name__, "untold"
    if isinstance(found, str):
        return found, "ok"
    return next((each for each in found if is_version(wanted, each)), ", ".join(found)), "ok"

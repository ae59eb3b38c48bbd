"""Environment variables that people still set, and that do harm on modern stacks."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from clusterwright.software.conditions import AllOf, AtLeast, OnVendor, WithEfa
from clusterwright.software.situations import Situation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.errors import Severity
    from clusterwright.software.conditions import Condition
    from clusterwright.software.selection import Software
    from clusterwright.software.situations import Target

_CHEATSHEET = "aws/aws-ofi-nccl, doc/efa-env-var.md, August 2026"
_NOTES = "aws/aws-ofi-nccl, RELEASENOTES of v1.16.0, June 2025"
_NCCL = "NVIDIA/nccl, src/plugin/net.cc, 2026"
_NGC = "NVIDIA/exemplar-performance#39, 2026-03-11"
_GPU_OVER_EFA = (OnVendor("nvidia"), WithEfa())


@dataclass(frozen=True, slots=True)
class HarmfulSetting:
    """A variable that should not be set.

    Attributes:
        code: ``SOF`` and a number; never reused.
        severity: ``error`` where jobs fail or a better choice is overruled, ``warning`` where it has no use.
        title: What is wrong when it is set, as a sentence.
        names: Shell patterns of the variable's name.
        values: Shell patterns of the values that do harm.
        condition: Where it does.
        effect: What then happens, as the end of a sentence.
        fix: What to do.
        source: Who says so.
        harmless: Shell patterns of values that do none, among those.
    """

    code: str
    severity: Severity
    title: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    condition: Condition
    effect: str
    fix: str
    source: str
    harmless: tuple[str, ...] = ()

    def matches(self, name: str, value: str) -> bool:
        """Whether a setting is the one."""
        low = value.strip().lower()
        return (
            any(fnmatchcase(name, each) for each in self.names)
            and any(fnmatchcase(low, each) for each in self.values)
            and not any(fnmatchcase(low, each) for each in self.harmless)
        )


HARMFUL_SETTINGS: tuple[HarmfulSetting, ...] = (
    HarmfulSetting(
        "SOF601",
        "error",
        "`FI_EFA_USE_DEVICE_RDMA` turns RDMA off for GPUs.",
        ("FI_EFA_USE_DEVICE_RDMA",),
        ("0", "false", "no", "off"),
        AllOf(*_GPU_OVER_EFA, AtLeast("libfabric", "1.18"), AtLeast("aws-ofi-nccl", "1.7")),
        "libfabric's choice, right for each type since 1.18, is overruled: all goes through host memory",
        "remove it",
        f"{_CHEATSHEET}; libfabric, fi_efa(7)",
    ),
    HarmfulSetting(
        "SOF602",
        "warning",
        "`FI_EFA_FORK_SAFE` is set.",
        ("FI_EFA_FORK_SAFE",),
        ("*",),
        AllOf(WithEfa(), AtLeast("libfabric", "1.18")),
        "it does nothing on kernels from 5.15 on, and no node has an older one",
        "remove it",
        f"{_CHEATSHEET}; AWS Neuron documentation, nrt-troubleshoot, August 2026",
    ),
    HarmfulSetting(
        "SOF603",
        "error",
        "A variable of rdma-core is set.",
        ("RDMAV_*",),
        ("*",),
        AllOf(WithEfa()),
        "it acts below libfabric, unknown to it, and RDMAV_FORK_SAFE breaks things on newer kernels",
        "remove it",
        _CHEATSHEET,
    ),
    HarmfulSetting(
        "SOF604",
        "error",
        "`NCCL_PROTO` forces the simple protocol.",
        ("NCCL_PROTO",),
        ("simple",),
        AllOf(*_GPU_OVER_EFA, AtLeast("aws-ofi-nccl", "1.6")),
        "the other protocols are off, and with them what the plugin's tuner picks for small messages",
        "remove it; it was needed up to aws-ofi-nccl 1.5",
        _CHEATSHEET,
    ),
    HarmfulSetting(
        "SOF605",
        "error",
        "A size is set that aws-ofi-nccl chooses itself.",
        (
            "NCCL_BUFFSIZE",
            "NCCL_P2P_NET_CHUNKSIZE",
            "NCCL_NVLSTREE_MAX_CHUNKSIZE",
            "NCCL_NVLS_CHUNKSIZE",
            "NCCL_MIN_CHANNELS",
            "NCCL_MIN_NCHANNELS",
        ),
        ("*",),
        AllOf(*_GPU_OVER_EFA, AtLeast("aws-ofi-nccl", "1.16")),
        "the plugin's value for the instance type is overruled, and EFA gets messages of the wrong size",
        "remove it",
        f"{_CHEATSHEET}; {_NOTES}",
    ),
    HarmfulSetting(
        "SOF606",
        "error",
        "`NCCL_SOCKET_IFNAME` names interfaces.",
        ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME"),
        ("eth[0-9]*", "=eth[0-9]*", "en[psx][0-9a-f]*", "=en[psx][0-9a-f]*"),
        AllOf(OnVendor("nvidia")),
        "NCCL finds no socket interface where the image calls it otherwise, and the job does not start",
        'remove it, or exclude what must not be used: "^docker,lo,veth"',
        "awslabs/awsome-distributed-ai, efa-cheatsheet.md, July 2026",
    ),
    HarmfulSetting(
        "SOF607",
        "error",
        "`NCCL_NET_PLUGIN` names a plugin that the EFA installer does not install.",
        ("NCCL_NET_PLUGIN",),
        ("aws-ofi", "libnccl-net-aws-ofi.so"),
        AllOf(*_GPU_OVER_EFA),
        "NCCL looks for libnccl-net-aws-ofi.so, finds none, and falls back to TCP without an error",
        'remove it, or write "ofi"',
        _NGC,
    ),
    HarmfulSetting(
        "SOF608",
        "error",
        "`FI_PROVIDER` names a provider other than EFA.",
        ("FI_PROVIDER",),
        ("*",),
        AllOf(WithEfa()),
        "libfabric does not use EFA, and traffic between nodes goes over TCP or not at all",
        "remove it; aws-ofi-nccl from 1.6 on picks EFA itself",
        _CHEATSHEET,
        harmless=("", "efa*", "*[,;]efa*"),
    ),
    HarmfulSetting(
        "SOF609",
        "warning",
        "`FI_PROVIDER=efa` is set for GPUs.",
        ("FI_PROVIDER",),
        ("efa",),
        AllOf(*_GPU_OVER_EFA, AtLeast("aws-ofi-nccl", "1.6")),
        "it has no use for NCCL, and binds every other program that uses libfabric to EFA",
        "remove it; it was needed up to aws-ofi-nccl 1.5",
        _CHEATSHEET,
    ),
    HarmfulSetting(
        "SOF610",
        "error",
        "`LD_LIBRARY_PATH` holds the directory of aws-ofi-nccl from before EFA installer 1.44.",
        ("LD_LIBRARY_PATH",),
        ("*/opt/amazon/ofi-nccl/lib/*-linux-gnu*", "*/opt/aws-ofi-nccl/*"),
        AllOf(*_GPU_OVER_EFA, AtLeast("efa-installer", "1.44")),
        "NCCL does not find the plugin, and falls back to TCP",
        "write /opt/amazon/ofi-nccl/lib on Ubuntu, /opt/amazon/ofi-nccl/lib64 on Amazon Linux, or nothing",
        "aws/deep-learning-containers, install_efa.sh, August 2026",
    ),
    HarmfulSetting(
        "SOF611",
        "warning",
        "`FI_EFA_USE_DEVICE_RDMA` is set for GPUs.",
        ("FI_EFA_USE_DEVICE_RDMA",),
        ("*",),
        AllOf(*_GPU_OVER_EFA, AtLeast("libfabric", "1.18"), AtLeast("aws-ofi-nccl", "1.7")),
        "it is of no use where libfabric turns RDMA on itself, and an error on types without it",
        "remove it",
        f"{_CHEATSHEET}; libfabric, fi_efa(7)",
        harmless=("0", "false", "no", "off"),
    ),
    HarmfulSetting(
        "SOF612",
        "error",
        "`NCCL_NET` names a network other than that of aws-ofi-nccl.",
        ("NCCL_NET",),
        ("socket", "ib"),
        AllOf(*_GPU_OVER_EFA),
        "NCCL does not use the plugin, and so not EFA: traffic between nodes goes over TCP, or nowhere",
        "remove it",
        _NCCL,
    ),
    HarmfulSetting(
        "SOF613",
        "error",
        "`NCCL_NET_PLUGIN` turns plugins off.",
        ("NCCL_NET_PLUGIN",),
        ("none", ""),
        AllOf(*_GPU_OVER_EFA),
        "NCCL does not load aws-ofi-nccl, and so does not use EFA: traffic between nodes goes over TCP",
        'remove it, or write "ofi"',
        _NCCL,
    ),
)
"""In the order of their codes."""


def harmful_names(
    setting: HarmfulSetting, environment: Mapping[str, str], software: Software, target: Target
) -> tuple[str, ...]:
    """The variables that are the one, on nodes where it does harm."""
    situation = Situation.of(software.versions, target, frozenset(software.overrides))
    names = tuple(name for name, value in environment.items() if setting.matches(name, value))
    return names if names and setting.condition.holds(situation) else ()

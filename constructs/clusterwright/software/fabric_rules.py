"""Rules on EFA, libfabric, aws-ofi-nccl and NCCL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.software.compatibility import CompatibilityRule as Rule
from clusterwright.software.conditions import (
    AllOf,
    AnyOf,
    AtLeast,
    Below,
    DiffersFromBundle,
    Equals,
    OnAccelerator,
    OnArchitecture,
    OnFamily,
    OnOrchestrator,
    OnVendor,
    OutsideSeries,
    OverridesImage,
    WithEfa,
)

if TYPE_CHECKING:
    from clusterwright.software.conditions import Condition

_NOTES = "aws/aws-ofi-nccl, RELEASENOTES up to v1.21.1, August 2026"
_EFA = "Amazon EC2 user guide, EFA changelog, November 2026"
_GPU_OVER_EFA = (OnVendor("nvidia"), WithEfa())

_TESTED = (
    ("SOF321", "1.16", "1.17", ("2.27",)),
    ("SOF322", "1.17", "1.18", ("2.28",)),
    ("SOF323", "1.18", "1.19", ("2.29",)),
    ("SOF324", "1.19", "1.20", ("2.27", "2.28", "2.29")),
    ("SOF325", "1.20", "1.21", ("2.28", "2.29", "2.30")),
    ("SOF326", "1.21", "1.22", ("2.31",)),
    ("SOF327", "1.13", "1.14", ("2.23",)),
    ("SOF328", "1.14", "1.15", ("2.26",)),
    ("SOF329", "1.15", "1.16", ("2.26",)),
)
"""Series of the plugin, the series after it, and the series of NCCL that it was tested with."""

_NEEDS = (
    ("SOF311", "B200", "1.15.0", "knows the topology of P6-B200"),
    ("SOF312", "B300", "1.18.0", "is tuned for P6-B300"),
    ("SOF313", "RTX PRO Server 6000", "1.17.2", "knows g7e"),
    ("SOF314", "GB200", "1.19.0", "reads GB200's topology rightly inside containers"),
    ("SOF315", "GB300", "1.19.0", "reads the topology of Grace nodes rightly inside containers"),
)
"""Accelerators, and the first plugin made for each."""


def _tested(code: str, plugin: str, following: str, series: tuple[str, ...]) -> Rule:
    names = " or ".join(series)
    return Rule(
        code,
        "warning",
        f"`aws-ofi-nccl` {plugin} was not tested with this series of NCCL.",
        AllOf(
            *_GPU_OVER_EFA,
            AtLeast("aws-ofi-nccl", plugin),
            Below("aws-ofi-nccl", following),
            OutsideSeries("nccl", series),
        ),
        "NCCL falls back to the newest interface that both know; features are lost, and nobody has tried it",
        f"use NCCL {names}",
        _NOTES,
    )


def _made_for(code: str, accelerator: str, plugin: str, what: str) -> Rule:
    return Rule(
        code,
        "warning",
        f"`aws-ofi-nccl` is older than {plugin}, the first that {what}.",
        AllOf(OnAccelerator((accelerator,)), WithEfa(), Below("aws-ofi-nccl", plugin)),
        "NCCL picks wrong paths or slow algorithms",
        f"use aws-ofi-nccl {plugin} or newer, by a newer EFA installer",
        _NOTES,
    )


def _bundled(code: str, component: str, *, where: Condition | None = None) -> Rule:
    return Rule(
        code,
        "error",
        f"`{component}` differs from what the EFA installer brings.",
        AllOf(WithEfa(), DiffersFromBundle(component, "efa-installer"), *([where] if where else ())),
        "the installer puts its own in place, so that nodes differ from what is pinned",
        "override efa-installer with the release that brings it, and nothing else",
        _EFA,
    )


FABRIC_RULES: tuple[Rule, ...] = (
    Rule(
        "SOF301",
        "error",
        "EFA's kernel module is older than 2.17.3, the first for GPUDirect with NVIDIA driver 580.",
        AllOf(*_GPU_OVER_EFA, AtLeast("nvidia-driver", "580"), Below("efa-driver", "2.17.3")),
        "there is no GPUDirect RDMA: all traffic goes through host memory",
        "use the EFA installer 1.43.3 or newer",
        "amzn/amzn-drivers, EFA RELEASENOTES of r2.17.3, 2025-09-24",
    ),
    Rule(
        "SOF302",
        "error",
        "`aws-ofi-nccl` 1.18.0 hangs in large broadcasts between nodes.",
        AllOf(*_GPU_OVER_EFA, Equals("aws-ofi-nccl", "1.18.0")),
        "jobs hang without a message",
        "use the EFA installer 1.49.0 or newer, which brings 1.20.0",
        "aws/deep-learning-containers#6668, 2026-08-27",
    ),
    Rule(
        "SOF303",
        "warning",
        "`aws-ofi-nccl` before 1.21.0 leaks host memory.",
        AllOf(*_GPU_OVER_EFA, Below("aws-ofi-nccl", "1.21.0")),
        "long jobs, and those that make and drop communicators, end out of memory",
        "use the EFA installer 1.50.0 or newer, which brings 1.21.1",
        "aws/aws-ofi-nccl, RELEASENOTES of v1.17.3, v1.20.0 and v1.21.0",
    ),
    Rule(
        "SOF304",
        "error",
        "NCCL from 2.19 on cannot register memory with an EFA installer before 1.29.",
        AllOf(*_GPU_OVER_EFA, AtLeast("nccl", "2.19"), Below("efa-installer", "1.29")),
        'NCCL fails with "Unable to register memory (type = 2)", RC -22',
        "use the EFA installer 1.29.1 or newer",
        "aws/aws-ofi-nccl#584; EFA cheatsheet of aws-ofi-nccl, August 2026",
    ),
    Rule(
        "SOF305",
        "warning",
        "NCCL 2.28.3 corrupts small messages of symmetric kernels.",
        AllOf(OnVendor("nvidia"), Equals("nccl", "2.28.3")),
        "results are wrong without an error, and Blackwell is slower",
        "use NCCL 2.28.9 or newer",
        "NVIDIA/nccl, commit messages of 2.28.7 and 2.28.9, November 2025",
    ),
    Rule(
        "SOF306",
        "warning",
        "NCCL 2.28.7 hangs at scale.",
        AllOf(OnVendor("nvidia"), Equals("nccl", "2.28.7")),
        "main and proxy thread may wait for each other in large jobs",
        "use NCCL 2.28.9 or newer",
        "NVIDIA/nccl, commit message of 2.28.9, November 2025",
    ),
    Rule(
        "SOF307",
        "warning",
        "NCCL before 2.27.6 crashes over multi-node NVLink where the stack has no limit.",
        AllOf(OnFamily(("p6e-gb200", "p6e-gb300")), Below("nccl", "2.27.6")),
        "jobs whose shell says `ulimit -s unlimited` crash",
        "use NCCL 2.27.6 or newer, or `ulimit -s 8192`",
        "NVIDIA/nccl, release 2.27.6, July 2025",
    ),
    *(_made_for(*row) for row in _NEEDS),
    Rule(
        "SOF316",
        "error",
        "The EFA installer is older than 1.40.0, the first with CUDA on arm64.",
        AllOf(OnArchitecture("arm64"), *_GPU_OVER_EFA, Below("efa-installer", "1.40.0")),
        "there is neither aws-ofi-nccl nor a libfabric that knows CUDA, and NCCL falls back to TCP",
        "use the EFA installer 1.40.0 or newer",
        _EFA,
    ),
    Rule(
        "SOF317",
        "error",
        "`aws-ofi-nccl` from 1.13 on needs libfabric 1.22.0 or newer.",
        AllOf(*_GPU_OVER_EFA, AtLeast("aws-ofi-nccl", "1.13"), Below("libfabric", "1.22.0")),
        "the plugin does not load, and NCCL falls back to TCP",
        "use the libfabric of the same EFA installer",
        _NOTES,
    ),
    Rule(
        "SOF318",
        "error",
        "`aws-ofi-nccl` from 1.10 on needs NCCL 2.17.1 or newer.",
        AllOf(*_GPU_OVER_EFA, AtLeast("aws-ofi-nccl", "1.10"), Below("nccl", "2.17.1")),
        "the two share no interface, and NCCL falls back to TCP",
        "use NCCL 2.17.1 or newer",
        _NOTES,
    ),
    Rule(
        "SOF319",
        "error",
        "The EFA kernel module is overridden, and the node image brings another one.",
        AllOf(WithEfa(), OverridesImage("efa-driver")),
        "the override is not installed: the module is part of the image",
        "remove the override, or override the image's release; libfabric in containers works with its module",
        "awslabs/amazon-eks-ami, CHANGELOG, July 2026",
    ),
    *(_tested(*row) for row in _TESTED),
    # In Kubernetes the module is the image's, and no installer runs.
    _bundled("SOF331", "efa-driver", where=OnOrchestrator(("hyperpod-slurm", "pcs"))),
    _bundled("SOF332", "libfabric"),
    _bundled("SOF333", "rdma-core"),
    _bundled("SOF334", "aws-ofi-nccl"),
    Rule(
        "SOF335",
        "error",
        "`aws-ofi-nccl` 1.19.0 and 1.19.1 mix up the data of multi-receives.",
        AllOf(
            *_GPU_OVER_EFA,
            AnyOf(Equals("aws-ofi-nccl", "1.19.0"), Equals("aws-ofi-nccl", "1.19.1")),
        ),
        "results may be wrong without an error",
        "use the EFA installer 1.49.0 or newer, which brings 1.20.0",
        "aws/aws-ofi-nccl, RELEASENOTES of v1.19.2, May 2026",
    ),
)
"""Rules on EFA and NCCL, in the order of their codes."""

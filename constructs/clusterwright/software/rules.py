"""All compatibility rules, and what is known to be bad that none of them is about."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from clusterwright.software.fabric_rules import FABRIC_RULES
from clusterwright.software.gpu_rules import GPU_RULES
from clusterwright.software.node_rules import NODE_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.software.compatibility import CompatibilityRule

RULES: tuple[CompatibilityRule, ...] = (*GPU_RULES, *FABRIC_RULES, *NODE_RULES)
"""Each rule once, in the order of their codes."""

LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "EFA installer from 1.48 on skips aws-ofi-nccl in NVIDIA's own images (--disable-ngc)": (
            "it is about container images, which are not built here; nodes run it outside containers"
        ),
        "aws-efa-k8s-device-plugin before 0.5.10 counts NVLink devices as EFA on p6-b200": (
            "the plugin is a chart of the cluster, not a part of nodes"
        ),
        "EFA on card 0 of p6-b300 or p6e-gb200 keeps instances from launching": (
            "interfaces are laid out from the hardware catalogue, which never puts one there"
        ),
        "NVIDIA's proprietary modules cannot do GPUDirect on kernels of Amazon Linux 2": (
            "no node runs Amazon Linux 2"
        ),
        "GPUs of g4dn, g5 and g5g fail with the open modules and GSP firmware": (
            "the EKS AMI loads the proprietary modules there; no version in a set changes that"
        ),
        "NCCL from 2.28.3 on skews alltoall on p5en and p6-b200 without aws-ofi-nccl": (
            "every set has the plugin, and the plugin sets NCCL_NETDEVS_POLICY"
        ),
        "Kernel 4.18.0-425 of RHEL 8.7 breaks Lustre's modules": "no node runs RHEL",
        "A kernel upgrade leaves Lustre's DKMS module, and with it the kernel's package, half configured": (
            "nodes hold the kernel, and take modules that are built for it"
        ),
        "apt's meta package of Lustre's modules pulls in another kernel": (
            "nodes install the modules of the running kernel by name, and hold the kernel"
        ),
    }
)
"""Combinations that are known to be bad and cannot come from a cluster.yaml, each with the reason."""

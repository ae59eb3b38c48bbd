"""Environment variables for jobs on accelerated nodes: the few that still help.

Since libfabric 1.18 and aws-ofi-nccl 1.6 most of what guides still tell people to set is chosen by the plugin
itself, for the instance type at hand; set by hand it overrides the better choice. `settings` refuses those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterwright.software.versions import is_older

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHEATSHEET = "aws/aws-ofi-nccl, doc/efa-env-var.md, August 2026; awsome-distributed-ai, efa-cheatsheet.md"
_NEURON = "AWS Neuron documentation, setup of multi-node execution on Trn1, August 2026"
_POLICY = "aws/aws-ofi-nccl, src/platform-aws.cpp, which sets it; August 2026"


class Variable(NamedTuple):
    """A variable, and why it is set.

    Attributes:
        value: What it is set to.
        reason: What it is good for.
        source: Who says so.
    """

    value: str
    reason: str
    source: str


def explain_environment(
    accelerator: str | None, *, has_efa: bool, family: str, versions: Mapping[str, str]
) -> dict[str, Variable]:
    """The variables of a pool, each with its reason and source.

    Args:
        accelerator: ``nvidia``, ``neuron``, or None.
        has_efa: Whether the nodes have EFA devices.
        family: Instance family, such as ``p5en``.
        versions: Version of each component.
    """
    variables: dict[str, Variable] = {}
    if accelerator == "nvidia":
        variables |= _for_nccl(has_efa=has_efa, family=family, versions=versions)
    if accelerator == "neuron" and has_efa:
        variables["FI_PROVIDER"] = Variable("efa", "Neuron's collectives go over EFA only if told", _NEURON)
        variables["FI_EFA_USE_DEVICE_RDMA"] = Variable("1", "Neuron's collectives need RDMA", _NEURON)
    return variables


def make_environment(
    accelerator: str | None, *, has_efa: bool, family: str, versions: Mapping[str, str]
) -> dict[str, str]:
    """The variables of a pool, as jobs see them; see `explain_environment`."""
    explained = explain_environment(accelerator, has_efa=has_efa, family=family, versions=versions)
    return {name: variable.value for name, variable in explained.items()}


def _for_nccl(*, has_efa: bool, family: str, versions: Mapping[str, str]) -> dict[str, Variable]:
    variables = {
        "NCCL_SOCKET_IFNAME": Variable(
            "^docker,lo,veth",
            "NCCL must not start over a bridge or the loopback; interface names differ with the image",
            _CHEATSHEET,
        )
    }
    if has_efa:
        variables["FI_EFA_USE_HUGE_PAGE"] = Variable(
            "0", "with huge pages the fork of a data loader may end in ENOMEM; the cost is small", _CHEATSHEET
        )
    if family in {"g5", "g6"}:
        variables["NCCL_SHM_USE_CUDA_MEMCPY"] = Variable(
            "1", "doubles what GPUs without NVLink exchange inside a node", _CHEATSHEET
        )
    if family in {"p5en", "p6-b200"} and _lacks_plugin(versions):
        variables["NCCL_NETDEVS_POLICY"] = Variable(
            "max:1", "without it NCCL from 2.28.3 on skews the traffic of alltoall", _POLICY
        )
    return variables


def _lacks_plugin(versions: Mapping[str, str]) -> bool:
    """Whether nothing is known to set what aws-ofi-nccl sets for an NCCL that needs it."""
    return "aws-ofi-nccl" not in versions and not is_older(versions.get("nccl", "0"), "2.28.3")

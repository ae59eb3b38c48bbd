"""Environment variables for jobs on accelerated nodes: the few that still help.

Since libfabric 1.18 and aws-ofi-nccl 1.6 most of what guides still tell people to set is chosen by the plugin
itself, for the instance type at hand; set by hand it overrides the better choice. `settings` refuses those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusterwright.software.versions import is_older

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHEATSHEET = "awslabs/awsome-distributed-training, efa-cheatsheet.md, 2026-07"


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
        variables["FI_PROVIDER"] = Variable(
            "efa",
            "Neuron's collectives pick the first provider of libfabric unless told",
            "AWS Neuron documentation, multi-instance training on Trn1, 2026",
        )
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
            "NCCL's bootstrap must not take a bridge or the loopback; interface names differ between images",
            _CHEATSHEET,
        )
    }
    if has_efa:
        variables["FI_EFA_USE_HUGE_PAGE"] = Variable(
            "0", "with huge pages a fork, such as of a data loader, ends in ENOMEM", _CHEATSHEET
        )
    if family in {"g5", "g6"} and is_older(versions.get("nccl", "0"), "2.99"):
        variables["NCCL_SHM_USE_CUDA_MEMCPY"] = Variable(
            "1", "doubles what GPUs without NVLink exchange inside a node", _CHEATSHEET
        )
    return variables

"""The versions of a cluster as rules look at them: with each kind of node that they run on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterwright.config.orchestrator import KubernetesOrchestrator
from clusterwright.software import DEFAULT_SET, Target, components, select, set_names

if TYPE_CHECKING:
    from clusterwright.checks.rule import Subject
    from clusterwright.config.source_map import Path
    from clusterwright.hardware import InstanceSpec
    from clusterwright.software import Software

OPERATING_SYSTEMS = {"hyperpod-slurm": "ubuntu-22.04", "pcs": "ubuntu-24.04"}
"""What nodes run; Amazon Linux 2023 with the other orchestrators."""


@dataclass(frozen=True, slots=True)
class ChosenSoftware:
    """The versions, and what they run on.

    Attributes:
        software: The versions.
        nodes: Each kind of node, with the names of its pools.
    """

    software: Software
    nodes: dict[Target, tuple[str, ...]]


def choose_software(subject: Subject) -> ChosenSoftware | None:
    """The versions that the file asks for, without those of unknown components; None for an unknown set."""
    chosen = subject.cluster.software
    name = chosen.set or DEFAULT_SET
    if name not in set_names():
        return None
    known = {each: version for each, version in chosen.overrides.items() if each in components()}
    software = select(name, known)
    orchestrator = subject.cluster.orchestrator
    kubernetes = orchestrator.version if isinstance(orchestrator, KubernetesOrchestrator) else ""
    nodes: dict[Target, tuple[str, ...]] = {}
    for name, pool, spec in subject.pools:
        target = make_target(spec, orchestrator.kind, kubernetes, has_efa=pool.purpose != "system")
        nodes[target] = (*nodes.get(target, ()), name)
    return ChosenSoftware(software, nodes)


def make_target(
    spec: InstanceSpec, orchestrator: str, kubernetes: str = "", *, has_efa: bool = True
) -> Target:
    """Nodes of an instance type, as the compatibility rules see them.

    Args:
        spec: The catalogue's facts.
        orchestrator: What schedules the work.
        kubernetes: Kubernetes version; empty under Slurm.
        has_efa: Whether nodes get EFA devices if the type takes some.
    """
    group = spec.accelerators
    return Target(
        instance_type=spec.name,
        accelerator=group.name if group else "",
        vendor=group.vendor if group else None,
        compute_capability=(group.compute_capability or "") if group else "",
        architecture=spec.architecture,
        has_efa=has_efa and spec.is_efa_capable,
        orchestrator=orchestrator,
        kubernetes=kubernetes,
        operating_system=OPERATING_SYSTEMS.get(orchestrator, "al2023"),
    )


def place_of(subject: Subject, culprits: tuple[str, ...], pools: tuple[str, ...]) -> Path:
    """The field to point at: the override that is to blame, else the set, else the first pool's type."""
    if culprits:
        return ("software", "overrides", culprits[0])
    if "set" in subject.cluster.software.model_fields_set:
        return ("software", "set")
    return ("pools", pools[0], "instance_type")

"""Orchestrators on SageMaker HyperPod: what they share, and the one that runs Kubernetes."""

from typing import Annotated, Literal

from pydantic import Field

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_CLUSTER, REPLACES_NODES, Section
from clusterwright.config.fields import Items, KubernetesVersion
from clusterwright.config.orchestrator import KubernetesOrchestrator


class HyperPodFields(Section):
    """What HyperPod does for nodes, whoever schedules the work (SageMaker API, CreateCluster)."""

    node_recovery: Annotated[Literal["automatic", "none"], NO_INTERRUPTION] = Field(
        default="automatic",
        description="Whether HyperPod reboots or replaces a node that it finds faulty.",
    )
    deep_health_checks: Annotated[
        Items[Literal["instance-stress", "instance-connectivity"]], NO_INTERRUPTION
    ] = Field(
        default=(),
        description="What a new node must pass before it takes work; each adds to the time until it does.",
    )


HYPERPOD_KUBERNETES = "1.35"
"""The newest Kubernetes version with a HyperPod image (SageMaker AI, AMI support policy, August 2026)."""


class HyperPodEksConfig(HyperPodFields, KubernetesOrchestrator):
    """SageMaker HyperPod under an EKS control plane."""

    kind: Annotated[Literal["hyperpod-eks"], REPLACES_CLUSTER] = Field(
        description="Which orchestrator runs the work."
    )
    version: Annotated[KubernetesVersion, REPLACES_NODES] = Field(
        default=HYPERPOD_KUBERNETES,
        description="Kubernetes version, in quotes. The newest that HyperPod is known to have images for, "
        "unless you pin one. EKS upgrades one minor version at a time and never downgrades.",
    )

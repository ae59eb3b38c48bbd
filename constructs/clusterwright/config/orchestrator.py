"""The ``orchestrator`` section: what schedules the work."""

from typing import Annotated, Literal

from pydantic import Field

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_CLUSTER, REPLACES_NODES, Section
from clusterwright.config.fields import Cidr, Items, KubernetesVersion, RoleArn

EKS_VERSIONS = ("1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36")
"""Kubernetes versions with an EKS AL2023 image, oldest first (awslabs/amazon-eks-ami, August 2026)."""


class EksConfig(Section):
    """Amazon EKS with managed node groups, one a pool."""

    kind: Annotated[Literal["eks"], REPLACES_CLUSTER] = Field(description="Which orchestrator runs the work.")
    version: Annotated[KubernetesVersion, REPLACES_NODES] = Field(
        default=EKS_VERSIONS[-1],
        description="Kubernetes version, in quotes. The newest that this release knows, unless you pin one. "
        "EKS upgrades one minor version at a time and never downgrades; nodes follow, a tenth at a time.",
    )
    endpoint: Annotated[Literal["private", "public", "both"], NO_INTERRUPTION] = Field(
        default="private",
        description="Where the Kubernetes API answers. Only inside the VPC, unless you open it.",
    )
    public_access_cidrs: Annotated[Items[Cidr], NO_INTERRUPTION] = Field(
        default=(), description="Who may reach a public endpoint; needed when there is one."
    )
    admins: Annotated[Items[RoleArn], NO_INTERRUPTION] = Field(
        default=(),
        description="IAM roles or users that administer the cluster. Nobody else can, not even its creator.",
    )
    autoscaler: Annotated[Literal["none"], NO_INTERRUPTION] = Field(
        default="none",
        description="What adds and removes nodes. Nothing does: pools keep the size that you write.",
    )


OrchestratorConfig = EksConfig
"""The orchestrators that this release deploys."""

LATER_ORCHESTRATORS = ("hyperpod-eks", "hyperpod-slurm", "pcs")
"""Orchestrators of the contract that are refused with "not yet"."""

"""IAM roles: who the control plane, the nodes and the add-ons are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam as iam

from clusterwright.guardrails import acknowledge_managed_policy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from constructs import Construct


def make_role(
    scope: Construct, construct_id: str, *, principal: iam.IPrincipal, managed_policies: Mapping[str, str]
) -> iam.Role:
    """A role with AWS managed policies, each for a reason of its own.

    Args:
        scope: The parent.
        construct_id: The id of the role.
        principal: Who assumes it.
        managed_policies: Names of AWS managed policies, and why AWS's is right there rather than one of ours.
    """
    role = iam.Role(
        scope,
        construct_id,
        assumed_by=principal,
        managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in managed_policies],
    )
    for name, reason in managed_policies.items():
        acknowledge_managed_policy(role, name, reason)
    return role


def pods_principal() -> iam.IPrincipal:
    """Pods, through EKS Pod Identity."""
    return iam.SessionTagsPrincipal(iam.ServicePrincipal("pods.eks.amazonaws.com"))

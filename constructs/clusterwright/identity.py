"""IAM roles: who the control plane, the nodes and the add-ons are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam as iam

from clusterwright.guardrails import acknowledge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from constructs import Construct

MANAGED_POLICY_RULE = "AwsSolutions::AwsSolutions-IAM4"


def make_service_role(
    scope: Construct,
    construct_id: str,
    *,
    service: str,
    managed_policies: Sequence[str],
    reason: str,
) -> iam.Role:
    """A role that one AWS service assumes, with AWS's own policies.

    Args:
        scope: The parent.
        construct_id: The id of the role.
        service: The service principal, such as ``eks.amazonaws.com``.
        managed_policies: Names of AWS managed policies.
        reason: Why AWS's policies are right here rather than one of our own.
    """
    role = iam.Role(
        scope,
        construct_id,
        assumed_by=iam.ServicePrincipal(service),
        managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in managed_policies],
    )
    acknowledge(role, MANAGED_POLICY_RULE, reason)
    return role


def make_pod_role(scope: Construct, construct_id: str, *, managed_policy: str, reason: str) -> iam.Role:
    """A role that an add-on's pods assume through EKS Pod Identity.

    Args:
        scope: The parent.
        construct_id: The id of the role.
        managed_policy: Name of the AWS managed policy that the add-on needs.
        reason: Why AWS's policy is right here rather than one of our own.
    """
    role = iam.Role(
        scope,
        construct_id,
        assumed_by=iam.SessionTagsPrincipal(iam.ServicePrincipal("pods.eks.amazonaws.com")),
        managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(managed_policy)],
    )
    acknowledge(role, MANAGED_POLICY_RULE, reason)
    return role

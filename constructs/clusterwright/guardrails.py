"""Security rules acknowledged where they do not hold, at the narrowest place and with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Acknowledgment, Aws, Validations

if TYPE_CHECKING:
    from constructs import IConstruct


def acknowledge(construct: IConstruct, rule: str, reason: str) -> None:
    """Say why a cdk-nag rule does not apply to one construct.

    Args:
        construct: The construct that the rule is about; nothing beside it is excused.
        rule: The rule's full id, such as ``AwsSolutions::AwsSolutions-IAM4``.
        reason: Why it is right as it is.
    """
    Validations.of(construct).acknowledge(Acknowledgment(id=rule, reason=reason))


def acknowledge_wildcard(construct: IConstruct, resource: str, reason: str) -> None:
    """Say why a policy names a resource with a wildcard.

    Args:
        construct: The role or policy.
        resource: The resource as the policy names it.
        reason: Why it is right as it is.
    """
    shown = resource.replace(Aws.PARTITION, "<AWS::Partition>").replace(Aws.ACCOUNT_ID, "<AWS::AccountId>")
    acknowledge(construct, f"AwsSolutions::AwsSolutions-IAM5[Resource::{shown}]", reason)


def acknowledge_managed_policy(construct: IConstruct, name: str, reason: str) -> None:
    """Say why AWS's own policy is right for a role rather than one of ours.

    Args:
        construct: The role.
        name: Name of the policy, with its path.
        reason: Why it is right as it is.
    """
    policy = f"arn:<AWS::Partition>:iam::aws:policy/{name}"
    acknowledge(construct, f"AwsSolutions::AwsSolutions-IAM4[Policy::{policy}]", reason)

"""Security rules acknowledged where they do not hold, at the narrowest place and with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Acknowledgment, Validations

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

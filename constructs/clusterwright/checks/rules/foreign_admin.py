"""EKS007: an administrator of another account than the cluster's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

_ACCOUNT_FIELD = 4
"""Position of the account in an ARN, whose fields are separated by colons."""


def _find(subject: Subject) -> Iterator[Violation]:
    account = subject.cluster.account
    for at, arn in enumerate(subject.kubernetes.admins) if account is not None else ():
        owner = arn.split(":")[_ACCOUNT_FIELD]
        if owner != account:
            message = f"{arn} is of the account {owner}, and the cluster's account is {account}"
            yield Violation(("orchestrator", "admins", at), message, "check the account id in both places")


RULE = Rule(
    code="EKS007",
    severity="warning",
    title="An administrator is of another account than the cluster's.",
    find=_find,
)

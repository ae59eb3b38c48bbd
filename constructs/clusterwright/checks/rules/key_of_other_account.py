"""STO034: a KMS key of another account than the cluster's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

_ACCOUNT_FIELD = 4
"""Position of the account in an ARN, whose fields are separated by colons."""


def _find(subject: Subject) -> Iterator[Violation]:
    account = subject.cluster.account
    for path, arn in iterate_keys(subject) if account is not None else ():
        owner = arn.split(":")[_ACCOUNT_FIELD]
        if owner != account:
            yield Violation(
                path,
                f"the key is of the account {owner}, and the cluster's account is {account}",
                "let the cluster's account use it in the key's policy, or name a key of its own",
            )


RULE = Rule(
    code="STO034",
    severity="warning",
    title="Storage names a KMS key of another account than the cluster's.",
    find=_find,
)

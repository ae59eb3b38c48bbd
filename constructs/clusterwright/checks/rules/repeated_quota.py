"""STO029: two quotas of one user or group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    home = subject.cluster.storage.home
    seen = set()
    for at, quota in enumerate(home.quotas if home is not None else ()):
        owner = ("user", quota.user) if quota.user is not None else ("group", quota.group)
        if owner in seen:
            yield Violation(
                ("storage", "home", "quotas", at),
                f"the {owner[0]} {owner[1]} has a quota already",
                "remove one of the two",
            )
        seen.add(owner)


RULE = Rule(
    code="STO029",
    severity="error",
    title="A user or a group has two quotas.",
    find=_find,
)

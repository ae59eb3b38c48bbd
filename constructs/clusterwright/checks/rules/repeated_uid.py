"""ORC006: two users of one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    owners: dict[int, str] = {}
    for name, user in subject.slurm.users.items():
        owner = owners.setdefault(user.uid, name)
        if owner != name:
            message = f"{name} has the uid {user.uid}, which is {owner}'s: each would own the other's files"
            path = ("orchestrator", "users", name, "uid")
            yield Violation(path, message, f"{max(owners) + 1} is free")


RULE = Rule(
    code="ORC006",
    severity="error",
    title="Two users have the same uid, so each owns the other's files.",
    find=_find,
)

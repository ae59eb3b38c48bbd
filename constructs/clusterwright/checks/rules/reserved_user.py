"""ORC007: a user whom the image has already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

TAKEN = frozenset({"root", "daemon", "nobody", "ubuntu", "ec2-user", "slurm", "munge", "mysql", "sshd"})
"""Users of Ubuntu's and Amazon Linux's images, of munge, Slurm and MariaDB."""


def _find(subject: Subject) -> Iterator[Violation]:
    for name in subject.slurm.users:
        if name in TAKEN:
            message = f"the nodes have a user {name} already, with another uid"
            yield Violation(("orchestrator", "users", name), message, "take another name", is_about_key=True)


RULE = Rule(
    code="ORC007",
    severity="error",
    title="A user has a name that the image or Slurm has taken.",
    find=_find,
)

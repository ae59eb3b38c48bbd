"""ORC001: a controller or login pool that the file does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    known = subject.cluster.pools
    for role, name in subject.slurm.roles.items():
        if name not in known:
            hint = suggest(name, known) or f"the section pools has {', '.join(known)}"
            yield Violation(("orchestrator", role), f"the section pools has no entry {name}", hint)


RULE = Rule(
    code="ORC001",
    severity="error",
    title="The pool for the controller or for logins is not in the file.",
    find=_find,
)

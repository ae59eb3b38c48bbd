"""NAM001: a cluster whose stacks have the names of another cluster's pools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    stack = f"{subject.cluster.name}-network"
    owner, separator, pool = stack.partition("-pool-")
    if separator:
        yield Violation(
            ("name",),
            f"the stack {stack} would also be that of the pool {pool} in a cluster called {owner}",
            "take a name that neither ends in -pool nor contains -pool-",
        )


RULE = Rule(
    code="NAM001",
    severity="error",
    title="The cluster's stacks have names that pools of another cluster may have.",
    find=_find,
)

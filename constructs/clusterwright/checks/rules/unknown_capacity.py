"""CAP001: a capacity that the file does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    known = subject.cluster.capacity
    for name, pool in subject.cluster.pools.items():
        if pool.capacity is None or pool.capacity in known:
            continue
        if not known:
            hint = "add a section capacity, or remove the field for on-demand instances"
        else:
            hint = suggest(pool.capacity, known) or f"the section capacity has {', '.join(known)}"
        message = f"the section capacity has no entry {pool.capacity}"
        yield Violation(("pools", name, "capacity"), message, hint)


RULE = Rule(
    code="CAP001",
    severity="error",
    title="A pool names a capacity that the file does not have.",
    find=_find,
)

"""STO026: storage that no pool uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_shared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    resolved = subject.resolved
    for path, _ in iterate_shared(subject) if resolved is not None else ():
        if resolved is not None and not resolved.storage_pools[f"{path[1]}.{path[2]}"]:
            yield Violation(
                path,
                f"no pool uses {path[-1]}: unless pools are named it is for the accelerated ones",
                "name pools in its field pools",
                is_about_key=True,
            )


RULE = Rule(
    code="STO026",
    severity="warning",
    title="A bucket or a file system is for no pool.",
    find=_find,
)

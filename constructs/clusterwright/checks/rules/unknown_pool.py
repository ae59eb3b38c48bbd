"""STO013: storage for a pool that the file does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import iterate_shared
from clusterwright.config.spelling import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    known = subject.cluster.pools
    for path, item in iterate_shared(subject):
        for at, pool in enumerate(item.pools or ()):
            if pool not in known:
                hint = suggest(pool, known) or f"the section pools has {', '.join(known)}"
                message = f"the section pools has no entry {pool}"
                yield Violation((*path, "pools", at), message, hint)


RULE = Rule(
    code="STO013",
    severity="error",
    title="A bucket or a file system names a pool that the file does not have.",
    find=_find,
)

"""SOF002: a version set that this release does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import suggest
from clusterwright.software import DEFAULT_SET, set_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    name = subject.cluster.software.set
    if name is None or name in set_names():
        return
    near = suggest(name, set_names())
    yield Violation(
        ("software", "set"),
        f"there is no version set {name}; this release has {', '.join(set_names())}",
        f"{near} " * bool(near) + f'the newest is "{DEFAULT_SET}", which you get by leaving the field out',
    )


RULE = Rule(
    code="SOF002",
    severity="error",
    title="A version set is none that this release has.",
    find=_find,
    source="`clusterwright software list`",
)

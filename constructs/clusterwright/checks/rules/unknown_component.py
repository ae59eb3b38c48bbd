"""SOF003: an override of something that no version set pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.config.spelling import suggest
from clusterwright.software import components

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name in subject.cluster.software.overrides:
        if name not in components():
            yield Violation(
                ("software", "overrides", name),
                f"no version set pins a component {name}",
                suggest(name.lower().replace("_", "-"), components())
                or f"there are {', '.join(components())}",
                is_about_key=True,
            )


RULE = Rule(
    code="SOF003",
    severity="error",
    title="An override is for a component that no version set pins.",
    find=_find,
    source="`clusterwright software show`",
)

"""SOF004: an override with a version that nobody is known to have released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.software import is_known, load_set, near_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    chosen = subject.software
    if chosen is None:
        return
    pins = load_set(chosen.software.set_name).pins
    for component, version in chosen.software.overrides.items():
        if is_known(component, version):
            continue
        own = f"; the set has {pins[component].version}" if component in pins else ""
        yield Violation(
            ("software", "overrides", component),
            f"{component} {version} is no release that this toolkit knows, so that no rule may be about it",
            f"known ones near it are {', '.join(near_versions(component, version))}{own}",
        )


RULE = Rule(
    code="SOF004",
    severity="warning",
    title="An override names a version that is not known to exist.",
    find=_find,
    source="release notes of the component, as far as they were read by November 2026",
)

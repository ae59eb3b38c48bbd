"""What changes from one version set to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterwright.software.versions import is_older

if TYPE_CHECKING:
    from clusterwright.software.sets import VersionSet


@dataclass(frozen=True, slots=True)
class Change:
    """A component that two sets pin differently.

    Attributes:
        component: Its name.
        before: Its version in the first set, or empty.
        after: Its version in the second set, or empty.
        url: Release notes of the newer one, or empty.
    """

    component: str
    before: str
    after: str
    url: str

    @property
    def kind(self) -> str:
        """``added``, ``removed``, ``upgraded`` or ``downgraded``."""
        if not self.before:
            return "added"
        if not self.after:
            return "removed"
        return "upgraded" if is_older(self.before, self.after) else "downgraded"


def compare(before: VersionSet, after: VersionSet) -> tuple[Change, ...]:
    """Every component that differs, in the order of the second set, then what it lacks."""
    names = [*after.pins, *(each for each in before.pins if each not in after.pins)]
    return tuple(
        change
        for change in (_compare(name, before, after) for name in names)
        if change.before != change.after
    )


def _compare(component: str, before: VersionSet, after: VersionSet) -> Change:
    one, other = before.pins.get(component), after.pins.get(component)
    pin = other or one
    return Change(
        component,
        one.version if one else "",
        other.version if other else "",
        (pin.url if pin else None) or "",
    )

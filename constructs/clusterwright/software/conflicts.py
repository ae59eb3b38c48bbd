"""Which rules the versions of a cluster break on its nodes, and how to get a set that works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterwright.software.images import IMAGES
from clusterwright.software.rules import RULES
from clusterwright.software.selection import select
from clusterwright.software.sets import set_names
from clusterwright.software.situations import Situation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.software.compatibility import CompatibilityRule
    from clusterwright.software.selection import Software
    from clusterwright.software.situations import Target


@dataclass(frozen=True, slots=True)
class Conflict:
    """A rule that versions break on some nodes.

    Attributes:
        rule: The rule.
        target: The nodes.
        versions: The versions that it is about.
        culprits: The overrides without any of which it would not be broken; none where the set itself is why.
        remedy: How to get versions that work.
    """

    rule: CompatibilityRule
    target: Target
    versions: dict[str, str]
    culprits: tuple[str, ...]
    remedy: str

    @property
    def message(self) -> str:
        """What is wrong, with the versions and what they lead to."""
        held = ", ".join(f"{component} {version}" for component, version in self.versions.items())
        return f"{self.rule.title} With {held}, {self.rule.effect}."


def find_conflicts(software: Software, target: Target) -> tuple[Conflict, ...]:
    """Every rule that versions break on some nodes, in the order of the rules."""
    situation = _situation(software, target)
    return tuple(
        describe_conflict(rule, software, target) for rule in RULES if rule.condition.holds(situation)
    )


def is_broken(rule: CompatibilityRule, software: Software, target: Target) -> bool:
    """Whether versions break a rule on some nodes."""
    return rule.condition.holds(_situation(software, target))


def _situation(software: Software, target: Target) -> Situation:
    return Situation.of(software.versions, target, frozenset(software.overrides))


def describe_conflict(rule: CompatibilityRule, software: Software, target: Target) -> Conflict:
    """What versions that break a rule lead to, and what to do."""
    culprits = _find_culprits(rule, software, target)
    return Conflict(
        rule,
        target,
        _name_versions(rule, software, target),
        culprits,
        _advise(rule, software, target, culprits),
    )


def _name_versions(rule: CompatibilityRule, software: Software, target: Target) -> dict[str, str]:
    """The versions that a rule is about: as nodes get them, or as chosen where that is what is wrong."""
    situation = _situation(software, target)
    names = rule.condition.components
    is_about_choice = not {*names}.isdisjoint(IMAGES.values())
    held = situation.chosen if is_about_choice else situation.versions
    others = {image for kind, image in IMAGES.items() if kind != target.orchestrator}
    versions = {each: held[each] for each in names if each in held and each not in others}
    image = situation.image
    if image is not None and any(image.versions.get(each) == version for each, version in versions.items()):
        versions[image.image] = image.release
    return versions


def _find_culprits(rule: CompatibilityRule, software: Software, target: Target) -> tuple[str, ...]:
    """The overrides that have to go; a single one where that is enough, else all of them."""
    overrides = software.overrides
    if not overrides or is_broken(rule, select(software.set_name), target):
        return ()
    for name in overrides:
        rest = {each: version for each, version in overrides.items() if each != name}
        if not is_broken(rule, select(software.set_name, rest), target):
            return (name,)
    return tuple(overrides)


def _advise(rule: CompatibilityRule, software: Software, target: Target, culprits: Sequence[str]) -> str:
    if culprits:
        names = " and ".join(culprits)
        return f"{rule.fix}; without the override of {names}, the set {software.set_name} is free of this"
    better = [name for name in reversed(set_names()) if not is_broken(rule, select(name), target)]
    if better:
        return f"{rule.fix}; the set {better[0]} is free of this"
    return rule.fix

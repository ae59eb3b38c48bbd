"""The rules on the ``software`` section: a few of their own, and every row of the compatibility tables.

They are loaded for clusters that have the section. That the default set serves every type but the few of
`unserved_instance_type` is a matter of a test.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.rules import long_environment, unknown_component, unknown_set, unknown_version
from clusterwright.checks.software_items import place_of
from clusterwright.software import HARMFUL_SETTINGS, RULES, describe_conflict, harmful_names, is_broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject
    from clusterwright.software import CompatibilityRule, HarmfulSetting

SOFTWARE_RULES: tuple[Rule, ...] = (
    unknown_set.RULE,
    unknown_component.RULE,
    unknown_version.RULE,
    long_environment.RULE,
)


def _find_conflicts(row: CompatibilityRule, subject: Subject) -> Iterator[Violation]:
    chosen = subject.software
    if chosen is None:
        return
    broken = [target for target in chosen.nodes if is_broken(row, chosen.software, target)]
    if not broken:
        return
    pools = tuple(name for target in broken for name in chosen.nodes[target])
    conflict = describe_conflict(row, chosen.software, broken[0])
    path = place_of(subject, conflict.culprits, pools)
    yield Violation(path, f"{conflict.message} {_name_pools(pools)}", conflict.remedy)


def _find_harmful(row: HarmfulSetting, subject: Subject) -> Iterator[Violation]:
    chosen = subject.software
    if chosen is None:
        return
    environment = subject.cluster.software.environment
    found: dict[str, tuple[str, ...]] = {}
    for target, pools in chosen.nodes.items():
        for name in harmful_names(row, environment, chosen.software, target):
            found[name] = (*found.get(name, ()), *pools)
    for name, pools in found.items():
        message = f"{name}={environment[name]}: {row.effect}. {_name_pools(pools)}"
        yield Violation(("software", "environment", name), message, row.fix)


def _name_pools(pools: tuple[str, ...]) -> str:
    return f"It concerns the pool{'s' if len(pools) > 1 else ''} {', '.join(pools)}."


TABLE_RULES: tuple[Rule, ...] = (
    *(Rule(row.code, row.severity, row.title, partial(_find_conflicts, row), row.source) for row in RULES),
    *(
        Rule(row.code, row.severity, row.title, partial(_find_harmful, row), row.source)
        for row in HARMFUL_SETTINGS
    ),
)
"""One rule a row of the tables of `clusterwright.software`."""

"""All rules, in the order of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.cluster_rules import CLUSTER_RULES
from clusterwright.checks.kubernetes_rules import KUBERNETES_RULES
from clusterwright.checks.slurm_rules import SLURM_RULES
from clusterwright.checks.software_rules import SOFTWARE_RULES, TABLE_RULES
from clusterwright.checks.storage_rules import STORAGE_RULES
from clusterwright.config.complaints import CODES

if TYPE_CHECKING:
    from clusterwright.checks.rule import Rule

RULES: tuple[Rule, ...] = (*CLUSTER_RULES, *KUBERNETES_RULES, *SLURM_RULES, *STORAGE_RULES, *SOFTWARE_RULES)
"""Each rule once that is a file. A code is never reused, so a rule that is dropped leaves a gap."""


def describe_codes() -> dict[str, str]:
    """What each code is about: first those of the file itself, then those of the cluster in it."""
    return CODES | {rule.code: rule.title for rule in (*RULES, *TABLE_RULES)}

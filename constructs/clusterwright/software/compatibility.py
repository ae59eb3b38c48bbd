"""What a compatibility rule is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusterwright.errors import Severity
    from clusterwright.software.conditions import Condition


@dataclass(frozen=True, slots=True)
class CompatibilityRule:
    """Versions that do not work together, or not on some nodes.

    Attributes:
        code: ``SOF`` and a number; never reused.
        severity: ``error`` where nodes or jobs cannot work, else ``warning``.
        title: What is wrong when the rule fires, as a sentence.
        condition: When it fires.
        effect: What then happens, as the end of a sentence.
        fix: What to use instead.
        source: Who reported it, and when.
    """

    code: str
    severity: Severity
    title: str
    condition: Condition
    effect: str
    fix: str
    source: str

"""ORC005: accounting that the orchestrator does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

ALLOWED = {"hyperpod-slurm": ("none", "local", "rds"), "pcs": ("none", "managed")}
"""Kinds of accounting by kind of orchestrator: where PCS runs the controller, it runs slurmdbd too."""


def _find(subject: Subject) -> Iterator[Violation]:
    kind, accounting = subject.slurm.kind, subject.slurm.accounting.kind
    allowed = ALLOWED[kind]
    if accounting not in allowed:
        message = f"{kind} has no accounting of the kind {accounting}"
        yield Violation(("orchestrator", "accounting", "kind"), message, f"it has {' and '.join(allowed)}")


RULE = Rule(
    code="ORC005",
    severity="error",
    title="The orchestrator has no accounting of this kind.",
    find=_find,
    source="PCS API, Accounting.Mode; SageMaker API, AccountingDatabase; read November 2026",
)

"""The reference of all findings as Markdown."""

from __future__ import annotations

from clusterwright.checks.registry import RULES
from clusterwright.checks.software_rules import TABLE_RULES
from clusterwright.config.complaints import CODES

_HEAD = """\
# Findings

<!-- Made from the rules by scripts/generate_reference.py; `make reference` writes it anew. -->

What `clusterwright validate` may say. An error stops a deployment, a warning does not.
A code keeps its meaning for ever; the codes of rules that are dropped are not used again.

The checks of the file itself come first. What they find does not hide the rest: what is right of the cluster
is checked in the same run, and nothing is said that an error of the file may be the reason for.
"""


def render_reference() -> str:
    """The whole page."""
    rows = [_row(code, "error", title, "") for code, title in CODES.items()]
    rows += [_row(rule.code, rule.severity, rule.title, rule.source) for rule in (*RULES, *TABLE_RULES)]
    table = ["| code | severity | what | where the fact comes from |", "|---|---|---|---|", *rows]
    return "\n".join([_HEAD, *table, ""])


def _row(code: str, severity: str, title: str, source: str) -> str:
    return f"| {code} | {severity} | {title} | {source} |"

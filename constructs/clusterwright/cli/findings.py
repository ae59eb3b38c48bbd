"""Findings as text for people and as JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

import click

from clusterwright.config.source_map import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusterwright.errors import Finding

_WIDTH = 100
_COLOURS = {"error": "red", "warning": "yellow"}


def render_json(findings: Iterable[Finding]) -> str:
    """The findings as one JSON object."""
    return json.dumps({"findings": [finding.as_dict() for finding in findings]}, indent=2, ensure_ascii=False)


def render_text(findings: Sequence[Finding], texts: Mapping[str, str]) -> str:
    """The findings, each with its line of the file and a caret below the column, and a summary a file.

    Colour is written in; `click.echo` takes it out again where the output is no terminal.

    Args:
        findings: In the order to show them.
        texts: The text of each file, by the file's name.
    """
    lines = {file: split_lines(text) for file, text in texts.items()}
    blocks = [_render_finding(finding, lines.get(finding.file, [])) for finding in findings]
    summaries = [_summarize(file, [each for each in findings if each.file == file]) for file in texts]
    return "\n".join([*blocks, *summaries])


def report_findings(
    findings: Sequence[Finding], *, stream: TextIO, texts: Mapping[str, str] | None = None
) -> None:
    """Print findings, without a summary; nothing where there are none.

    Args:
        findings: In the order to show them.
        stream: Where to.
        texts: The text of each file, by the file's name, to quote lines from.
    """
    lines = {file: split_lines(text) for file, text in (texts or {}).items()}
    for finding in findings:
        click.echo(_render_finding(finding, lines.get(finding.file, [])), file=stream)


def _render_finding(finding: Finding, lines: Sequence[str]) -> str:
    severity = click.style(f"{finding.severity} {finding.code}", fg=_COLOURS[finding.severity], bold=True)
    place = click.style(f"{finding.file}:{finding.line}:{finding.column}:", bold=True)
    rows = [f"{place} {severity} {finding.message}"]
    if 0 < finding.line <= len(lines):
        rows += _quote(lines[finding.line - 1], finding.line, finding.column)
    if finding.hint:
        rows.append(f"  hint: {finding.hint}")
    if finding.source:
        rows.append(click.style(f"  source: {finding.source}", dim=True))
    return "\n".join(rows) + "\n"


def _quote(line: str, number: int, column: int) -> list[str]:
    """A line of the file, cut where it is long, and a caret below one of its columns."""
    start = max(0, column - _WIDTH // 2) if len(line) > _WIDTH else 0
    shown = "".join(each if each.isprintable() else " " for each in line[start : start + _WIDTH])
    gutter = f"  {number} | "
    caret = click.style("^", fg="green", bold=True)
    return [gutter + shown, " " * (len(gutter) - 2) + "| " + " " * (column - 1 - start) + caret]


def _summarize(file: str, findings: Sequence[Finding]) -> str:
    errors = sum(finding.is_error for finding in findings)
    warnings = len(findings) - errors
    if not findings:
        return f"{file}: no findings"
    return f"{file}: {_count(errors, 'error')}, {_count(warnings, 'warning')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

"""Findings as SARIF 2.1.0, which code scanning services read.

The format is OASIS's "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from clusterwright.checks.registry import describe_codes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterwright.errors import Finding

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render_sarif(findings: Iterable[Finding]) -> str:
    """One run of clusterwright as a SARIF log: every rule that it has, every finding that it made."""
    titles = describe_codes()
    codes = list(titles)
    driver = {
        "name": "clusterwright",
        "version": version("clusterwright"),
        "rules": [{"id": code, "shortDescription": {"text": titles[code]}} for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_render_result(finding, codes.index(finding.code)) for finding in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _render_result(finding: Finding, rule_index: int) -> dict[str, Any]:
    notes = [finding.hint, f"Source: {finding.source}" if finding.source else ""]
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _as_uri(finding.file)},
            "region": {"startLine": finding.line, "startColumn": finding.column},
        }
    }
    if finding.path:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.path}]
    return {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": finding.severity,
        "message": {"text": "\n".join([finding.message, *filter(None, notes)])},
        "locations": [location],
    }


def _as_uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())

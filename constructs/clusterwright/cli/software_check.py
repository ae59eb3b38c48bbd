"""What ``clusterwright software check`` finds, of a file or of a set with nodes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clusterwright.checks.engine import check_software
from clusterwright.checks.software_items import make_target
from clusterwright.cli.findings import render_text
from clusterwright.config.loading import read_cluster
from clusterwright.errors import ClusterwrightError, Finding
from clusterwright.hardware import find_instance_type
from clusterwright.software import DEFAULT_SET, find_conflicts, is_known, near_versions, select, set_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusterwright.software import Conflict, Software

ORCHESTRATORS = ("eks", "hyperpod-eks", "hyperpod-slurm", "pcs")


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with versions.

    Attributes:
        subject: What was checked, in words.
        software: The versions; None where the file names a set that there is not.
        findings: What is wrong.
        text: The file's text, or empty.
    """

    subject: str
    software: Software | None
    findings: tuple[Finding, ...]
    text: str = ""

    @property
    def has_errors(self) -> bool:
        """Whether the versions cannot work."""
        return any(finding.is_error for finding in self.findings)

    def as_json(self) -> str:
        """The report as one JSON object."""
        chosen = self.software
        what = {"set": chosen.set_name, "content_hash": chosen.content_hash} if chosen else {}
        data = {**what, "findings": [finding.as_dict() for finding in self.findings]}
        return json.dumps(data, indent=2, ensure_ascii=False)

    def as_text(self) -> str:
        """The report for people."""
        if self.text:
            lines = [render_text(self.findings, {self.subject: self.text})]
        else:
            errors = sum(finding.is_error for finding in self.findings)
            lines = [_render(finding) for finding in self.findings]
            lines += [f"{self.subject}: {errors} errors, {len(self.findings) - errors} warnings"]
        if self.software is not None:
            lines.append(f"set {self.software.set_name}, content hash {self.software.content_hash}")
        return "\n".join(lines)


def check_cluster_file(file: str) -> Report:
    """Check the versions of a cluster.yaml on the nodes that it has.

    Raises:
        UnreadableFileError: There is no such file, or no text in it.
    """
    reading = read_cluster(file)
    cluster = reading.cluster or reading.partial
    if cluster is None:
        return Report(file, None, reading.findings, reading.text)
    found = check_software(cluster, file=file, source_map=reading.source_map)
    software = None
    if reading.cluster is not None and (reading.cluster.software.set or DEFAULT_SET) in set_names():
        chosen = reading.cluster.software
        unknown = {finding.path.rpartition(".")[2] for finding in found if finding.code == "SOF003"}
        overrides = {name: version for name, version in chosen.overrides.items() if name not in unknown}
        software = select(chosen.set or DEFAULT_SET, overrides)
    return Report(file, software, (*reading.findings, *found), reading.text)


def check_selection(
    set_name: str,
    overrides: Mapping[str, str],
    instance_types: Sequence[str],
    *,
    orchestrator: str,
    kubernetes: str,
    kernel: str,
) -> Report:
    """Check a set with overrides on nodes of some instance types.

    Raises:
        ClusterwrightError: The set, a component, an instance type or the orchestrator is unknown.
    """
    if orchestrator not in ORCHESTRATORS:
        raise ClusterwrightError(
            f"there is no orchestrator {orchestrator!r} among {', '.join(ORCHESTRATORS)}"
        )
    software = select(set_name, overrides)
    targets = [
        replace(make_target(find_instance_type(name), orchestrator, kubernetes), kernel=kernel)
        for name in dict.fromkeys(instance_types)
    ]
    unknown = [_unknown_version(*each) for each in software.overrides.items() if not is_known(*each)]
    conflicts = [conflict for target in targets for conflict in find_conflicts(software, target)]
    subject = f"{set_name} on {', '.join(target.instance_type for target in targets)}"
    return Report(subject, software, (*unknown, *_merge(conflicts)))


def _merge(conflicts: Iterable[Conflict]) -> Iterator[Finding]:
    """One finding a rule, with all the types that it is about."""
    by_rule: dict[str, list[Conflict]] = {}
    for conflict in conflicts:
        by_rule.setdefault(conflict.rule.code, []).append(conflict)
    for first, *more in by_rule.values():
        yield _as_finding(first, [each.target.instance_type for each in (first, *more)])


def _as_finding(conflict: Conflict, instance_types: Sequence[str]) -> Finding:
    path = f"software.overrides.{conflict.culprits[0]}" if conflict.culprits else "software.set"
    rule = conflict.rule
    message = f"{conflict.message} It concerns {', '.join(instance_types)}."
    return Finding(rule.code, rule.severity, message, path, hint=conflict.remedy, source=rule.source)


def _unknown_version(component: str, version: str) -> Finding:
    near = ", ".join(near_versions(component, version))
    message = f"{component} {version} is no release that this toolkit knows, so that no rule may be about it"
    return Finding(
        "SOF004", "warning", message, f"software.overrides.{component}", hint=f"known ones near it are {near}"
    )


def _render(finding: Finding) -> str:
    rows = [f"{finding.severity} {finding.code} {finding.path}: {finding.message}"]
    rows += [f"  hint: {finding.hint}"] if finding.hint else []
    rows += [f"  source: {finding.source}"] if finding.source else []
    return "\n".join(rows) + "\n"

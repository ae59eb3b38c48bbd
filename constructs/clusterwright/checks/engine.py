"""Runs all rules over a cluster."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from clusterwright.checks.cluster_rules import CLUSTER_RULES
from clusterwright.checks.rule import Subject, find_known
from clusterwright.config.base import UnknownValueError
from clusterwright.config.loading import read_cluster
from clusterwright.config.source_map import SourceMap, dotted
from clusterwright.errors import Finding
from clusterwright.resolution import runs_slurm

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from clusterwright.checks.rule import Rule, Violation
    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.loading import Reading


def check_file(path: str | PathLike[str]) -> Reading:
    """Read a cluster.yaml and check the cluster in it.

    Returns:
        The reading, with every finding; its cluster is None where one of them is an error.

    Raises:
        UnreadableFileError: There is no such file, or no text in it.
    """
    return check_reading(read_cluster(path))


def check_reading(reading: Reading) -> Reading:
    """Check what has been read: the cluster, or what is right of it.

    Returns:
        The reading, with every finding; its cluster is None where one of them is an error.
    """
    cluster = reading.cluster or reading.partial
    if cluster is None:
        return reading
    found = check_cluster(cluster, file=reading.file, source_map=reading.source_map)
    findings = _sort([*reading.findings, *found])
    has_errors = any(finding.is_error for finding in findings)
    return replace(reading, findings=findings, cluster=None if has_errors else reading.cluster)


def check_cluster(
    cluster: ClusterConfig, *, file: str = "", source_map: SourceMap | None = None
) -> tuple[Finding, ...]:
    """Every finding on a cluster, in the order of the file.

    Args:
        cluster: The cluster; of a partial one, every finding that does not depend on what it lacks.
        file: The file as the user named it; empty for a cluster that was built in code.
        source_map: Where the fields are written; without it findings have no place.
    """
    return _apply(_rules_for(cluster), cluster, file, source_map)


def check_software(
    cluster: ClusterConfig, *, file: str = "", source_map: SourceMap | None = None
) -> tuple[Finding, ...]:
    """Every finding on the versions of a cluster, whether or not its file says anything about them.

    Args:
        cluster: The cluster, whole or partial.
        file: The file as the user named it.
        source_map: Where the fields are written.
    """
    from clusterwright.checks.software_rules import SOFTWARE_RULES, TABLE_RULES  # noqa: PLC0415  few need it

    return _apply((*SOFTWARE_RULES, *TABLE_RULES), cluster, file, source_map)


def _apply(
    rules: Iterable[Rule], cluster: ClusterConfig, file: str, source_map: SourceMap | None
) -> tuple[Finding, ...]:
    subject = Subject(cluster)
    return _sort(
        _place(rule, violation, file, source_map)
        for rule in rules
        for violation in find_known(rule.find(subject))
    )


def _rules_for(cluster: ClusterConfig) -> tuple[Rule, ...]:
    """The rules that may have something to say: most of a check's time goes into loading them."""
    rules = (*CLUSTER_RULES, *_rules_of_orchestrator(cluster))
    if "storage" in cluster.model_fields_set:
        from clusterwright.checks.storage_rules import STORAGE_RULES  # noqa: PLC0415  see above

        rules += STORAGE_RULES
    if "software" in cluster.model_fields_set:
        from clusterwright.checks.software_rules import SOFTWARE_RULES, TABLE_RULES  # noqa: PLC0415  see above

        rules += (*SOFTWARE_RULES, *TABLE_RULES)
    return rules


def _rules_of_orchestrator(cluster: ClusterConfig) -> tuple[Rule, ...]:
    """Those on what schedules the work; none where the file leaves unknown what does."""
    try:
        has_slurm = runs_slurm(cluster)
    except UnknownValueError:
        return ()
    if has_slurm:
        from clusterwright.checks.slurm_rules import SLURM_RULES  # noqa: PLC0415  see above

        return SLURM_RULES
    from clusterwright.checks.kubernetes_rules import KUBERNETES_RULES  # noqa: PLC0415  see above

    return KUBERNETES_RULES


def _sort(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    key = attrgetter("line", "column", "code")
    return tuple(sorted(findings, key=key))


def _place(rule: Rule, violation: Violation, file: str, source_map: SourceMap | None) -> Finding:
    line = column = 0
    if source_map is not None:
        find = source_map.key if violation.is_about_key else source_map.value
        place = find(violation.path)
        line, column = place.line, place.column
    return Finding(
        code=rule.code,
        severity=rule.severity,
        message=violation.message,
        path=dotted(violation.path),
        file=file,
        line=line,
        column=column,
        hint=violation.hint,
        source=violation.source or rule.source,
    )

"""Version sets: what runs on nodes, which combinations are known to fail, and where each part comes from."""

from __future__ import annotations

from clusterwright.software.artifacts import Artifact, artifacts_of
from clusterwright.software.environment import explain_environment, make_environment
from clusterwright.software.selection import Software, select
from clusterwright.software.sets import DEFAULT_SET, Pin, VersionSet, components, load_set, set_names

__all__ = [
    "DEFAULT_SET",
    "Artifact",
    "Pin",
    "Software",
    "VersionSet",
    "artifacts_of",
    "components",
    "explain_environment",
    "load_set",
    "make_environment",
    "select",
    "set_names",
]

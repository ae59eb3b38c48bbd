"""Version sets: what runs on nodes, which combinations are known to fail, and where each part comes from."""

from __future__ import annotations

from clusterwright.software.artifacts import Artifact, artifacts_of
from clusterwright.software.conditions import Target
from clusterwright.software.conflicts import Conflict, find_conflicts
from clusterwright.software.differences import Change, compare
from clusterwright.software.environment import explain_environment, make_environment
from clusterwright.software.images import NodeImage, find_image, node_versions
from clusterwright.software.releases import known_versions
from clusterwright.software.rules import RULES
from clusterwright.software.selection import Software, select
from clusterwright.software.sets import DEFAULT_SET, Pin, VersionSet, components, load_set, set_names
from clusterwright.software.settings import HARMFUL_SETTINGS, HarmfulSetting, find_harmful

__all__ = [
    "DEFAULT_SET",
    "HARMFUL_SETTINGS",
    "RULES",
    "Artifact",
    "Change",
    "Conflict",
    "HarmfulSetting",
    "NodeImage",
    "Pin",
    "Software",
    "Target",
    "VersionSet",
    "artifacts_of",
    "compare",
    "components",
    "explain_environment",
    "find_conflicts",
    "find_harmful",
    "find_image",
    "known_versions",
    "load_set",
    "make_environment",
    "node_versions",
    "select",
    "set_names",
]

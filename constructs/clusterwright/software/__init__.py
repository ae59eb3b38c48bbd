"""Version sets: what runs on nodes, which combinations are known to fail, and where each part comes from."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from clusterwright.software.artifacts import Artifact, artifacts_of
from clusterwright.software.environment import explain_environment, make_environment
from clusterwright.software.images import NodeImage, find_image, node_versions
from clusterwright.software.selection import Software, select
from clusterwright.software.sets import DEFAULT_SET, Pin, VersionSet, components, load_set, set_names

if TYPE_CHECKING:
    from clusterwright.software.compatibility import CompatibilityRule
    from clusterwright.software.conflicts import Conflict, describe_conflict, find_conflicts, is_broken
    from clusterwright.software.differences import Change, compare
    from clusterwright.software.releases import is_known, known_versions, near_versions
    from clusterwright.software.rules import RULES
    from clusterwright.software.settings import HARMFUL_SETTINGS, HarmfulSetting, harmful_names
    from clusterwright.software.situations import Target

__all__ = [
    "DEFAULT_SET",
    "HARMFUL_SETTINGS",
    "RULES",
    "Artifact",
    "Change",
    "CompatibilityRule",
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
    "describe_conflict",
    "explain_environment",
    "find_conflicts",
    "find_image",
    "harmful_names",
    "is_broken",
    "is_known",
    "known_versions",
    "load_set",
    "make_environment",
    "near_versions",
    "node_versions",
    "select",
    "set_names",
]

_MODULES = {
    "CompatibilityRule": "compatibility",
    "Conflict": "conflicts",
    "describe_conflict": "conflicts",
    "find_conflicts": "conflicts",
    "is_broken": "conflicts",
    "Change": "differences",
    "compare": "differences",
    "is_known": "releases",
    "known_versions": "releases",
    "near_versions": "releases",
    "RULES": "rules",
    "HARMFUL_SETTINGS": "settings",
    "HarmfulSetting": "settings",
    "harmful_names": "settings",
    "Target": "situations",
}


def __getattr__(name: str) -> object:
    """The rules and what goes with them, once somebody asks: synthesis needs versions alone."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

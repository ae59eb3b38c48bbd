"""clusterwright: AI clusters on AWS from one checked cluster.yaml.

    from clusterwright import load_cluster

    cluster = load_cluster("cluster.yaml")

Importing this package costs next to nothing: the models are loaded at their first use, the CDK never.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from clusterwright.errors import (
    ClusterwrightError,
    Finding,
    InvalidClusterError,
    LocalCloudError,
    ToolError,
    UnknownInstanceTypeError,
    UnreadableFileError,
)

if TYPE_CHECKING:
    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.loading import load_cluster

__all__ = [
    "ClusterConfig",
    "ClusterwrightError",
    "Finding",
    "InvalidClusterError",
    "LocalCloudError",
    "ToolError",
    "UnknownInstanceTypeError",
    "UnreadableFileError",
    "load_cluster",
]

_LOADED_AT_USE = {
    "ClusterConfig": "clusterwright.config.cluster",
    "load_cluster": "clusterwright.config.loading",
}

# Hidden from type checkers, which would otherwise take any name for an attribute of this module.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load what is imported at its first use."""
        if name not in _LOADED_AT_USE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_LOADED_AT_USE[name]), name)


def __dir__() -> list[str]:
    """The exported names, loaded or not."""
    return sorted({*globals(), *__all__})

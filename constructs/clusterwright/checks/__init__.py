"""What is known before a deployment: one rule a file, each with a code."""

from __future__ import annotations

from clusterwright.checks.engine import check_cluster, check_file

__all__ = ["check_cluster", "check_file"]

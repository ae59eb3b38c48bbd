"""Synthesized clusters as fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from synthesis import Templates, make_cluster, synthesize_cluster

from clusterwright.config.loading import load_cluster

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def synthesize(tmp_path: Path) -> Callable[..., Templates]:
    """Synthesize the base cluster with some sections replaced; pools are added to the base's."""

    def run(*, context: dict[str, str] | None = None, **sections: Any) -> Templates:
        return synthesize_cluster(make_cluster(**sections), tmp_path / "out", context=context)

    return run


@pytest.fixture(scope="session")
def h200(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """The templates of the main example."""
    cluster = load_cluster(root / "docs" / "examples" / "eks-h200.yaml")
    return synthesize_cluster(cluster, tmp_path_factory.mktemp("h200"))

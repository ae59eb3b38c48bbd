"""What a mirror holds: the artifacts of all pools, each file once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.errors import ClusterwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterwright_lifecycle.contexts import ArtifactContext, NodeContext


def collect_artifacts(nodes: Iterable[NodeContext]) -> tuple[ArtifactContext, ...]:
    """The artifacts of all nodes, sorted by file.

    Args:
        nodes: What the scripts of each pool are told.

    Raises:
        ClusterwrightError: Two pools name different artifacts by the same file.
    """
    found: dict[str, ArtifactContext] = {}
    for node in nodes:
        for artifact in node.artifacts:
            known = found.setdefault(artifact.file, artifact)
            if known != artifact:
                raise ClusterwrightError(
                    f"{artifact.file} is {known.url} for one pool and {artifact.url} for another"
                )
    return tuple(found[file] for file in sorted(found))

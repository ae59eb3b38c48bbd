"""What may have to be downloaded, as a file: ``manifest.json`` of a bundle, and that of a mirror."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterwright_lifecycle.contexts import ArtifactContext

MANIFEST = "manifest.json"
"""Its name, in a bundle and in a mirror. In a mirror the files lie beside it."""


def render_manifest(artifacts: Iterable[ArtifactContext]) -> str:
    """A list of the artifacts as JSON, sorted by file, so that the same artifacts give the same bytes.

    Each artifact is on a line of its own, with its fields in the order of their names: nodes look a file up
    without a JSON parser.
    """
    rows = {each.file: json.dumps(each.model_dump(), sort_keys=True) for each in artifacts}
    return "[" + ",".join(f"\n{rows[file]}" for file in sorted(rows)) + "\n]\n"

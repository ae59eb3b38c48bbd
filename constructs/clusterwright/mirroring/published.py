"""What publishers tell of their files besides what a set records: files of checksums, and where to look."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from clusterwright.mirroring.sources import SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.mirroring.sources import Source
    from clusterwright_lifecycle.contexts import ArtifactContext

CHECKSUM_FILES: Mapping[str, str] = MappingProxyType({"node-exporter": "sha256sums.txt"})
"""The file of SHA-256 that a component's publisher serves beside its files, by component.

Prometheus has one in every release of node_exporter (prometheus/node_exporter, releases, November 2026). No
other component is here for want of a source: a release without the file would fail for nothing.
"""

PLACES: Mapping[str, str] = MappingProxyType(
    {"efa-installer": 'AWS\'s user guide on EFA, "Verify the EFA installer using a checksum"'}
)
"""Where a checksum may be that no set records, by component; of others, look at the release's page."""

MOST_BYTES = 1 << 20


def place_of(artifact: ArtifactContext) -> str:
    """Where a person may look for a checksum."""
    return PLACES.get(artifact.component, f"the release's page of {artifact.component} {artifact.version}")


def fetch_published(artifact: ArtifactContext, source: Source) -> str | None:
    """The SHA-256 that the publisher serves beside a file, or None where none is known to do so.

    Raises:
        SourceError: It cannot be fetched, or does not name the file: what could be checked is not kept
            unchecked.
    """
    name = CHECKSUM_FILES.get(artifact.component)
    if name is None:
        return None
    text = bytearray()
    for chunk in source.fetch(f"{artifact.url.rpartition('/')[0]}/{name}"):
        text += chunk
        if len(text) > MOST_BYTES:
            raise SourceError(f"{name} is too large for a list of checksums", is_final=True)
    published = artifact.url.rpartition("/")[2]
    found = re.search(
        rf"^([0-9a-f]{{64}}) [ *]{re.escape(published)}$", text.decode("utf-8", "replace"), re.MULTILINE
    )
    if found is None:
        raise SourceError(f"{name} of its publisher does not name {published}", is_final=True)
    return found[1]

"""Copying artifacts into a mirror: side by side, each checked, the manifest last."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clusterwright.errors import ClusterwrightError
from clusterwright.mirroring.sources import SourceError
from clusterwright_lifecycle.manifests import render_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusterwright.mirroring.folder import Mirror
    from clusterwright.mirroring.sources import Source
    from clusterwright_lifecycle.contexts import ArtifactContext

WORKERS = 4
"""Downloads at a time: publishers throttle more, and fewer leave the line idle."""

ATTEMPTS = 4
FIRST_PAUSE_SECONDS = 1.0


@dataclass(frozen=True)
class Copy:
    """An artifact that is in the mirror.

    Attributes:
        artifact: The artifact, with the checksum of what is in the mirror.
        is_published: Whether that checksum is the publisher's; else it was computed from what came.
        is_new: Whether it was fetched now.
        size: Bytes that were fetched; 0 for what was there.
    """

    artifact: ArtifactContext
    is_published: bool
    is_new: bool
    size: int


@dataclass(frozen=True)
class Mirrored:
    """A mirror that is complete.

    Attributes:
        copies: What is in it, sorted by file.
        manifest_sha256: SHA-256 of its manifest, which cluster.yaml pins.
    """

    copies: tuple[Copy, ...]
    manifest_sha256: str


def copy_artifacts(
    artifacts: Sequence[ArtifactContext],
    mirror: Mirror,
    *,
    source: Source,
    report: Callable[[Copy], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
) -> Mirrored:
    """Bring a mirror up to date.

    What is there with the right checksum stays. When something fails, the rest is copied all the same, and
    the manifest stays as it was.

    Args:
        artifacts: What to copy.
        mirror: Where to.
        source: Where from.
        report: Is told of each artifact when it is in the mirror; from several threads.
        sleep: Waits between attempts.

    Raises:
        ClusterwrightError: Something could not be copied; each of it is named.
    """
    known = read_known(mirror)

    def copy(artifact: ArtifactContext) -> Copy | str:
        try:
            done = _copy(artifact, mirror, source, known.get(artifact.file), sleep)
        except (SourceError, ClusterwrightError, OSError) as error:
            return f"{artifact.file}: {error}"
        report(done)
        return done

    with ThreadPoolExecutor(WORKERS) as workers:
        results = list(workers.map(copy, artifacts))
    failures = [result for result in results if isinstance(result, str)]
    if failures:
        rest = len(results) - len(failures)
        head = (
            f"{len(failures)} of {len(results)} files were not copied to {mirror.address}, {rest} are there"
        )
        raise ClusterwrightError("\n  ".join([f"{head}:", *failures]))
    copies = tuple(result for result in results if isinstance(result, Copy))
    text = render_manifest(each.artifact for each in copies)
    mirror.store_manifest(text)
    return Mirrored(copies, hashlib.sha256(text.encode()).hexdigest())


def read_known(mirror: Mirror) -> dict[str, str]:
    """The checksums in the manifest of an earlier run, by file; none where it cannot be understood."""
    try:
        rows = json.loads(mirror.read_manifest() or "[]")
        return {row["file"]: row["sha256"] for row in rows if row["sha256"]}
    except (ValueError, KeyError, TypeError):
        return {}


def _copy(
    artifact: ArtifactContext,
    mirror: Mirror,
    source: Source,
    known: str | None,
    sleep: Callable[[float], None],
) -> Copy:
    """Have an artifact in the mirror, fetched if need be."""
    expected = artifact.sha256 or known
    if expected is not None and mirror.digest_of(artifact.file) == expected:
        right = artifact.model_copy(update={"sha256": expected})
        return Copy(right, is_published=artifact.sha256 is not None, is_new=False, size=0)
    with tempfile.TemporaryDirectory(dir=mirror.scratch, prefix=".fetching-") as folder:
        path = Path(folder) / artifact.file
        found = _fetch(artifact.url, path, source, sleep)
        if artifact.sha256 is not None and found != artifact.sha256:
            raise SourceError(f"has the SHA-256 {found}, expected {artifact.sha256}, from {artifact.url}")
        size = path.stat().st_size
        mirror.store(artifact.file, path, found)
    right = artifact.model_copy(update={"sha256": found})
    return Copy(right, is_published=artifact.sha256 is not None, is_new=True, size=size)


def _fetch(url: str, path: Path, source: Source, sleep: Callable[[float], None]) -> str:
    """Fetch a file, in several attempts: its SHA-256."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _fetch_once(url, path, source)
        except SourceError as error:
            if error.is_final or attempt == ATTEMPTS:
                raise SourceError(f"{error}, from {url}, attempt {attempt} of {ATTEMPTS}") from None
            sleep(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
    raise AssertionError("the last attempt returns or raises")


def _fetch_once(url: str, path: Path, source: Source) -> str:
    digest = hashlib.sha256()
    with path.open("wb") as stream:
        for chunk in source.fetch(url):
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()

"""Copying artifacts into a mirror: side by side, each checked, the manifest last."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal, TypeVar

from clusterwright.errors import ClusterwrightError
from clusterwright.mirroring.contents import find_fault
from clusterwright.mirroring.published import fetch_published
from clusterwright.mirroring.sources import SourceError
from clusterwright_lifecycle.manifests import MANIFEST, render_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusterwright.mirroring.folder import Mirror
    from clusterwright.mirroring.sources import Source
    from clusterwright_lifecycle.contexts import ArtifactContext

Fetched = TypeVar("Fetched")

WORKERS = 4
"""Downloads at a time: publishers throttle more, and fewer leave the line idle."""

Origin = Literal["set", "publisher", "computed"]
"""The version set, which recorded it; the publisher, asked now; or what came, where no other is known."""

UNFINISHED = "unfinished.json"
"""What a run that ended early has fetched without a known checksum, so that the next need not fetch it again.

It is trusted as the manifest of an earlier run is: a file is taken from the mirror if it has the digest, and
what nodes take is decided by the digest of the new manifest alone.
"""

ATTEMPTS = 4
FIRST_PAUSE_SECONDS = 1.0


@dataclass(frozen=True)
class Copy:
    """An artifact that is in the mirror.

    Attributes:
        artifact: The artifact, with the checksum of what is in the mirror.
        origin: Where that checksum comes from.
        is_new: Whether it was fetched now.
        size: Bytes that were fetched; 0 for what was there.
    """

    artifact: ArtifactContext
    origin: Origin
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

    What is there with the right checksum stays. When something fails, the rest is copied all the same, the
    manifest stays as it was, and the next run need not fetch again what came.

    Args:
        artifacts: What to copy.
        mirror: Where to.
        source: Where from.
        report: Is told of each artifact when it is in the mirror; from several threads.
        sleep: Waits between attempts.

    Raises:
        ClusterwrightError: Something could not be copied; each of it is named.
    """
    known = Known(mirror)

    def copy(artifact: ArtifactContext) -> Copy | str:
        try:
            done = _copy(artifact, mirror, source, known.digests.get(artifact.file), sleep)
            if done.is_new and done.origin == "computed":
                known.remember(done.artifact)
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
    mirror.store_text(MANIFEST, text)
    known.forget()
    return Mirrored(copies, hashlib.sha256(text.encode()).hexdigest())


class Known:
    """The checksums of what earlier runs fetched, by file; none where their records cannot be understood.

    Attributes:
        digests: Of the manifest, and of a run that ended early.
    """

    def __init__(self, mirror: Mirror) -> None:
        """Read the records of a mirror."""
        self._mirror = mirror
        self._unfinished = _read_digests(mirror, UNFINISHED)
        self._is_recorded = bool(self._unfinished)
        self._lock = Lock()
        self.digests = _read_digests(mirror, MANIFEST) | self._unfinished

    def remember(self, artifact: ArtifactContext) -> None:
        """Record what was fetched, at once: a run may be killed."""
        with self._lock:
            self._unfinished[artifact.file] = artifact.sha256 or ""
            rows = [{"file": file, "sha256": digest} for file, digest in sorted(self._unfinished.items())]
            self._mirror.store_text(UNFINISHED, json.dumps(rows, indent=1) + "\n")
            self._is_recorded = True

    def forget(self) -> None:
        """Remove the record: from now on the manifest has it all."""
        if self._is_recorded:
            self._mirror.discard(UNFINISHED)


def _read_digests(mirror: Mirror, file: str) -> dict[str, str]:
    try:
        rows = json.loads(mirror.read(file) or "[]")
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
    published, origin = _find_published(artifact, source, sleep)
    expected = published or known
    if expected is not None and mirror.digest_of(artifact.file) == expected:
        right = artifact.model_copy(update={"sha256": expected})
        return Copy(right, origin=origin, is_new=False, size=0)
    with tempfile.TemporaryDirectory(dir=mirror.scratch, prefix=".fetching-") as folder:
        path = Path(folder) / artifact.file
        found = _fetch(artifact.url, path, source, sleep)
        fault = find_fault(path)
        if published is not None and found != published:
            words = f"{fault}; it has" if fault else "has"
            raise SourceError(f"{words} the SHA-256 {found}, expected {published}, from {artifact.url}")
        if published is None and fault:
            raise SourceError(f"{fault}, from {artifact.url}")
        size = path.stat().st_size
        mirror.store(artifact.file, path, found)
    right = artifact.model_copy(update={"sha256": found})
    return Copy(right, origin=origin, is_new=True, size=size)


def _find_published(
    artifact: ArtifactContext, source: Source, sleep: Callable[[float], None]
) -> tuple[str | None, Origin]:
    """The checksum that an artifact must have, and where it comes from."""
    if artifact.sha256 is not None:
        return artifact.sha256, "set"
    url = artifact.url.rpartition("/")[0]
    found = _try_often(lambda: fetch_published(artifact, source), f"the checksums beside it, {url}", sleep)
    return found, "publisher" if found else "computed"


def _fetch(url: str, path: Path, source: Source, sleep: Callable[[float], None]) -> str:
    """Fetch a file, in several attempts: its SHA-256."""
    return _try_often(lambda: _fetch_once(url, path, source), url, sleep)


def _try_often(fetch: Callable[[], Fetched], what: str, sleep: Callable[[float], None]) -> Fetched:
    """Fetch something, in several attempts."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return fetch()
        except SourceError as error:
            if error.is_final or attempt == ATTEMPTS:
                raise SourceError(f"{error}, from {what}, attempt {attempt} of {ATTEMPTS}") from None
            sleep(FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
    raise AssertionError("the last attempt returns or raises")


def _fetch_once(url: str, path: Path, source: Source) -> str:
    digest = hashlib.sha256()
    with path.open("wb") as stream:
        for chunk in source.fetch(url):
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()

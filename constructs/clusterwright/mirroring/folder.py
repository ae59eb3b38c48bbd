"""A mirror in a folder, and what every mirror can do."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Protocol


class Mirror(Protocol):
    """Where copies are kept.

    Attributes:
        address: As a person writes it.
    """

    address: str

    @property
    def scratch(self) -> Path | None:
        """Where files are put together before they are stored; None for the system's own place."""

    def digest_of(self, file: str) -> str | None:
        """The SHA-256 of a file that is there, or None."""

    def read(self, file: str) -> str | None:
        """The text of a file of an earlier run, such as the manifest, or None."""

    def store(self, file: str, content: Path, sha256: str) -> None:
        """Keep a file; its content may be moved away."""

    def store_text(self, file: str, text: str) -> None:
        """Replace a file by a text, whole or not at all."""

    def discard(self, file: str) -> None:
        """Remove a file that is of no more use, where that is allowed."""


class FolderMirror:
    """A folder, to be carried into a closed network."""

    def __init__(self, path: Path) -> None:
        """Use a folder, which is made if it is missing.

        Args:
            path: The folder.
        """
        self.address = str(path)
        self._path = path
        path.mkdir(parents=True, exist_ok=True)

    @property
    def scratch(self) -> Path:
        """The folder itself, so that to store a file is to rename it."""
        return self._path

    def digest_of(self, file: str) -> str | None:
        """The SHA-256 of a file that is there, or None."""
        path = self._path / file
        if not path.is_file():
            return None
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def read(self, file: str) -> str | None:
        """The text of a file of an earlier run, or None."""
        path = self._path / file
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None

    def store(self, file: str, content: Path, sha256: str) -> None:
        """Keep a file; its content is moved here."""
        del sha256
        content.chmod(0o644)
        content.replace(self._path / file)

    def store_text(self, file: str, text: str) -> None:
        """Replace a file by a text, whole or not at all."""
        descriptor, name = tempfile.mkstemp(dir=self._path, prefix=f".{file}.")
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        self.store(file, Path(name), "")

    def discard(self, file: str) -> None:
        """Remove a file."""
        (self._path / file).unlink(missing_ok=True)

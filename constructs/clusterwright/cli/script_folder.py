"""A folder of scripts that remembers what was written, so that nothing else in it is ever lost."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from clusterwright.cli.files import write_file
from clusterwright.errors import ClusterwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

RECORD = ".clusterwright-scripts.json"
"""The file that says what was written: SHA-256 by path."""

_EXECUTABLE = 0o111


class ScriptFolder:
    """The folder of ``clusterwright scripts --output``."""

    def __init__(self, path: Path) -> None:
        """Use a folder, which need not exist.

        Args:
            path: The folder.
        """
        self._path = path

    def bring_up_to_date(self, scripts: Mapping[str, str]) -> dict[str, list[str]]:
        """Make the folder hold these scripts and no others of ours.

        Args:
            scripts: Text by path.

        Returns:
            The paths that were ``written``, ``unchanged`` and ``removed``.

        Raises:
            ClusterwrightError: A file is in the way that is not ours, or was edited; nothing is written then.
        """
        recorded = self._read_record()
        self._refuse_foreign([*scripts, *recorded], recorded, scripts)
        changed = [name for name, text in scripts.items() if self._digest(name) != _digest(text)]
        gone = [name for name in recorded if name not in scripts and (self._path / name).exists()]
        # The record goes first: should writing stop half-way, what was written is still known as ours.
        self._path.mkdir(parents=True, exist_ok=True)
        self._write_record(recorded | {name: _digest(text) for name, text in scripts.items()})
        for name in changed:
            self._write(name, scripts[name])
        for name in gone:
            self._remove(name)
        self._write_record({name: _digest(text) for name, text in scripts.items()})
        unchanged = [name for name in scripts if name not in changed]
        return {"written": changed, "unchanged": unchanged, "removed": gone}

    def _read_record(self) -> dict[str, str]:
        try:
            data: Any = json.loads((self._path / RECORD).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ClusterwrightError(f"{self._path / RECORD} cannot be read: {error}") from None
        files = data.get("files") if isinstance(data, dict) else None
        if not isinstance(files, dict):
            raise ClusterwrightError(f"{self._path / RECORD} is damaged: name another --output")
        return {str(name): str(digest) for name, digest in files.items()}

    def _write_record(self, files: Mapping[str, str]) -> None:
        text = json.dumps({"files": dict(sorted(files.items()))}, indent=2) + "\n"
        write_file(self._path / RECORD, text, overwrite=True)

    def _refuse_foreign(
        self, names: Iterable[str], recorded: Mapping[str, str], scripts: Mapping[str, str]
    ) -> None:
        """Refuse files that are neither as they were written nor as they will be."""
        foreign = []
        for name in dict.fromkeys(names):
            found = self._digest(name)
            ours = {recorded.get(name), _digest(scripts[name]) if name in scripts else None}
            if found is not None and found not in ours:
                foreign.append(str(self._path / name))
        if foreign:
            more = f", and {len(foreign) - 3} more," if len(foreign) > 3 else ""  # noqa: PLR2004  enough to see
            raise ClusterwrightError(
                f"{', '.join(foreign[:3])}{more} would be lost: not from an earlier run, or edited since; "
                "move what you need, or name another --output"
            )

    def _digest(self, name: str) -> str | None:
        """The digest of a file that is there; a folder in its place counts as another file."""
        path = self._path / name
        if path.is_dir():
            return "a folder"
        try:
            return hashlib.sha256(path.read_bytes()).hexdigest()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _write(self, name: str, text: str) -> None:
        path = self._path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text, overwrite=True)
        if text.startswith("#!"):
            path.chmod(path.stat().st_mode | _EXECUTABLE)

    def _remove(self, name: str) -> None:
        """Remove a file, and the folders that it leaves empty."""
        path = self._path / name
        path.unlink()
        for folder in path.parents:
            if folder == self._path or any(folder.iterdir()):
                return
            folder.rmdir()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

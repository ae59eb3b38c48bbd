"""Writing files so that nobody ever finds half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from clusterwright.errors import ClusterwrightError


def write_file(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a text file, whole or not at all.

    Args:
        path: The file; its folder exists.
        text: What to write.
        overwrite: Whether a file that is there may be replaced.

    Raises:
        ClusterwrightError: The file exists and may not be replaced, or cannot be written.
    """
    if path.is_dir():
        raise ClusterwrightError(f"{path} is a directory; name a file")
    if path.exists() and not overwrite:
        raise ClusterwrightError(f"{path} exists already; --force overwrites it")
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text)
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ClusterwrightError(f"{path} cannot be written: {error.strerror}") from None


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    umask = os.umask(0)
    os.umask(umask)
    return umask

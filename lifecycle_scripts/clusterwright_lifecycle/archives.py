"""Archives of scripts that are the same, byte for byte, wherever they are made."""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCRIPT_MODE = 0o755
_FILE_MODE = 0o644


def pack(files: Mapping[str, str]) -> bytes:
    """A tar archive of text files, by their path in it.

    It is not compressed: what a compressor makes differs between versions, and with it the digest. Times and
    owners are left out for the same reason.
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in sorted(files.items()):
            content = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.mode = _SCRIPT_MODE if text.startswith("#!") else _FILE_MODE
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()

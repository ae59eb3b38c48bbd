"""Whether a file is of the kind that its name says: a proxy's page, sent in its place, begins otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BEGINNINGS = {
    ".gz": b"\x1f\x8b",
    ".tgz": b"\x1f\x8b",
    ".deb": b"!<arch>\n",
    ".rpm": b"\xed\xab\xee\xdb",
    ".run": b"#!",
    ".sh": b"#!",
}
"""How files begin, by the ending of their name: RFC 1952, deb(5), rpm's lead, and shell archives."""

SHOWN_BYTES = 32


def find_fault(path: Path) -> str:
    """What is wrong with how a file begins, in words; empty where nothing is, or nobody knows."""
    expected = BEGINNINGS.get(path.suffix)
    with path.open("rb") as stream:
        found = stream.read(SHOWN_BYTES)
    if expected is None or found.startswith(expected):
        return ""
    return f"is no {path.suffix.lstrip('.')} file: it begins with {found!r}" if found else "is empty"

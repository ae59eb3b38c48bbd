"""Where each value of a YAML file is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Path = tuple[str | int, ...]
"""The way to a value: mapping keys and list positions, from the top of the file."""

_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file; line and column count from 1, columns in characters."""

    line: int
    column: int


START = Place(1, 1)


@dataclass(slots=True)
class SourceMap:
    """The places of all keys and values of one file, and how its unquoted scalars are spelled."""

    keys: dict[Path, Place] = field(default_factory=dict)
    values: dict[Path, Place] = field(default_factory=dict)
    unquoted: dict[Path, str] = field(default_factory=dict)

    def value(self, path: Path) -> Place:
        """The place of a value, or of the nearest section around it that is written down."""
        if path in self.values:
            return self.values[path]
        return self.key(path[:-1]) if path else START

    def key(self, path: Path) -> Place:
        """The place of a key (of a list item: the item), or of the nearest section around it."""
        while path:
            place = self.keys.get(path) or self.values.get(path)
            if place is not None:
                return place
            path = path[:-1]
        return START


def split_lines(text: str) -> list[str]:
    """The lines of a text, broken where YAML 1.1 breaks them; an empty text is one empty line."""
    return _LINE_BREAK.split(text)


def clamp(place: Place, lines: Sequence[str]) -> Place:
    """The place, moved to the end of the text where it lies behind it.

    Args:
        place: Where something is.
        lines: The text's lines, at least one.
    """
    last = len(lines)
    while last > 1 and not lines[last - 1]:
        last -= 1
    if place.line > last:
        return Place(last, len(lines[last - 1]) + 1)
    return Place(place.line, min(place.column, len(lines[place.line - 1]) + 1))


def dotted(path: Path) -> str:
    """A path as people write it: ``pools.train.taints[0]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text

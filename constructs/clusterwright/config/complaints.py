"""What can be wrong with a file before the cluster in it is looked at: the codes, and one complaint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusterwright.config.source_map import clamp, dotted
from clusterwright.errors import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.config.source_map import Path, Place, SourceMap

CODES = {
    "CFG001": "The file is not YAML.",
    "CFG002": "The file is empty, or its top is not a mapping.",
    "CFG003": "A key is given twice in one mapping.",
    "CFG004": "A key is not text.",
    "CFG005": "The file holds more than one YAML document.",
    "CFG006": "YAML that is not read here: tags, merge keys, deep nesting, aliases without bounds.",
    "CFG007": "A field is unknown.",
    "CFG008": "A field is missing.",
    "CFG009": "A value is of the wrong type, such as a number where text is wanted.",
    "CFG010": "A value is none of those that the field allows.",
    "CFG011": "A value is malformed, such as an id with a character missing.",
    "CFG012": "A number is out of range, a text too long, or a list too short or too long.",
    "CFG013": "Fields of one section contradict each other.",
    "CFG014": "A field or value of the contract that this release does not build yet.",
}
"""Each code of this area and what it is about. A code is never reused; all are errors."""


HIDING_CODES = frozenset({"CFG005", "CFG006"})
"""Codes of files of which so much is left out that what seems missing need not be."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something wrong, not yet a finding: without the file's name and the place.

    Attributes:
        code: One of `CODES`.
        message: What is wrong, with the value.
        path: The field; empty for the whole file.
        hint: What to do, or empty.
        is_about_key: Whether the key is wrong and not its value.
        place: Where it is written, if not where the path says.
    """

    code: str
    message: str
    path: Path = ()
    hint: str = ""
    is_about_key: bool = False
    place: Place | None = None

    def locate(self, file: str, source_map: SourceMap, lines: Sequence[str]) -> Finding:
        """The finding, with its place in a file.

        Args:
            file: The file as the user named it.
            source_map: Where the fields are written.
            lines: The file's lines; a place behind them, where a parser ran out of text, moves to their end.
        """
        find = source_map.key if self.is_about_key else source_map.value
        place = clamp(self.place or find(self.path), lines)
        return Finding(
            code=self.code,
            severity="error",
            message=_make_printable(self.message),
            path=dotted(self.path),
            file=file,
            line=place.line,
            column=place.column,
            hint=_make_printable(self.hint),
        )


def _make_printable(text: str) -> str:
    """The text without what could steer a terminal: values and keys of any file get into messages."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)

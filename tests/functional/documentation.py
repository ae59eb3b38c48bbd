"""The examples in the documentation as data: fenced blocks, and the comment that says how to test one.

    <!-- test: file NAME -->     the block is written to NAME
    <!-- test: run -->           the block's commands end with 0
    <!-- test: run exit=1 -->    its last command ends with 1
    <!-- test: skip REASON -->   the block is left alone

In a ``console`` block, lines with ``$`` are commands and the others are lines of their output, some left out.
In a ``bash`` block every line is a command, and a ``python`` block is a program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = re.compile(
    r"(?:^<!-- test: (?P<test>.*?) -->\n+)?^```(?P<language>\w+)[^\n]*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
OFFLINE = ("init", "validate", "show", "synth", "scripts(?! mirror)", "software", "hardware", "schema")
"""The commands that need neither an account nor a network, each as a pattern."""

OFFLINE_COMMAND = re.compile(rf"^(\$ )?clusterwright ({'|'.join(OFFLINE)})\b", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A fenced block of a page.

    Attributes:
        line: Line of the page on which it starts.
        language: The language that the fence names.
        text: What is between the fences.
        test: What to do with it, the first word of its comment; empty without one.
        argument: The rest of the comment.
    """

    line: int
    language: str
    text: str
    test: str
    argument: str

    @property
    def needs_test(self) -> bool:
        """Whether it looks like something that a reader runs or copies whole."""
        is_cluster = self.language == "yaml" and self.text.startswith("version: 1\n")
        has_command = self.language in ("bash", "console") and OFFLINE_COMMAND.search(self.text) is not None
        return is_cluster or has_command

    @property
    def commands(self) -> str:
        """What a shell runs."""
        if self.language == "bash":
            return self.text
        return "\n".join(line[2:] for line in self.text.splitlines() if line.startswith("$ "))

    @property
    def output(self) -> list[str]:
        """The lines of output that a console block shows, without blank ones and ``...``."""
        lines = [] if self.language != "console" else self.text.splitlines()
        return [
            line.rstrip() for line in lines if line.strip() not in ("", "...") and not line.startswith("$ ")
        ]

    @property
    def exit_code(self) -> int:
        """How the last command ends."""
        found = re.search(r"exit=(\d+)", self.argument)
        return int(found[1]) if found else 0


def read_examples(page: Path) -> list[Example]:
    """The fenced blocks of a page, in order."""
    text = page.read_text()
    examples = []
    for match in BLOCK.finditer(text):
        test, _, argument = (match["test"] or "").partition(" ")
        line = text.count("\n", 0, match.start("language")) + 1
        examples.append(Example(line, match["language"], match["text"], test, argument))
    return examples


def lacks_lines(shown: list[str], output: str) -> list[str]:
    """The shown lines that the output does not have, in this order."""
    actual = iter(line.rstrip() for line in output.splitlines())
    return [line for line in shown if not any(line == each for each in actual)]

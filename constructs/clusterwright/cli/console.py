"""Where tables are printed: on a terminal of any width, or into a file or a pipe."""

from __future__ import annotations

from rich.console import Console

WIDTH_IN_FILES = 1000
"""Columns where the output is no terminal: enough that no line wraps, so that ``grep`` finds whole rows."""


class _Output(Console):
    """Standard output."""

    def on_broken_pipe(self) -> None:
        """Leave it to `main` to end as for every other output; rich would exit here."""
        raise BrokenPipeError


def make_console() -> Console:
    """Standard output for tables: as wide as the terminal, or as wide as they are where it is none."""
    console = _Output(highlight=False)
    return console if console.is_terminal else _Output(highlight=False, width=WIDTH_IN_FILES)

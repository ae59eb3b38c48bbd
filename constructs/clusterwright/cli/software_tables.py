"""Version sets as tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from clusterwright.cli.console import make_console
from clusterwright.software import DEFAULT_SET, load_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.software import Artifact, Change, Software


def print_sets(sets: Sequence[Software]) -> None:
    """One row a set."""
    table = _make_table("set", "content hash", "what")
    for software in sets:
        mark = " (default)" if software.set_name == DEFAULT_SET else ""
        table.add_row(
            software.set_name + mark, software.content_hash, escape(load_set(software.set_name).title)
        )
    make_console().print(table)


def print_pins(software: Software) -> None:
    """One row a component."""
    console = make_console()
    console.print(f"[bold]{software.set_name}[/bold], content hash {software.content_hash}")
    table = _make_table("component", "version", "date", "source")
    for pin in software.pins.values():
        mark = "" if pin.is_verified else " - not verified"
        table.add_row(pin.component, pin.version, pin.date, escape(f"{pin.source}{mark}"))
    console.print(table)


def print_artifacts(artifacts: Sequence[Artifact]) -> None:
    """One row a file that nodes may have to download."""
    console = make_console()
    console.print("\n[bold]files[/bold] that nodes install from where their image lacks a component")
    table = _make_table("file", "SHA-256", "address")
    for artifact in artifacts:
        checksum = artifact.sha256 or "none known here: from a mirror alone"
        table.add_row(escape(artifact.file), checksum, escape(artifact.url))
    console.print(table)


def print_changes(changes: Sequence[Change], before: str, after: str) -> None:
    """One row a component that differs."""
    console = make_console()
    if not changes:
        console.print(f"{before} and {after} pin the same versions")
        return
    table = _make_table("component", before, after, "", "release notes")
    for change in changes:
        table.add_row(
            change.component, change.before or "-", change.after or "-", change.kind, escape(change.url)
        )
    console.print(table)


def _make_table(*headings: str) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, no_wrap=heading in {"component", "set", "version", "SHA-256"})
    return table

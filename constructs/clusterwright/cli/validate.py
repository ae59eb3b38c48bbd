"""``clusterwright validate``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clusterwright.checks import check_file
from clusterwright.cli import EXIT_ERRORS, EXIT_USAGE
from clusterwright.cli.findings import render_json, render_text
from clusterwright.errors import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.errors import Finding


@click.command(name="validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    help="How findings are printed; json and sarif print nothing else.",
)
@click.option("--live", is_flag=True, help="Also ask AWS. Not built yet.")
def command(files: Sequence[str], output_format: str, *, live: bool) -> None:
    """Check cluster.yaml files: every mistake at once, without AWS.

    Exits with 0 where no file has an error, 1 where one has, 2 where one cannot be read.
    """
    if live:
        raise click.UsageError("--live is not built yet: checks are offline in this release.")
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    has_unreadable = False
    for file in dict.fromkeys(files):
        try:
            reading = check_file(file)
        except UnreadableFileError as error:
            click.echo(f"clusterwright: {error}", err=True)
            has_unreadable = True
            continue
        texts[file] = reading.text
        findings += reading.findings
    click.echo(_render(findings, texts, output_format))
    sys.exit(EXIT_USAGE if has_unreadable else EXIT_ERRORS if any(f.is_error for f in findings) else 0)


def _render(findings: list[Finding], texts: dict[str, str], output_format: str) -> str:
    if output_format == "json":
        return render_json(findings)
    if output_format == "sarif":
        from clusterwright.cli.sarif import render_sarif  # noqa: PLC0415  only this format needs it

        return render_sarif(findings)
    return render_text(findings, texts)

"""``clusterwright validate``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clusterwright.checks import check_file
from clusterwright.checks.engine import check_reading
from clusterwright.cli.findings import render_json, render_text
from clusterwright.config.loading import parse_cluster, read_stream
from clusterwright.errors import UnreadableFileError
from clusterwright.process import EXIT_ERRORS, EXIT_USAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.config.loading import Reading
    from clusterwright.errors import Finding

STDIN = "<stdin>"
"""What findings call standard input."""


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
    """Check cluster.yaml files: every mistake at once, without AWS. The file - is standard input.

    Exits with 0 where no file has an error, 1 where one has, 2 where one cannot be read.
    """
    if live:
        raise click.UsageError("--live is not built yet: checks are offline in this release.")
    texts: dict[str, str] = {}
    findings: list[Finding] = []
    has_unreadable = False
    for file in dict.fromkeys(files):
        try:
            reading = _check(file)
        except UnreadableFileError as error:
            click.echo(f"clusterwright: {error}", err=True)
            has_unreadable = True
            continue
        texts[reading.file] = reading.text
        findings += reading.findings
    click.echo(_render(findings, texts, output_format), nl=bool(texts) or output_format != "text")
    sys.exit(EXIT_USAGE if has_unreadable else EXIT_ERRORS if any(f.is_error for f in findings) else 0)


def _check(file: str) -> Reading:
    if file == "-":
        return check_reading(parse_cluster(read_stream(sys.stdin.buffer, STDIN), file=STDIN))
    return check_file(file)


def _render(findings: list[Finding], texts: dict[str, str], output_format: str) -> str:
    if output_format == "json":
        return render_json(findings)
    if output_format == "sarif":
        from clusterwright.cli.sarif import render_sarif  # noqa: PLC0415  only this format needs it

        return render_sarif(findings)
    return render_text(findings, texts)

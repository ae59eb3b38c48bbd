"""``clusterwright init``."""

from __future__ import annotations

from pathlib import Path

import click

from clusterwright.cli.files import write_file
from clusterwright.examples import DEFAULT_EXAMPLE, example_names, example_path


@click.command(name="init")
@click.option(
    "--preset",
    type=click.Choice(example_names()),
    default=DEFAULT_EXAMPLE,
    show_default=True,
    help="The example to begin with.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default="cluster.yaml",
    show_default=True,
    help="The file to write; - prints it.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def command(preset: str, output: Path, *, force: bool) -> None:
    """Write a commented cluster.yaml that validates."""
    text = example_path(preset).read_text(encoding="utf-8")
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    write_file(output, text, overwrite=force)
    click.echo(f"wrote {output}; edit it, then run `clusterwright validate {output}`", err=True)

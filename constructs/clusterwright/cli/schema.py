"""``clusterwright schema``."""

from __future__ import annotations

import json

import click

from clusterwright.config.schema import build_schema


@click.command(name="schema")
def command() -> None:
    """Print the JSON Schema of cluster.yaml, for editors.

    With the YAML language server, write it to a file and begin cluster.yaml with
    `# yaml-language-server: $schema=FILE`.
    """
    click.echo(json.dumps(build_schema(), indent=2, ensure_ascii=False))

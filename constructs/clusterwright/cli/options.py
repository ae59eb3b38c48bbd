"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path

import click

cluster_file = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
"""The cluster.yaml; loading reports what is wrong with the path."""

cdk_args = click.argument("cdk_args", metavar="[-- CDK ARGS]", nargs=-1, type=click.UNPROCESSED)
"""Everything after ``--``, handed to the CDK CLI as it is."""

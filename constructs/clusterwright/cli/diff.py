"""``clusterwright diff``: what a deployment would change."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clusterwright.cli.deployment import require_cluster, run_cdk, warn_of_orphans
from clusterwright.cli.options import cdk_args, cluster_file

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@cluster_file
@cdk_args
def command(file: Path, cdk_args: tuple[str, ...]) -> None:
    """Show what a deployment of FILE would change, resource by resource.

    Options after -- go to the CDK CLI; the exit code is the CDK's.
    """
    warn_of_orphans(require_cluster(file), cdk_args)
    sys.exit(run_cdk(["diff", *cdk_args], file))

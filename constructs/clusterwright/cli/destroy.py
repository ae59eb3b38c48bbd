"""``clusterwright destroy``: delete a cluster, after its name has been typed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clusterwright.cdk_cli import DELETION_CONTEXT
from clusterwright.cli.deployment import require_cluster, run_cdk
from clusterwright.cli.options import cdk_args, cluster_file

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@cluster_file
@cdk_args
@click.option("--yes", is_flag=True, help="Do not ask for the cluster's name.")
def command(file: Path, cdk_args: tuple[str, ...], *, yes: bool) -> None:
    """Delete all stacks of the cluster of FILE.

    First EKS's deletion protection is lifted, by an update of the cluster stack; then the stacks are deleted,
    in order. Options after -- go to the CDK CLI; the exit code is the CDK's.
    """
    cluster = require_cluster(file)
    if not yes:
        typed = click.prompt(
            f"This deletes the cluster {cluster.name} in {cluster.region}, nodes and all.\nType its name",
            default="",
            show_default=False,
        )
        if typed != cluster.name:
            raise click.ClickException("that is not its name; nothing was deleted")
    context = {DELETION_CONTEXT: "true"}
    lifted = run_cdk(
        ["deploy", f"{cluster.name}-cluster", "--exclusively", "--require-approval", "never", *cdk_args],
        file,
        context=context,
    )
    sys.exit(lifted or run_cdk(["destroy", "--all", "--force", *cdk_args], file, context=context))

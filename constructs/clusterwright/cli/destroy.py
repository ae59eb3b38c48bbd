"""``clusterwright destroy``: delete a cluster, after its name has been typed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clusterwright.cdk_cli import DELETION_CONTEXT
from clusterwright.cli.deployment import names_stacks, require_cluster, run_cdk
from clusterwright.cli.options import cdk_args, cluster_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clusterwright.config.cluster import ClusterConfig


@click.command()
@cluster_file
@cdk_args
@click.option("--yes", is_flag=True, help="Do not ask for the cluster's name.")
def command(file: Path, cdk_args: tuple[str, ...], *, yes: bool) -> None:
    """Delete the stacks of the cluster of FILE.

    All of them, unless you name some after --. A pool goes like this, before you take it out of FILE:

        clusterwright destroy cluster.yaml -- atlas-pool-train

    With all stacks, EKS's deletion protection is lifted first, by an update of the cluster stack. The exit
    code is the CDK's.
    """
    cluster = require_cluster(file)
    if not yes:
        typed = click.prompt(
            f"This deletes {_say_what(cluster, cdk_args)} in {cluster.region}, nodes and all.\n"
            "Type the cluster's name",
            default="",
            show_default=False,
        )
        if typed != cluster.name:
            raise click.ClickException("that is not its name; nothing was deleted")
    if names_stacks(cdk_args, cluster.name):
        sys.exit(run_cdk(["destroy", "--exclusively", "--force", *cdk_args], file))
    context = {DELETION_CONTEXT: "true"}
    lifted = run_cdk(
        ["deploy", f"{cluster.name}-cluster", "--exclusively", "--require-approval", "never", *cdk_args],
        file,
        context=context,
    )
    sys.exit(lifted or run_cdk(["destroy", "--all", "--force", *cdk_args], file, context=context))


def _say_what(cluster: ClusterConfig, cdk_args: Sequence[str]) -> str:
    named = [argument for argument in cdk_args if names_stacks([argument], cluster.name)]
    return f"of the cluster {cluster.name}: {', '.join(named)}" if named else f"the cluster {cluster.name}"

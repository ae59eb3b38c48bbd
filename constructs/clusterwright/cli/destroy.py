"""``clusterwright destroy``: delete a cluster, after its name has been typed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from clusterwright.cli.deployment import connect, names_stacks, require_deployable, run_cdk
from clusterwright.cli.options import cdk_args, cluster_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.deployed import DeployedCluster


@click.command()
@cluster_file
@cdk_args
@click.option("--yes", is_flag=True, help="Do not ask for the cluster's name.")
def command(file: Path, cdk_args: tuple[str, ...], *, yes: bool) -> None:
    """Delete the stacks of the cluster of FILE.

    All of them, those of pools that FILE has no more among them, unless you name some after --. A pool goes
    like this, before you take it out of FILE:

        clusterwright destroy cluster.yaml -- atlas-pool-train

    With all stacks, EKS's deletion protection is lifted first. Buckets and file systems stay, unless FILE
    says retain: false; with file systems that stay, so do the stacks of storage and network. The exit code is
    the CDK's.
    """
    cluster = require_deployable(file)
    named = [argument for argument in cdk_args if names_stacks([argument], cluster.name)]
    if named:
        _confirm(cluster, f"{', '.join(named)} of the cluster {cluster.name}", is_confirmed=yes)
        sys.exit(run_cdk(["destroy", "--exclusively", "--force", *cdk_args], file))
    from clusterwright.deployed import lasting_stacks, stack_names  # noqa: PLC0415  it loads boto3

    deployed = connect(cluster, cdk_args)
    orphans = deployed.find_orphans()
    also = f" and {', '.join(orphans)}, which the file has no more" if orphans else ""
    lasting = lasting_stacks(cluster)
    but = f" but {' and '.join(lasting)}, where its file systems are" if lasting else ""
    _confirm(cluster, f"the cluster {cluster.name}{also}{but}", is_confirmed=yes)
    doomed = [name for name in stack_names(cluster) if name not in lasting]
    sys.exit(_destroy(deployed, orphans, doomed, file, cdk_args))


def _destroy(
    deployed: DeployedCluster,
    orphans: Sequence[str],
    doomed: Sequence[str],
    file: Path,
    cdk_args: Sequence[str],
) -> int:
    """Orphans first: they use what the other stacks export."""
    if orphans:
        click.echo(f"deleting {', '.join(orphans)}", err=True)
        deployed.delete_stacks(orphans)
    deployed.allow_deletion()
    return run_cdk(["destroy", *doomed, "--exclusively", "--force", *cdk_args], file)


def _confirm(cluster: ClusterConfig, what: str, *, is_confirmed: bool) -> None:
    if is_confirmed:
        return
    question = f"This deletes {what} in {cluster.region}, nodes and all.\nType the cluster's name"
    if click.prompt(question, default="", show_default=False) != cluster.name:
        raise click.ClickException("that is not its name; nothing was deleted")

"""``clusterwright destroy``: delete a cluster, after its name has been typed."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from clusterwright.cli.deployment import connect, names_stacks, require_deployable, run_cdk
from clusterwright.cli.options import cdk_args, cluster_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.deployed import DeployedCluster, KeptThing


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
    says retain: false; while a file system stays, even one that FILE has no more, so do the stacks of storage
    and network. Network and storage cannot be named while stacks that use them stand. The exit code is the
    CDK's.
    """
    cluster = require_deployable(file)
    deployed = connect(cluster, cdk_args)
    lasting = deployed.storage.find_lasting_stacks()
    patterns = [argument for argument in cdk_args if names_stacks([argument], cluster.name)]
    if patterns:
        doomed = _match(deployed.find_stacks(), patterns)
        _refuse_used(deployed, doomed, lasting)
        _confirm(cluster, f"{', '.join(patterns)} of the cluster {cluster.name}", is_confirmed=yes)
        kept = _list_kept(deployed, doomed)
        code = run_cdk(["destroy", "--exclusively", "--force", *cdk_args], file)
    else:
        orphans = [name for name in deployed.find_orphans() if name not in lasting]
        also = f" and {', '.join(orphans)}, which the file has no more" if orphans else ""
        but = f" but {' and '.join(lasting)}, where its file systems are" if lasting else ""
        _confirm(cluster, f"the cluster {cluster.name}{also}{but}", is_confirmed=yes)
        kept = () if lasting else deployed.storage.find_kept()
        code = _destroy_all(deployed, orphans, lasting, file, cdk_args)
    for each in kept if code == 0 else ():
        click.echo(f"kept: {each}", err=True)
    sys.exit(code)


def _destroy_all(
    deployed: DeployedCluster,
    orphans: Sequence[str],
    lasting: Sequence[str],
    file: Path,
    cdk_args: Sequence[str],
) -> int:
    """Orphans first: they use what the other stacks export."""
    from clusterwright.deployed import stack_names  # noqa: PLC0415  it loads boto3

    if orphans:
        click.echo(f"deleting {', '.join(orphans)}", err=True)
        deployed.delete_stacks(orphans)
    deployed.allow_deletion()
    if not lasting:
        deployed.storage.delete_loose_groups()
    doomed = [name for name in stack_names(deployed.cluster) if name not in lasting]
    return run_cdk(["destroy", *doomed, "--exclusively", "--force", *cdk_args], file)


def _match(stacks: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The stacks that the CDK CLI takes the patterns for."""
    return [name for name in stacks if any(fnmatchcase(name, pattern) for pattern in patterns)]


def _refuse_used(deployed: DeployedCluster, doomed: Sequence[str], lasting: Sequence[str]) -> None:
    """Refuse to delete storage and network under what uses them, before anything is done.

    Raises:
        ClickException: A file system stays in one of the stacks, or another stack uses one.
    """
    staying = [name for name in doomed if name in lasting]
    if staying:
        raise click.ClickException(
            f"file systems stay in {' and '.join(staying)}: the cluster would lose them. Nothing was deleted"
        )
    for name in doomed:
        users = [user for user in deployed.find_users(name) if user not in doomed]
        if users:
            raise click.ClickException(
                f"{', '.join(users)} would go on using what was in {name}: destroy them first, or name them "
                "too. Nothing was deleted"
            )


def _list_kept(deployed: DeployedCluster, doomed: Sequence[str]) -> tuple[KeptThing, ...]:
    """What outlives the stacks, before it cannot be asked of them any more."""
    storage = f"{deployed.cluster.name}-storage"
    return deployed.storage.find_kept() if storage in doomed else ()


def _confirm(cluster: ClusterConfig, what: str, *, is_confirmed: bool) -> None:
    if is_confirmed:
        return
    question = f"This deletes {what} in {cluster.region}, nodes and all.\nType the cluster's name"
    if click.prompt(question, default="", show_default=False) != cluster.name:
        raise click.ClickException("that is not its name; nothing was deleted")

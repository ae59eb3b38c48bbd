"""What ``deploy``, ``diff`` and ``destroy`` share: a checked file, and the pinned CDK CLI."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from clusterwright.cdk_cli import CdkCli
from clusterwright.checks import check_file
from clusterwright.cli.findings import report_findings
from clusterwright.errors import ToolError
from clusterwright.process import EXIT_ERRORS
from clusterwright.resolution import require_eks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.loading import Reading
    from clusterwright.deployed import DeployedCluster


def require_reading(file: Path) -> tuple[ClusterConfig, Reading]:
    """Read and check a file; its findings go to stderr, and with errors among them the process ends."""
    reading = check_file(file)
    report_findings(reading.findings, stream=sys.stderr, texts={reading.file: reading.text})
    if reading.cluster is None:
        sys.exit(EXIT_ERRORS)
    return reading.cluster, reading


def require_cluster(file: Path) -> ClusterConfig:
    """The cluster of a file that is right; see `require_reading`."""
    return require_reading(file)[0]


def require_deployable(file: Path) -> ClusterConfig:
    """The cluster of a file that is right and can be deployed; see `read_deployable`."""
    return read_deployable(file)[0]


def read_deployable(file: Path) -> tuple[ClusterConfig, Reading]:
    """Read and check a file whose cluster is to be deployed.

    Raises:
        ClusterwrightError: This release makes no stacks of its orchestrator.
    """
    cluster, reading = require_reading(file)
    require_eks(cluster)
    return cluster, reading


def run_cdk(args: Sequence[str], file: Path, *, output: Path | None = None) -> int:
    """Run the pinned CDK CLI on a file's app, the terminal handed through.

    Args:
        args: The CDK CLI's command and options.
        file: The cluster.yaml.
        output: Where the cloud assembly is kept; nowhere unless given.

    Returns:
        The CDK CLI's exit code.
    """
    cdk = CdkCli.locate(on_install=lambda line: click.echo(line, err=True))
    return cdk.run(args, cluster_file=file, output=output)


def names_stacks(cdk_args: Sequence[str], cluster_name: str) -> bool:
    """Whether the arguments for the CDK CLI name stacks; those of a cluster all begin with its name.

    Other words without a dash are values of options, such as that of ``--require-approval never``.
    """
    return any(argument.startswith((f"{cluster_name}-", "*")) for argument in cdk_args)


def connect(cluster: ClusterConfig, cdk_args: Sequence[str]) -> DeployedCluster:
    """Reach the account that the CDK CLI will use: that of its ``--profile``, if one is given."""
    from clusterwright.deployed import DeployedCluster  # noqa: PLC0415  boto3 takes a tenth of a second

    profiles = [value for option, value in pairwise(cdk_args) if option == "--profile"]
    profiles += [each.partition("=")[2] for each in cdk_args if each.startswith("--profile=")]
    return DeployedCluster.connect(cluster, profile=profiles[0] if profiles else None)


def warn_of_orphans(cluster: ClusterConfig, cdk_args: Sequence[str]) -> None:
    """Name the stacks of this cluster that the file has no more; silent where the account cannot be asked.

    The CDK CLI says better than this what is wrong with credentials.
    """
    try:
        orphans = connect(cluster, cdk_args).find_orphans()
    except ToolError:
        return
    for name in orphans:
        click.echo(
            f"warning: the stack {name} stands in {cluster.region}, and the file has it no more; delete it "
            f"with `aws cloudformation delete-stack --region {cluster.region} --stack-name {name}`",
            err=True,
        )

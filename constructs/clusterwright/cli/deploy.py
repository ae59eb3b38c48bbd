"""``clusterwright deploy``: the pinned CDK CLI on the cluster's app, against a real account."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from clusterwright.cli.deployment import names_stacks, read_deployable, run_cdk, warn_of_orphans
from clusterwright.cli.findings import report_findings
from clusterwright.cli.options import cdk_args, cluster_file
from clusterwright.cli.stored_data import find_lost_data
from clusterwright.config.capacity import CapacityBlockCapacity
from clusterwright.process import EXIT_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clusterwright.config.cluster import ClusterConfig


def capacity_warnings(cluster: ClusterConfig, now: datetime) -> Iterator[str]:
    """One line for each pool whose capacity block does not run now, so that its nodes cannot start.

    Args:
        cluster: The cluster.
        now: The time of the deployment, in UTC.
    """
    for name, pool in cluster.pools.items():
        capacity = cluster.capacity.get(pool.capacity or "")
        if not isinstance(capacity, CapacityBlockCapacity) or pool.smallest_size == 0:
            continue
        if now < capacity.starts:
            yield (
                f"pools.{name}: capacity {pool.capacity} starts at {capacity.starts:%Y-%m-%d %H:%M} UTC; "
                f"until then its nodes cannot start: leave out the stack {cluster.name}-pool-{name}, "
                "or use min: 0"
            )
        if now >= capacity.ends:
            yield f"pools.{name}: capacity {pool.capacity} ended at {capacity.ends:%Y-%m-%d %H:%M} UTC"


@click.command()
@cluster_file
@cdk_args
def command(file: Path, cdk_args: tuple[str, ...]) -> None:
    """Deploy the cluster of FILE with the AWS CDK.

    All stacks are deployed, unless you name some after --, as in

        clusterwright deploy cluster.yaml -- atlas-network atlas-cluster

    The account must be bootstrapped once: see "A first deployment" in the documentation. A change that would
    part the cluster from its data, or that AWS refuses on storage that exists, stops it before anything is
    done. The exit code is the CDK's, or 1 with such a change.
    """
    cluster, reading = read_deployable(file)
    findings = find_lost_data(cluster, reading, cdk_args)
    report_findings(findings, stream=sys.stderr, texts={reading.file: reading.text})
    if any(finding.is_error for finding in findings):
        sys.exit(EXIT_ERRORS)
    for warning in capacity_warnings(cluster, datetime.now(tz=UTC)):
        click.echo(f"warning: {warning}", err=True)
    warn_of_orphans(cluster, cdk_args)
    selection = [] if names_stacks(cdk_args, cluster.name) else ["--all"]
    sys.exit(run_cdk(["deploy", *selection, *cdk_args], file))

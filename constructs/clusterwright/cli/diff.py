"""``clusterwright diff``: what a deployment would change."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterwright.cli.deployment import connect, require_deployable, run_cdk, warn_of_orphans
from clusterwright.cli.findings import report_findings
from clusterwright.cli.options import cdk_args, cluster_file
from clusterwright.data_changes import find_data_changes
from clusterwright.process import EXIT_ERRORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.errors import Finding


@click.command()
@cluster_file
@cdk_args
def command(file: Path, cdk_args: tuple[str, ...]) -> None:
    """Show what a deployment of FILE would change, resource by resource.

    A change that would part the cluster from its data, since CloudFormation makes a new file system or bucket
    for it, is an error. Options after -- go to the CDK CLI; the exit code is the CDK's, or 1 with such an
    error.
    """
    cluster = require_deployable(file)
    warn_of_orphans(cluster, cdk_args)
    with tempfile.TemporaryDirectory(prefix="clusterwright-") as folder:
        code = run_cdk(["diff", *cdk_args], file, output=Path(folder))
        findings = [] if code else find_lost_data(cluster, file, Path(folder), cdk_args)
    report_findings(findings, stream=sys.stderr)
    sys.exit(code or (EXIT_ERRORS if findings else 0))


def find_lost_data(
    cluster: ClusterConfig, file: Path, assembly: Path, cdk_args: Sequence[str]
) -> list[Finding]:
    """The changes that part the cluster from data, as errors.

    Args:
        cluster: What the file says.
        file: The file.
        assembly: The cloud assembly of the file.
        cdk_args: What goes to the CDK CLI; its profile counts here too.
    """
    stack = f"{cluster.name}-storage"
    deployed = connect(cluster, cdk_args).read_template(stack)
    template = assembly / f"{stack}.template.json"
    planned = json.loads(template.read_text()) if template.exists() else {}
    return [change.as_finding(str(file)) for change in find_data_changes(deployed, planned)]

"""``clusterwright diff``: what a deployment would change."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import click

from clusterwright.cli.deployment import read_deployable, run_cdk, warn_of_orphans
from clusterwright.cli.findings import report_findings
from clusterwright.cli.options import cdk_args, cluster_file
from clusterwright.cli.stored_data import find_lost_data
from clusterwright.process import EXIT_ERRORS


@click.command()
@cluster_file
@cdk_args
def command(file: Path, cdk_args: tuple[str, ...]) -> None:
    """Show what a deployment of FILE would change, resource by resource.

    A change that would part the cluster from its data, or that AWS refuses on storage that exists, is an
    error: deploy will stop at it. Options after -- go to the CDK CLI; the exit code is the CDK's, or 1 with
    such an error.
    """
    cluster, reading = read_deployable(file)
    warn_of_orphans(cluster, cdk_args)
    with tempfile.TemporaryDirectory(prefix="clusterwright-") as folder:
        code = run_cdk(["diff", *cdk_args], file, output=Path(folder))
        template = Path(folder) / f"{cluster.name}-storage.template.json"
        planned = json.loads(template.read_text()) if template.exists() else {}
    findings = [] if code else find_lost_data(cluster, reading, cdk_args, planned)
    report_findings(findings, stream=sys.stderr, texts={reading.file: reading.text})
    sys.exit(code or (EXIT_ERRORS if any(each.is_error for each in findings) else 0))

"""The CDK app as a process: what the CDK CLI and ``clusterwright synth`` run.

The file comes as CDK context, ``-c cluster=FILE``. The CDK costs a second to import, so it is imported once
the file has passed the checks.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from clusterwright.cdk_cli import FILE_CONTEXT, find_node
from clusterwright.checks import check_file
from clusterwright.errors import ClusterwrightError, UnreadableFileError
from clusterwright.process import EXIT_ERRORS, EXIT_INTERRUPTED, EXIT_USAGE, start_fast
from clusterwright.resolution import require_eks

if TYPE_CHECKING:
    from clusterwright.config.cluster import ClusterConfig


def main(default_file: Path | None = None) -> None:
    """Check the cluster.yaml, make its stacks and write the cloud assembly.

    Args:
        default_file: The cluster.yaml where the context names none.
    """
    context = json.loads(os.environ.get("CDK_CONTEXT_JSON", "{}"))
    named = context.get(FILE_CONTEXT)
    file = Path(named) if named else default_file
    if file is None:
        sys.exit(f"clusterwright: name a file: -c {FILE_CONTEXT}=FILE")
    start_fast()
    try:
        os.environ.setdefault("JSII_NODE", str(find_node()))
        cluster = _require_cluster(file)
        from clusterwright_stacks.app import build_app  # noqa: PLC0415  see the module's docstring

        build_app(cluster).synth()
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except ClusterwrightError as error:
        print(f"clusterwright: {error}", file=sys.stderr)  # noqa: T201  this is a program's last word
        sys.exit(EXIT_USAGE if isinstance(error, UnreadableFileError) else EXIT_ERRORS)


def _require_cluster(file: Path) -> ClusterConfig:
    reading = check_file(file)
    if reading.findings:
        # Most files have nothing to report, and need not load what prints it.
        from clusterwright.cli.findings import report_findings  # noqa: PLC0415  see above

        report_findings(reading.findings, stream=sys.stderr, texts={reading.file: reading.text})
    if reading.cluster is None:
        sys.exit(EXIT_ERRORS)
    require_eks(reading.cluster)
    return reading.cluster


if __name__ == "__main__":
    main()

"""What ``deploy`` and ``diff`` say of data: the file against the storage that stands in the account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.cli.deployment import connect
from clusterwright.data_changes import find_data_changes
from clusterwright.errors import ToolError
from clusterwright.resolution import resolve
from clusterwright.storage_record import has_storage, read_metadata, record_storage
from clusterwright.template_changes import find_replaced_resources

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.loading import Reading
    from clusterwright.errors import Finding


def find_lost_data(
    cluster: ClusterConfig,
    reading: Reading,
    cdk_args: Sequence[str],
    planned: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """The changes that part the cluster from data, or that AWS refuses on storage that exists.

    Args:
        cluster: What the file says.
        reading: The file.
        cdk_args: What goes to the CDK CLI; its profile counts here too.
        planned: The file's storage template, to look for what no field explains; not looked at unless given.

    Raises:
        ToolError: The file has storage, and the account does not say what stands in it.
    """
    try:
        deployed = connect(cluster, cdk_args).read_template(f"{cluster.name}-storage")
    except ToolError:
        if not has_storage(cluster):
            return []  # A file without storage changes none; the CDK CLI will say what is wrong.
        raise
    changes = find_data_changes(read_metadata(deployed), record_storage(resolve(cluster)))
    findings = [change.as_finding(reading.file, reading.source_map) for change in changes]
    if findings or planned is None:
        return findings
    return [change.as_finding(reading.file) for change in find_replaced_resources(deployed, planned)]

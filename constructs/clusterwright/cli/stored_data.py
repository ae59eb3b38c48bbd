"""What ``deploy`` and ``diff`` say of data: the file against the storage that stands in the account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.cli.deployment import connect
from clusterwright.data_changes import DataChange, find_data_changes
from clusterwright.errors import ToolError
from clusterwright.resolution import resolve
from clusterwright.storage_limits.buckets import name_bucket, name_express_bucket
from clusterwright.storage_record import has_storage, read_metadata, record_storage
from clusterwright.template_changes import find_replaced_resources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.loading import Reading
    from clusterwright.deployed import DeployedStorage
    from clusterwright.errors import Finding
    from clusterwright.resolution import ResolvedCluster
    from clusterwright.storage_record import Record

TAKEN_NAME, FORSAKEN = "DIF005", "DIF006"


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
    stack = f"{cluster.name}-storage"
    try:
        account = connect(cluster, cdk_args)
        deployed = account.read_template(stack)
    except ToolError:
        if not has_storage(cluster):
            return []  # A file without storage changes none; the CDK CLI will say what is wrong.
        raise
    record = read_metadata(deployed)
    resolved = resolve(cluster)
    changes = list(find_data_changes(record, record_storage(resolved)))
    if not deployed and has_storage(cluster):
        changes += _find_forsaken(account.find_users(stack), stack)
    changes += _find_taken_names(account.storage, resolved, record)
    findings = [change.as_finding(reading.file, reading.source_map) for change in changes]
    if findings or planned is None:
        return findings
    return [change.as_finding(reading.file) for change in find_replaced_resources(deployed, planned)]


def _find_forsaken(users: Sequence[str], stack: str) -> Iterator[DataChange]:
    """Stacks that still show what was in a storage stack that is gone.

    CloudFormation does not read another stack's outputs again for a template that is the same.
    """
    if users:
        message = f"{stack} is gone, and {', '.join(users)} would go on with what was in it"
        hint = f"destroy them first, with `clusterwright destroy FILE -- {' '.join(users)}`; then deploy all"
        yield DataChange(FORSAKEN, ("storage",), message, hint)


def _find_taken_names(
    storage: DeployedStorage, resolved: ResolvedCluster, record: Record
) -> Iterator[DataChange]:
    """Buckets that would be made and are there already: such a deployment fails in its midst."""
    new = [path for path in _made_buckets(record_storage(resolved)) if path not in _made_buckets(record)]
    if not new:
        return
    account = storage.find_account()
    names = {_name(path, resolved, account): path for path in new}
    for name, key in storage.find_buckets(names).items():
        path = tuple(names[name].split("."))
        item = path[-1]
        fields = f"existing: {name}" + (f", kms: {key}" if key else "")
        message = f"the bucket {name} exists already, and is not of the cluster's storage as it stands"
        hint = f"to go on with what is in it, write `{item}: {{{fields}}}`; or take another name than {item}"
        yield DataChange(TAKEN_NAME, path, message, hint)


def _made_buckets(record: Record) -> list[str]:
    """The paths of the buckets that a storage stack makes."""
    own = (path for path, fields in record.items() if "existing" not in fields)
    return [path for path in own if path.startswith(("storage.buckets.", "storage.express."))]


def _name(path: str, resolved: ResolvedCluster, account: str) -> str:
    _, section, item = path.split(".")
    cluster = resolved.config
    if section == "express":
        return name_express_bucket(cluster.name, item, account, resolved.zone)
    return name_bucket(cluster.name, item, account, cluster.region)

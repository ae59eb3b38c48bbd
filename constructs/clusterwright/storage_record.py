"""What a storage stack keeps of the file that made it, so that a later file can be held against it.

A template says what CloudFormation is to make, in which a field of the file is hard to find again: two files
with different zones give the same file system, in a subnet that another stack exports. So the fields that
cannot change on what exists are written into the template, in the file's own words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.config.base import LOSES_DATA
from clusterwright.storage_limits.performance import lustre_metadata_iops

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    from clusterwright.config.buckets import BucketConfig, ExpressConfig
    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.lustre import LinkConfig, LustreConfig
    from clusterwright.resolution import ResolvedCluster

Fields = dict[str, Any]
"""Fields of one item, as JSON."""

Record = dict[str, Fields]
"""The fields of each item, by its path in the file, such as ``storage.lustre.scratch``; and of the cluster,
under an empty path."""

PREFIX = "clusterwright:"
"""What keys of ours in a template's Metadata begin with."""

LINK_FIELDS = ("bucket", "prefix", "batch_import")
"""What CloudFormation replaces a link for, beside its path (CloudFormation's schema of
AWS::FSx::DataRepositoryAssociation, createOnlyProperties; November 2026)."""


def has_storage(cluster: ClusterConfig) -> bool:
    """Whether a file describes storage that gets a stack: buckets or file systems."""
    storage = cluster.storage
    return bool(storage.buckets or storage.express or storage.lustre or storage.home)


def record_storage(resolved: ResolvedCluster) -> Record:
    """The fields of a cluster's storage that cannot change on what exists, with their values."""
    storage = resolved.config.storage
    record = {"": {"zone": resolved.zone}}
    record |= {f"storage.buckets.{name}": _record_bucket(each) for name, each in storage.buckets.items()}
    record |= {f"storage.express.{name}": _record_bucket(each) for name, each in storage.express.items()}
    record |= {f"storage.lustre.{name}": _record_lustre(each) for name, each in storage.lustre.items()}
    if storage.home is not None:
        home = {"capacity_gib": storage.home.capacity_gib, "deployment": resolved.home_deployment}
        record["storage.home"] = _record_item(storage.home) | home
    return record


def as_metadata(record: Record) -> dict[str, Any]:
    """A record as a template's Metadata: an entry an item, so that a difference shows the item alone."""
    return {f"{PREFIX}{path or 'cluster'}": fields for path, fields in record.items()}


def read_metadata(template: Mapping[str, Any]) -> Record:
    """The record in a template; empty where there is none."""
    entries = template.get("Metadata", {}).items()
    own = {key.removeprefix(PREFIX): fields for key, fields in entries if key.startswith(PREFIX)}
    return {"" if path == "cluster" else path: fields for path, fields in own.items()}


def _record_item(item: BaseModel) -> Fields:
    """Whether an item outlives the cluster, and its fields whose change loses data."""
    names = [name for name, field in type(item).model_fields.items() if LOSES_DATA in field.metadata]
    values = {name: getattr(item, name) for name in [*names, "retain"]}
    return {name: value for name, value in values.items() if value is not None}


def _record_bucket(bucket: BucketConfig | ExpressConfig) -> Fields:
    """As others, with the key; the key of a bucket that exists is another's to change."""
    fields = _record_item(bucket)
    return fields if "existing" in fields else fields | {"kms": bucket.kms}


def _record_lustre(system: LustreConfig) -> Fields:
    sizes = {"capacity_gib": system.capacity_gib, "throughput_mbps": system.throughput_mbps}
    given = {name: size for name, size in sizes.items() if size is not None}
    links = {link.path: _record_link(link) for link in system.links}
    fields = _record_item(system) | given | {"metadata_iops": lustre_metadata_iops(system), "links": links}
    if system.type != "ssd":
        del fields["throughput_mbps_per_tib"]  # a default, which says nothing here
    return fields


def _record_link(link: LinkConfig) -> Fields:
    return {name: getattr(link, name) for name in LINK_FIELDS}

"""Storage constructs: S3 buckets, FSx file systems, and all of them together."""

from __future__ import annotations

from clusterwright.storage.access import StorageAccess
from clusterwright.storage.buckets import AccessLogBucket, ExpressBucket, StorageBucket
from clusterwright.storage.cluster_storage import ClusterStorage
from clusterwright.storage.lustre import LustreFileSystem
from clusterwright.storage.lustre_access import LustreClients, LustreSecurityGroup
from clusterwright.storage.openzfs import HomeFileSystem, HomeSecurityGroup

__all__ = [
    "AccessLogBucket",
    "ClusterStorage",
    "ExpressBucket",
    "HomeFileSystem",
    "HomeSecurityGroup",
    "LustreClients",
    "LustreFileSystem",
    "LustreSecurityGroup",
    "StorageAccess",
    "StorageBucket",
]

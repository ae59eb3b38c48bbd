"""The ``storage`` section: the tiers from the nodes' own disks to S3."""

from typing import Annotated, Literal

from pydantic import Field

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_NODES, Section
from clusterwright.config.buckets import BucketConfig, ExpressConfig
from clusterwright.config.fields import ItemName, Items, MountPath
from clusterwright.config.lustre import LustreConfig
from clusterwright.config.openzfs import OpenZfsConfig


class LocalNvmeConfig(Section):
    """The NVMe disks inside the nodes: fast, included in the price, and empty whenever a node is replaced."""

    raid: Annotated[Literal[0, "none"], REPLACES_NODES] = Field(
        default=0,
        description="`0` makes one striped volume of all disks of a node; `none` mounts each disk, as "
        "`MOUNT/0`, `MOUNT/1` and so on.",
    )
    mount: Annotated[MountPath, REPLACES_NODES] = Field(
        default="/scratch", description="Where nodes and pods find the disks."
    )
    uses: Annotated[
        Items[Literal["containerd", "scratch", "checkpoint-cache"]],
        REPLACES_NODES,
    ] = Field(
        default=("containerd", "scratch"),
        min_length=1,
        description="What is kept there: container images and pods' own files (`containerd`), files of jobs "
        "(`scratch`), the latest checkpoint before it goes to a lasting tier (`checkpoint-cache`). The last "
        "two are folders of these names in `MOUNT/0`, which anyone may write to.",
    )


class StorageConfig(Section):
    """Where data is kept: buckets, file systems and the nodes' own disks."""

    buckets: Annotated[dict[ItemName, BucketConfig], NO_INTERRUPTION] = Field(
        default={}, max_length=100, description="S3 buckets, by your own names."
    )
    express: Annotated[dict[ItemName, ExpressConfig], NO_INTERRUPTION] = Field(
        default={},
        max_length=20,
        description="S3 Express One Zone directory buckets in the cluster's zone, by your own names.",
    )
    lustre: Annotated[dict[ItemName, LustreConfig], NO_INTERRUPTION] = Field(
        default={},
        max_length=20,
        description="FSx for Lustre file systems in the cluster's zone, by your own names.",
    )
    home: Annotated[OpenZfsConfig | None, NO_INTERRUPTION] = Field(
        default=None, description="A file system for home directories. There is none, unless you describe it."
    )
    local_nvme: Annotated[LocalNvmeConfig | None, REPLACES_NODES] = Field(
        default=None,
        description="How the NVMe disks inside the nodes are used, on pools that have some. Unless you say, "
        "they are striped, and hold container images and pods' own files.",
    )

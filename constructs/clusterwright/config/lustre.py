"""FSx for Lustre: file systems that many nodes read and write at once, and their links to S3."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from clusterwright.config.base import LOSES_DATA, NO_INTERRUPTION, Section
from clusterwright.config.fields import (
    DirectoryPath,
    DistinctItems,
    EncryptionKey,
    ItemName,
    Items,
    MaintenanceTime,
    MountPath,
    ObjectPrefix,
    contradiction,
)

LinkEvent = Literal["new", "changed", "deleted"]

_FIELDS_OF_ONE_TYPE = {
    "ssd": ("capacity_gib", "throughput_mbps_per_tib"),
    "intelligent-tiering": ("throughput_mbps", "read_cache_gib"),
}
"""Fields that only one storage type has; the first of each must be given."""


class LinkConfig(Section):
    """A directory of a file system that shows what is under a prefix of a bucket."""

    bucket: Annotated[ItemName, NO_INTERRUPTION] = Field(
        description="Which entry of `storage.buckets` the directory shows. To change it, take the link out "
        "and deploy, then add it again and deploy; files that were imported stay."
    )
    path: Annotated[DirectoryPath, NO_INTERRUPTION] = Field(
        description="Directory of the file system, from its own top. No two links may share or contain one. "
        "It is changed as `bucket` is."
    )
    prefix: Annotated[ObjectPrefix, NO_INTERRUPTION] = Field(
        default="",
        description="Prefix of the objects that are shown. All of the bucket, unless you name one. It is "
        "changed as `bucket` is.",
    )
    import_: Annotated[DistinctItems[LinkEvent], NO_INTERRUPTION] = Field(
        default=("new", "changed", "deleted"),
        alias="import",
        description="Which changes in the bucket reach the file system by themselves. All, unless you name "
        "some.",
    )
    export: Annotated[DistinctItems[LinkEvent], NO_INTERRUPTION] = Field(
        default=(),
        description="Which changes in the file system reach the bucket by themselves. None, unless you name "
        "some.",
    )
    batch_import: Annotated[bool, NO_INTERRUPTION] = Field(
        default=True,
        description="Whether what the bucket holds is listed in the directory once the link is made. Only "
        "names and sizes are: contents are fetched as they are read. It is changed as `bucket` is.",
    )


class LustreConfig(Section):
    """An FSx for Lustre file system (PERSISTENT_2) in the cluster's zone."""

    type: Annotated[Literal["ssd", "intelligent-tiering"], LOSES_DATA] = Field(
        default="ssd",
        description="Storage type. `ssd` has a size that you choose and the throughput that goes with it; "
        "`intelligent-tiering` grows with what is in it, and has the throughput that you choose.",
    )
    capacity_gib: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        description="Size in GiB (2^30 bytes); for `ssd`, where it must be given. 1200, 2400, or a multiple "
        "of 2400; with `efa` larger steps. It can grow, in place, and never shrink.",
    )
    throughput_mbps_per_tib: Annotated[Literal[125, 250, 500, 1000], LOSES_DATA] = Field(
        default=250,
        description="Disk throughput in MB/s (10^6 bytes) for each TiB of size, which AWS counts as 1,000 "
        "GiB; for `ssd`. CloudFormation replaces the file system when it changes.",
    )
    throughput_mbps: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        description="Throughput of the whole file system in MB/s; for `intelligent-tiering`, where it must "
        "be given. A multiple of 4000. It can grow, in place, and never shrink.",
    )
    read_cache_gib: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        ge=0,
        description="Size of the SSD read cache in GiB; for `intelligent-tiering`. In proportion to the "
        "throughput, unless you give a size; 0 for no cache.",
    )
    efa: Annotated[bool, LOSES_DATA] = Field(
        default=False,
        description="Whether nodes with EFA reach the file system over EFA, and GPUs over GPUDirect "
        "Storage. Over TCP, unless you say so. It cannot be changed once the file system exists.",
    )
    metadata_iops: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        description="Metadata operations a second, such as creating or opening files. Unless you give a "
        "number, AWS chooses by the size for `ssd`, and `intelligent-tiering` gets 6000. It can grow, in "
        "place.",
    )
    compression: Annotated[Literal["lz4", "none"], NO_INTERRUPTION] = Field(
        default="lz4",
        description="How files are compressed as they are written. A change holds for new files.",
    )
    mount: Annotated[MountPath, NO_INTERRUPTION] = Field(
        default="/fsx",
        description="Directory at which Slurm's nodes mount the file system. On Kubernetes each pod chooses "
        "where it mounts the volume, whose annotation `clusterwright.dev/mount-path` tells the directory.",
    )
    links: Annotated[Items[LinkConfig], NO_INTERRUPTION] = Field(
        default=(), description="Directories that show a bucket. None, unless you give some."
    )
    pools: Annotated[Items[ItemName] | None, NO_INTERRUPTION] = Field(
        default=None,
        description="Pools that reach the file system. Every accelerated pool and no other, unless you name "
        "some.",
    )
    backup_days: Annotated[int, NO_INTERRUPTION] = Field(
        default=0,
        ge=0,
        le=90,
        description="Days that a daily backup is kept. There is no backup, unless you give a number.",
    )
    maintenance: Annotated[MaintenanceTime | None, NO_INTERRUPTION] = Field(
        default=None,
        description="When AWS may patch the file system, half an hour a week, in UTC. AWS chooses, unless "
        "you do.",
    )
    kms: Annotated[EncryptionKey, LOSES_DATA] = Field(
        default="aws",
        description="What encrypts data at rest: `aws` for the key that AWS manages for FSx, `own` for a "
        "KMS key that is made for the cluster's storage and outlives it, or the ARN of a KMS key.",
    )
    retain: Annotated[bool, NO_INTERRUPTION] = Field(
        default=True,
        description="Whether the file system outlives the cluster. It does, unless you say otherwise; then "
        "all that is in it is deleted with it.",
    )

    @model_validator(mode="after")
    def _has_the_fields_of_its_type(self) -> Self:
        for storage_type, fields in _FIELDS_OF_ONE_TYPE.items():
            given = sorted(self.model_fields_set.intersection(fields))
            if self.type != storage_type and given:
                raise contradiction(given[0], f"{' and '.join(given)} is for the type {storage_type} only")
            if self.type == storage_type and getattr(self, fields[0]) is None:
                raise contradiction("type", f"the type {storage_type} needs {fields[0]}")
        return self

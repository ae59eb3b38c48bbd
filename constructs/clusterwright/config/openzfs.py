"""FSx for OpenZFS: homes of the people who use the cluster."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from clusterwright.config.base import LOSES_DATA, NO_INTERRUPTION, Section
from clusterwright.config.fields import EncryptionKey, Items, MaintenanceTime, MountPath, contradiction

OpenZfsDeployment = Literal["single-az-1", "single-az-2", "single-az-ha-1", "single-az-ha-2", "multi-az-1"]

_LARGEST_ID = 2_147_483_647


class QuotaConfig(Section):
    """How much one user or one group may keep."""

    user: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=0, le=_LARGEST_ID, description="POSIX id of the user; give this or `group`."
    )
    group: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=0, le=_LARGEST_ID, description="POSIX id of the group; give this or `user`."
    )
    gib: Annotated[int, NO_INTERRUPTION] = Field(
        ge=0, le=_LARGEST_ID, description="Most that the user or the group may keep, in GiB (2^30 bytes)."
    )

    @model_validator(mode="after")
    def _is_of_one_owner(self) -> Self:
        if (self.user is None) == (self.group is None):
            raise contradiction("", "give user or group, one of them")
        return self


class OpenZfsConfig(Section):
    """An FSx for OpenZFS file system for home directories, over NFS."""

    kind: Annotated[Literal["openzfs"], LOSES_DATA] = Field(description="Which file system holds the homes.")
    capacity_gib: Annotated[int, NO_INTERRUPTION] = Field(
        ge=64,
        le=524_288,
        description="Size in GiB (2^30 bytes). It can grow by a tenth or more, in place, and never shrink.",
    )
    throughput_mbps: Annotated[int, NO_INTERRUPTION] = Field(
        description="Throughput of the file server in MB/s (10^6 bytes), one of the steps of the deployment "
        "type. A change makes homes pause for minutes on the types without high availability.",
    )
    deployment: Annotated[OpenZfsDeployment | None, LOSES_DATA] = Field(
        default=None,
        description="Deployment type. One zone with a standby server (`ha`) where the region has that, of "
        "the newest generation that has a step for the throughput, unless you choose.",
    )
    iops: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        description="Disk operations a second. 3 for each GiB of size, unless you give a number: no fewer, "
        "and no more than the deployment type, the size and the region allow.",
    )
    compression: Annotated[Literal["none", "lz4", "zstd"], NO_INTERRUPTION] = Field(
        default="lz4",
        description="How files are compressed: `zstd` saves more and costs more time. A change holds for "
        "what is written after it.",
    )
    quotas: Annotated[Items[QuotaConfig], NO_INTERRUPTION] = Field(
        default=(),
        max_length=500,
        description="How much single users and groups may keep. As much as there is, unless you give some. "
        "AWS takes 100, and up to 500 once you have asked for more.",
    )
    snapshots: Annotated[Literal["none", "daily", "weekly"], NO_INTERRUPTION] = Field(
        default="none",
        description="How often a snapshot is taken, which users find under `.zfs/snapshot` in the home's "
        "top. Never, unless you say so. Nothing deletes old snapshots.",
    )
    backup_days: Annotated[int, NO_INTERRUPTION] = Field(
        default=7, ge=0, le=90, description="Days that a daily backup is kept; 0 for no backup."
    )
    maintenance: Annotated[MaintenanceTime | None, NO_INTERRUPTION] = Field(
        default=None,
        description="When AWS may patch the file system, half an hour a week, in UTC. AWS chooses, unless "
        "you do.",
    )
    mount: Annotated[MountPath, NO_INTERRUPTION] = Field(
        default="/home",
        description="Directory at which Slurm's nodes mount the homes. On Kubernetes each pod chooses where "
        "it mounts the volume, whose annotation `clusterwright.dev/mount-path` tells the directory.",
    )
    kms: Annotated[EncryptionKey, LOSES_DATA] = Field(
        default="aws",
        description="What encrypts data at rest: `aws` for the key that AWS manages for FSx, `own` for a "
        "KMS key that is made for the cluster's storage, or the ARN of a KMS key.",
    )
    retain: Annotated[bool, NO_INTERRUPTION] = Field(
        default=True,
        description="Whether the homes outlive the cluster. They do, unless you say otherwise; then they "
        "are deleted with it.",
    )

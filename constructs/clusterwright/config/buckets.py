"""S3 buckets: general purpose ones with their lifecycle, and directory buckets of S3 Express One Zone."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from clusterwright.config.base import LOSES_DATA, NO_INTERRUPTION, Section
from clusterwright.config.fields import BucketName, EncryptionKey, ItemName, Items, contradiction

_DAYS = 36_500

_FIELDS_WITH_EXISTING = {"existing", "pools", "read_only", "kms"}
"""What may be said of a bucket that somebody else owns."""

_EXPRESS_FIELDS_WITH_EXISTING = {"existing", "pools", "kms"}
"""What may be said of a directory bucket that exists."""


class TransitionsConfig(Section):
    """After how many days objects move to a cheaper storage class; each class is left out unless you name it.

    All classes but the last two answer within milliseconds. Objects in `glacier` and `deep_archive` must be
    restored, which takes minutes to days, before anything can read them.
    """

    standard_ia: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=0, le=_DAYS, description="Days until Standard-IA: cheaper to keep, dearer to read."
    )
    intelligent_tiering: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        ge=0,
        le=_DAYS,
        description="Days until Intelligent-Tiering, where S3 moves each object by how often it is read.",
    )
    onezone_ia: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        ge=0,
        le=_DAYS,
        description="Days until One Zone-IA: as Standard-IA, in one zone only, so it does not survive that "
        "zone.",
    )
    glacier_ir: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        ge=0,
        le=_DAYS,
        description="Days until Glacier Instant Retrieval: for what is read once a quarter, at once.",
    )
    glacier: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        ge=0,
        le=_DAYS,
        description="Days until Glacier Flexible Retrieval: reading takes minutes to hours.",
    )
    deep_archive: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=0, le=_DAYS, description="Days until Glacier Deep Archive: reading takes half a day."
    )

    @property
    def days(self) -> dict[str, int]:
        """Days by storage class, for the classes that are named, from the dearest class to the cheapest."""
        found = ((name, getattr(self, name)) for name in type(self).model_fields)
        return {name: days for name, days in found if days is not None}


class BucketConfig(Section):
    """An S3 bucket: private, reached over TLS only, encrypted; or one that exists."""

    existing: Annotated[BucketName | None, LOSES_DATA] = Field(
        default=None,
        description="Name of a bucket that exists, instead of a new one. clusterwright changes nothing in "
        "it, so that only `pools`, `read_only` and `kms` may be given beside it. It must be in the "
        "cluster's region. A change leaves the data where it is.",
    )
    pools: Annotated[Items[ItemName] | None, NO_INTERRUPTION] = Field(
        default=None,
        description="Pools whose workloads may use the bucket. Every accelerated pool and no other, unless "
        "you name some.",
    )
    read_only: Annotated[bool, NO_INTERRUPTION] = Field(
        default=False,
        description="Whether the pools may read and not write. They may do both, unless you say so.",
    )
    tiering: Annotated[Literal["none", "intelligent"], NO_INTERRUPTION] = Field(
        default="none",
        description="`intelligent` lets S3 move objects that nobody reads to cheaper tiers, at once "
        "available. Objects stay in S3 Standard, unless you say so.",
    )
    transitions: Annotated[TransitionsConfig | None, NO_INTERRUPTION] = Field(
        default=None,
        description="When objects move to a cheaper storage class. They do not, unless you say so.",
    )
    expire_days: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        ge=1,
        le=_DAYS,
        description="Days until an object is deleted, such as an old checkpoint. Never, unless you say so.",
    )
    noncurrent_days: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None,
        ge=1,
        le=_DAYS,
        description="Days until a version is deleted that was overwritten or deleted. Never, unless you say "
        "so.",
    )
    versioned: Annotated[bool, NO_INTERRUPTION] = Field(
        default=True,
        description="Whether S3 keeps what is overwritten or deleted, as older versions, which are paid for.",
    )
    abort_incomplete_days: Annotated[int, NO_INTERRUPTION] = Field(
        default=7,
        ge=1,
        le=_DAYS,
        description="Days until the parts of an upload that never ended are deleted; they are invisible and "
        "paid for.",
    )
    kms: Annotated[EncryptionKey, NO_INTERRUPTION] = Field(
        default="aws",
        description="What encrypts objects at rest: `aws` for keys that S3 manages, `own` for a KMS key "
        "that is made for the cluster's storage and outlives it, or the ARN of a KMS key. A key in the place "
        "of `aws` holds for new objects; a key cannot be changed, since older objects are read with it. "
        "Beside `existing`, the ARN of the key that the bucket has, for pods to read it with.",
    )
    retain: Annotated[bool, NO_INTERRUPTION] = Field(
        default=True,
        description="Whether the bucket outlives the cluster. It does, unless you say otherwise; then all "
        "that is in it is deleted with it.",
    )

    @model_validator(mode="after")
    def _describes_one_bucket(self) -> Self:
        _refuse_settings(self, _FIELDS_WITH_EXISTING)
        if self.noncurrent_days is not None and not self.versioned:
            raise contradiction("noncurrent_days", "only a versioned bucket has versions to delete")
        if self.tiering == "intelligent" and self.transitions is not None:
            raise contradiction("transitions", "give tiering: intelligent or transitions, not both")
        return self


class ExpressConfig(Section):
    """A directory bucket of S3 Express One Zone in the cluster's zone: near and fast, without versions."""

    existing: Annotated[BucketName | None, LOSES_DATA] = Field(
        default=None,
        description="Name of a directory bucket that exists, instead of a new one, such as "
        "`hot--usw2-az3--x-s3`. clusterwright changes nothing in it, so that only `pools` and `kms` may be "
        "given beside it. A change leaves the data where it is.",
    )
    pools: Annotated[Items[ItemName] | None, NO_INTERRUPTION] = Field(
        default=None,
        description="Pools whose workloads may use the bucket. Every accelerated pool and no other, unless "
        "you name some.",
    )
    expire_days: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=1, le=_DAYS, description="Days until an object is deleted. Never, unless you say so."
    )
    abort_incomplete_days: Annotated[int, NO_INTERRUPTION] = Field(
        default=7,
        ge=1,
        le=_DAYS,
        description="Days until the parts of an upload that never ended are deleted.",
    )
    kms: Annotated[EncryptionKey, NO_INTERRUPTION] = Field(
        default="aws",
        description="What encrypts objects at rest: `aws` for keys that S3 manages, `own` for a KMS key "
        "that is made for the cluster's storage and outlives it, or the ARN of a KMS key. A key in the place "
        "of `aws` holds for new objects; a directory bucket has no second key in its life. "
        "Beside `existing`, the ARN of the key that the bucket has.",
    )
    retain: Annotated[bool, NO_INTERRUPTION] = Field(
        default=True,
        description="Whether the bucket outlives the cluster. It does, unless you say otherwise; then it is "
        "deleted once it is empty.",
    )

    @model_validator(mode="after")
    def _describes_one_bucket(self) -> Self:
        _refuse_settings(self, _EXPRESS_FIELDS_WITH_EXISTING)
        return self


def _refuse_settings(bucket: BucketConfig | ExpressConfig, known: set[str]) -> None:
    """Refuse settings of a bucket that exists, which keeps those that it has."""
    if bucket.existing is None:
        return
    clashing = sorted(bucket.model_fields_set - known)
    if clashing:
        raise contradiction(
            "existing", f"a bucket that exists keeps the settings it has: remove {', '.join(clashing)} here"
        )
    if bucket.kms == "own":
        raise contradiction("kms", "a bucket that exists has its key: give that key's ARN, or nothing")

"""S3 buckets, private and encrypted, and directory buckets of S3 Express One Zone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from aws_cdk import Aws, Duration, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_s3express as s3express
from constructs import Construct

from clusterwright.guardrails import acknowledge
from clusterwright.storage.retention import keep_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aws_cdk import CfnResource
    from aws_cdk import aws_kms as kms

    from clusterwright.config.buckets import BucketConfig, ExpressConfig

STORAGE_CLASSES = {
    "standard_ia": s3.StorageClass.INFREQUENT_ACCESS,
    "intelligent_tiering": s3.StorageClass.INTELLIGENT_TIERING,
    "onezone_ia": s3.StorageClass.ONE_ZONE_INFREQUENT_ACCESS,
    "glacier_ir": s3.StorageClass.GLACIER_INSTANT_RETRIEVAL,
    "glacier": s3.StorageClass.GLACIER,
    "deep_archive": s3.StorageClass.DEEP_ARCHIVE,
}

ACCESS_LOG_DAYS = 90


class AccessLogBucket(Construct):
    """The bucket that the others write their access logs to; logs go after ninety days.

    Attributes:
        bucket: The bucket.
        emptying: What empties it before it is deleted, or None where it is retained. The buckets that log to
            it must be gone by then, so they depend on this.
    """

    def __init__(self, scope: Construct, construct_id: str, *, is_retained: bool = True) -> None:
        """Make the bucket.

        Args:
            scope: The parent.
            construct_id: The id.
            is_retained: Whether it outlives its stack.
        """
        super().__init__(scope, construct_id)
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            lifecycle_rules=[s3.LifecycleRule(id="expire", expiration=Duration.days(ACCESS_LOG_DAYS))],
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            removal_policy=RemovalPolicy.RETAIN if is_retained else RemovalPolicy.DESTROY,
            auto_delete_objects=not is_retained,
        )
        keep_data(cast("s3.CfnBucket", self.bucket.node.default_child), is_retained=is_retained)
        emptying = self.bucket.node.try_find_child("AutoDeleteObjectsCustomResource")
        self.emptying = cast("CfnResource", emptying.node.default_child) if emptying else None
        self.bucket.add_to_resource_policy(
            iam.PolicyStatement(
                principals=[iam.ServicePrincipal("logging.s3.amazonaws.com")],
                actions=["s3:PutObject"],
                resources=[self.bucket.arn_for_objects("*")],
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            )
        )
        acknowledge(
            self.bucket,
            "AwsSolutions::AwsSolutions-S1",
            "This bucket holds the access logs of the others; logging its own would never end",
        )


class StorageBucket(Construct):
    """A bucket for datasets, checkpoints or artifacts; or one that exists.

    Private, TLS only, encrypted. A bucket that holds data is never deleted by a change that replaces it.

    Attributes:
        bucket: The bucket.
        bucket_name: Its name; spelled out where it was given, so that other stacks need no export of it.
        key: The KMS key that encrypts it, or None.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        config: BucketConfig,
        name: str | None = None,
        key: kms.IKey | None = None,
        access_logs: AccessLogBucket | None = None,
    ) -> None:
        """Make the bucket, or refer to the one that exists.

        Args:
            scope: The parent.
            construct_id: The id; a change makes another bucket.
            config: Lifecycle, versions, and whether it outlives the cluster.
            name: Its name; CloudFormation picks one unless given.
            key: KMS key; keys that S3 manages unless given.
            access_logs: Where its access logs go; nowhere unless given.
        """
        super().__init__(scope, construct_id)
        self.key = key
        if config.existing is not None:
            self.bucket: s3.IBucket = s3.Bucket.from_bucket_name(self, "Existing", config.existing)
            self.bucket_name = config.existing
            return
        bucket = s3.Bucket(
            self,
            "Bucket",
            bucket_name=name,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            bucket_key_enabled=True if key else None,
            encryption=s3.BucketEncryption.KMS if key else s3.BucketEncryption.S3_MANAGED,
            encryption_key=key,
            enforce_ssl=True,
            lifecycle_rules=list(make_lifecycle_rules(config)),
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            versioned=config.versioned,
            removal_policy=RemovalPolicy.RETAIN if config.retain else RemovalPolicy.DESTROY,
            auto_delete_objects=not config.retain,
        )
        resource = cast("s3.CfnBucket", bucket.node.default_child)
        keep_data(resource, is_retained=config.retain)
        if access_logs is not None:
            if access_logs.emptying is not None:
                resource.add_resource_dependency(access_logs.emptying)
            resource.logging_configuration = s3.CfnBucket.LoggingConfigurationProperty(
                destination_bucket_name=access_logs.bucket.bucket_name, log_file_prefix=f"{construct_id}/"
            )
        self.bucket = bucket
        self.bucket_name = name or bucket.bucket_name

    @property
    def bucket_arn(self) -> str:
        """ARN of the bucket."""
        return f"arn:{Aws.PARTITION}:s3:::{self.bucket_name}"


def make_lifecycle_rules(config: BucketConfig) -> Iterator[s3.LifecycleRule]:
    """The lifecycle rules of a bucket, one a purpose."""
    yield s3.LifecycleRule(
        id="abort-incomplete-uploads",
        abort_incomplete_multipart_upload_after=Duration.days(config.abort_incomplete_days),
    )
    days = config.transitions.days if config.transitions else {}
    if config.tiering == "intelligent":
        days = {"intelligent_tiering": 0}
    if days:
        yield s3.LifecycleRule(
            id="move-to-cheaper-classes",
            transitions=[
                s3.Transition(storage_class=STORAGE_CLASSES[name], transition_after=Duration.days(after))
                for name, after in days.items()
            ],
        )
    if config.expire_days is not None:
        yield s3.LifecycleRule(id="expire", expiration=Duration.days(config.expire_days))
    if config.noncurrent_days is not None:
        yield s3.LifecycleRule(
            id="expire-old-versions",
            noncurrent_version_expiration=Duration.days(config.noncurrent_days),
            expired_object_delete_marker=None if config.expire_days else True,
        )


class ExpressBucket(Construct):
    """A directory bucket of S3 Express One Zone; or one that exists.

    Attributes:
        bucket_name: Its name, which ends with the zone id and ``--x-s3``.
        bucket_arn: Its ARN.
        key: The KMS key that encrypts it, or None.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        config: ExpressConfig,
        name: str,
        zone: str,
        is_local_zone: bool = False,
        key: kms.IKey | None = None,
    ) -> None:
        """Make the bucket, or refer to the one that exists.

        Args:
            scope: The parent.
            construct_id: The id; a change makes another bucket.
            config: Lifecycle, and whether it outlives the cluster.
            name: The name of a new one, which ends with the zone id and ``--x-s3``.
            zone: Zone id.
            is_local_zone: Whether that is a local zone's.
            key: KMS key; keys that S3 manages unless given.
        """
        super().__init__(scope, construct_id)
        self.key = key
        owner = f"{Stack.of(self).region}:{Aws.ACCOUNT_ID}"
        self.bucket_name = config.existing or name
        self.bucket_arn = f"arn:{Aws.PARTITION}:s3express:{owner}:bucket/{self.bucket_name}"
        if config.existing is not None:
            return
        encryption = (
            {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": key.key_arn} if key else {"sseAlgorithm": "AES256"}
        )
        bucket = s3express.CfnDirectoryBucket(
            self,
            "Bucket",
            bucket_name=name,
            data_redundancy="SingleLocalZone" if is_local_zone else "SingleAvailabilityZone",
            location_name=zone,
            bucket_encryption={
                "serverSideEncryptionConfiguration": [
                    {"serverSideEncryptionByDefault": encryption, "bucketKeyEnabled": True if key else None}
                ]
            },
            lifecycle_configuration={"rules": _make_directory_rules(config)},
        )
        keep_data(bucket, is_retained=config.retain)


def _make_directory_rules(config: ExpressConfig) -> list[dict[str, object]]:
    rules: list[dict[str, object]] = [
        {
            "id": "abort-incomplete-uploads",
            "status": "Enabled",
            "abortIncompleteMultipartUpload": {"daysAfterInitiation": config.abort_incomplete_days},
        }
    ]
    if config.expire_days is not None:
        rules.append({"id": "expire", "status": "Enabled", "expirationInDays": config.expire_days})
    return rules

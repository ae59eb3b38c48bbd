"""S3: buckets and their policies."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.errors import ResourceRefusedError
from clusterwright.localcloud.resources.resource_type import Made, ResourceType, tag_pairs
from clusterwright.localcloud.resources.s3_lifecycle import api_rules
from clusterwright.localcloud.rules.lifecycles import lifecycle_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

LONGEST_NAME = 63


class Bucket(ResourceType):
    """A general purpose bucket and its settings."""

    name = "AWS::S3::Bucket"

    def create(self, request: Request) -> Made:
        """Make it.

        Raises:
            ResourceRefusedError: A setting that the embedded AWS does not keep, or that S3 refuses.
        """
        properties = request.properties
        unknown = sorted(properties.keys() - SETTINGS.keys() - {"BucketName"})
        if unknown:
            raise ResourceRefusedError(f"the embedded AWS does not keep {', '.join(unknown)} of a bucket")
        self._refuse_lifecycle(properties)
        bucket = properties.get("BucketName", request.generated_name(LONGEST_NAME).lower())
        location = {"LocationConstraint": request.account.region}
        options = {} if request.account.region == "us-east-1" else {"CreateBucketConfiguration": location}
        request.client("s3").create_bucket(Bucket=bucket, **options)
        self._configure(request, bucket, frozenset(properties))
        domain = f"{bucket}.s3.{request.account.region}.amazonaws.com"
        return Made(
            bucket,
            {
                "Arn": f"arn:aws:s3:::{bucket}",
                "DomainName": f"{bucket}.s3.amazonaws.com",
                "RegionalDomainName": domain,
            },
        )

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change settings, and take away those that the template drops."""
        if not changed <= SETTINGS.keys():
            return super().update(request, current, changed)
        self._refuse_lifecycle(request.properties)
        self._configure(request, current.physical_id, changed)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; S3 refuses while anything is in it."""
        account.client("s3").delete_bucket(Bucket=current.physical_id)

    @staticmethod
    def _refuse_lifecycle(properties: Mapping[str, Any]) -> None:
        rules = properties.get("LifecycleConfiguration", {}).get("Rules", [])
        problems = [problem for rule in rules for problem in lifecycle_problems(rule)]
        if problems:
            raise ResourceRefusedError(" ".join(problems))

    @staticmethod
    def _configure(request: Request, bucket: str, names: frozenset[str]) -> None:
        for name in sorted(names & SETTINGS.keys()):
            SETTINGS[name](request.client("s3"), bucket, request.properties.get(name))


class BucketPolicy(ResourceType):
    """The policy of a bucket."""

    name = "AWS::S3::BucketPolicy"

    def create(self, request: Request) -> Made:
        """Write it."""
        bucket = request.properties["Bucket"]
        self._put(request, bucket)
        return Made(bucket)

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Write it anew."""
        del changed
        self._put(request, request.properties["Bucket"])
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Take it away."""
        account.client("s3").delete_bucket_policy(Bucket=current.physical_id)

    @staticmethod
    def _put(request: Request, bucket: str) -> None:
        policy = json.dumps(request.properties["PolicyDocument"])
        request.client("s3").put_bucket_policy(Bucket=bucket, Policy=policy)


def _put_acl(s3: Any, bucket: str, value: str | None) -> None:  # noqa: ANN401  boto3
    """Write a canned access list, such as ``LogDeliveryWrite``, which S3 calls ``log-delivery-write``."""
    s3.put_bucket_acl(Bucket=bucket, ACL=re.sub("(?<!^)([A-Z])", r"-\1", value or "Private").lower())


def _put_encryption(s3: Any, bucket: str, value: Mapping[str, Any] | None) -> None:  # noqa: ANN401  boto3
    if value is None:
        s3.delete_bucket_encryption(Bucket=bucket)
        return
    rules = []
    for rule in value["ServerSideEncryptionConfiguration"]:
        converted = dict(rule)
        if "ServerSideEncryptionByDefault" in rule:
            converted["ApplyServerSideEncryptionByDefault"] = converted.pop("ServerSideEncryptionByDefault")
        rules.append(converted)
    s3.put_bucket_encryption(Bucket=bucket, ServerSideEncryptionConfiguration={"Rules": rules})


def _put_lifecycle(s3: Any, bucket: str, value: Mapping[str, Any] | None) -> None:  # noqa: ANN401  boto3
    if value is None:
        s3.delete_bucket_lifecycle(Bucket=bucket)
    else:
        configuration = {"Rules": api_rules(value["Rules"])}
        s3.put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration=configuration)


def _put_logging(s3: Any, bucket: str, value: Mapping[str, Any] | None) -> None:  # noqa: ANN401  boto3
    status = {}
    if value is not None:
        target = {"TargetBucket": value.get("DestinationBucketName", bucket)}
        status = {"LoggingEnabled": {**target, "TargetPrefix": value.get("LogFilePrefix", "")}}
    s3.put_bucket_logging(Bucket=bucket, BucketLoggingStatus=status)


def _put_ownership(s3: Any, bucket: str, value: Mapping[str, Any] | None) -> None:  # noqa: ANN401  boto3
    if value is None:
        s3.delete_bucket_ownership_controls(Bucket=bucket)
    else:
        s3.put_bucket_ownership_controls(Bucket=bucket, OwnershipControls=value)


def _put_public_access(s3: Any, bucket: str, value: Mapping[str, Any] | None) -> None:  # noqa: ANN401  boto3
    if value is None:
        s3.delete_public_access_block(Bucket=bucket)
    else:
        s3.put_public_access_block(Bucket=bucket, PublicAccessBlockConfiguration=value)


def _put_tags(s3: Any, bucket: str, value: list[Mapping[str, str]] | None) -> None:  # noqa: ANN401  boto3
    if value is None:
        s3.delete_bucket_tagging(Bucket=bucket)
    else:
        s3.put_bucket_tagging(Bucket=bucket, Tagging={"TagSet": tag_pairs({"Tags": value})})


def _put_versioning(s3: Any, bucket: str, value: Mapping[str, Any] | None) -> None:  # noqa: ANN401  boto3
    status = (value or {"Status": "Suspended"})["Status"]
    s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": status})


SETTINGS: Mapping[str, Callable[[Any, str, Any], None]] = {
    "AccessControl": _put_acl,
    "BucketEncryption": _put_encryption,
    "LifecycleConfiguration": _put_lifecycle,
    "LoggingConfiguration": _put_logging,
    "OwnershipControls": _put_ownership,
    "PublicAccessBlockConfiguration": _put_public_access,
    "Tags": _put_tags,
    "VersioningConfiguration": _put_versioning,
}
"""How each setting reaches S3; without a value it is taken away."""

TYPES: tuple[ResourceType, ...] = (Bucket(), BucketPolicy())

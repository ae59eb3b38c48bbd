"""S3: buckets and their policies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.resource_type import Made, ResourceType, tag_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

LONGEST_NAME = 63


class Bucket(ResourceType):
    """A bucket with its encryption, versions, public access block and tags."""

    name = "AWS::S3::Bucket"
    changeable = frozenset(
        {
            "BucketEncryption",
            "LifecycleConfiguration",
            "PublicAccessBlockConfiguration",
            "Tags",
            "VersioningConfiguration",
        }
    )

    def create(self, request: Request) -> Made:
        """Make it."""
        bucket = request.properties.get("BucketName", request.generated_name(LONGEST_NAME).lower())
        location = {"LocationConstraint": request.account.region}
        options = {} if request.account.region == "us-east-1" else {"CreateBucketConfiguration": location}
        request.client("s3").create_bucket(Bucket=bucket, **options)
        self._configure(request, bucket, self.changeable & request.properties.keys())
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
        """Change what can change."""
        if not changed <= self.changeable:
            return super().update(request, current, changed)
        self._configure(request, current.physical_id, changed)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; S3 refuses while anything is in it."""
        account.client("s3").delete_bucket(Bucket=current.physical_id)

    @staticmethod
    def _configure(request: Request, bucket: str, names: frozenset[str]) -> None:
        s3, properties = request.client("s3"), request.properties
        if "BucketEncryption" in names:
            s3.put_bucket_encryption(
                Bucket=bucket, ServerSideEncryptionConfiguration=_encryption(properties["BucketEncryption"])
            )
        if "VersioningConfiguration" in names:
            status = properties.get("VersioningConfiguration", {}).get("Status", "Suspended")
            s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": status})
        if "PublicAccessBlockConfiguration" in names:
            block = properties.get("PublicAccessBlockConfiguration", {})
            s3.put_public_access_block(Bucket=bucket, PublicAccessBlockConfiguration=block)
        if "LifecycleConfiguration" in names:
            rules = [_lifecycle_rule(rule) for rule in properties["LifecycleConfiguration"]["Rules"]]
            s3.put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration={"Rules": rules})
        if "Tags" in names:
            s3.put_bucket_tagging(Bucket=bucket, Tagging={"TagSet": tag_pairs(properties)})


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


def _encryption(properties: Mapping[str, Any]) -> dict[str, Any]:
    """CloudFormation's encryption in the words of S3's API."""
    rules = []
    for rule in properties["ServerSideEncryptionConfiguration"]:
        converted = dict(rule)
        if "ServerSideEncryptionByDefault" in rule:
            converted["ApplyServerSideEncryptionByDefault"] = converted.pop("ServerSideEncryptionByDefault")
        rules.append(converted)
    return {"Rules": rules}


def _lifecycle_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """CloudFormation's lifecycle rule in the words of S3's API."""
    converted: dict[str, Any] = {"Status": rule["Status"], "Filter": {"Prefix": rule.get("Prefix", "")}}
    if "Id" in rule:
        converted["ID"] = rule["Id"]
    if "ExpirationInDays" in rule:
        converted["Expiration"] = {"Days": int(rule["ExpirationInDays"])}
    if "NoncurrentVersionExpiration" in rule:
        converted["NoncurrentVersionExpiration"] = rule["NoncurrentVersionExpiration"]
    if "AbortIncompleteMultipartUpload" in rule:
        converted["AbortIncompleteMultipartUpload"] = rule["AbortIncompleteMultipartUpload"]
    return converted


TYPES: tuple[ResourceType, ...] = (Bucket(), BucketPolicy())

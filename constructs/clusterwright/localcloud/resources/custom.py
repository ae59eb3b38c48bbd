"""Custom resources: what a template gives to a Lambda function of its own to do.

The functions are there and never run; for those of the CDK, what they would do is done here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ResourceRefusedError
from clusterwright.localcloud.resources.resource_type import Made, ResourceType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

PREFIX = "Custom::"
EMPTYING_TAG = {"Key": "aws-cdk:auto-delete-objects", "Value": "true"}
"""The tag without which the CDK's function empties no bucket."""


class CustomResource(ResourceType):
    """A custom resource of the CDK."""

    required: ClassVar[frozenset[str]]
    optional: ClassVar[frozenset[str]] = frozenset()

    def check(self, request: Request) -> None:
        """Refuse missing and unknown properties, and a function that is not there.

        Raises:
            ResourceRefusedError: Something is wrong.
        """
        names = request.properties.keys()
        wrong = sorted((self.required - names) | (names - self.required - self.optional))
        if wrong:
            raise ResourceRefusedError(f"{self.name}: missing or unknown properties {', '.join(wrong)}")
        describe_function(request.account, request.properties["ServiceToken"])


class AutoDeleteObjects(CustomResource):
    """The CDK's function that empties a bucket before it is deleted."""

    name = "Custom::S3AutoDeleteObjects"
    required = frozenset({"ServiceToken", "BucketName"})
    replaced_by = frozenset({"BucketName"})

    def create(self, request: Request) -> Made:
        """Do nothing yet."""
        self.check(request)
        return Made(request.properties["BucketName"])

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete every version of every object, where the bucket has the tag for it."""
        s3, bucket = account.client("s3"), current.physical_id
        try:
            tags = s3.get_bucket_tagging(Bucket=bucket)["TagSet"]
        except ClientError:
            return
        if EMPTYING_TAG not in tags:
            return
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
            for item in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]:
                s3.delete_object(Bucket=bucket, Key=item["Key"], VersionId=item["VersionId"])


def describe_function(account: Account, arn: str) -> Mapping[str, Any]:
    """The configuration of a function.

    Raises:
        ResourceRefusedError: There is none.
    """
    try:
        found: Mapping[str, Any] = account.client("lambda").get_function_configuration(FunctionName=arn)
    except ClientError as error:
        raise ResourceRefusedError(f"the function {arn} does not exist") from error
    return found


TYPES: tuple[ResourceType, ...] = (AutoDeleteObjects(),)

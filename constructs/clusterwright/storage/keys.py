"""The KMS key of a cluster's storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from aws_cdk import Aws, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms

from clusterwright.storage.retention import keep_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aws_cdk import CfnResource
    from constructs import Construct

LINK_ROLES = "aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_*"
"""The service-linked roles by which FSx reads and writes linked buckets, one a file system."""


def make_storage_key(
    scope: Construct, construct_id: str, *, name: str, linked_buckets: Sequence[str] = ()
) -> kms.Key:
    """Make a key that rotates, and outlives its stack.

    It does even where the file retains nothing that it encrypts: an item that was taken out of an earlier
    file, and stayed behind, is as good as deleted without its key, and no file tells of that item.

    Args:
        scope: The parent.
        construct_id: The id.
        name: Name of the cluster.
        linked_buckets: Names of the buckets with this key that Lustre file systems are linked to.
    """
    key = kms.Key(scope, construct_id, description=f"Storage of {name}", enable_key_rotation=True)
    keep_data(cast("CfnResource", key.node.default_child), is_retained=True)
    if linked_buckets:
        key.add_to_resource_policy(_admit_links(Stack.of(scope).region, linked_buckets))
    return key


def _admit_links(region: str, buckets: Sequence[str]) -> iam.PolicyStatement:
    """Let FSx use the key for objects of linked buckets, and for nothing else.

    The roles do not exist before the file systems, and KMS refuses principals that do not exist; so anybody
    is named, under the condition of being one of the roles, in this account, through S3. Its actions and
    conditions are those of the FSx for Lustre user guide, "Working with server-side encrypted Amazon S3
    buckets" (read November 2026); with S3 Bucket Keys the context is the bucket, without them the object.
    """
    arns = [f"arn:{Aws.PARTITION}:s3:::{bucket}{rest}" for bucket in buckets for rest in ("", "/*")]
    return iam.PolicyStatement(
        sid="LustreLinks",
        principals=[iam.AnyPrincipal()],
        actions=["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*"],
        resources=["*"],
        conditions={
            "ArnLike": {"aws:PrincipalArn": f"arn:{Aws.PARTITION}:iam::{Aws.ACCOUNT_ID}:role/{LINK_ROLES}"},
            "StringEquals": {
                "kms:CallerAccount": Aws.ACCOUNT_ID,
                "kms:ViaService": f"s3.{region}.amazonaws.com",
            },
            "StringLike": {"kms:EncryptionContext:aws:s3:arn": arns},
        },
    )

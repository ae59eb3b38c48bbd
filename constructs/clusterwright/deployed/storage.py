"""The storage that stands in the account, whatever the file says of it now.

A file tells what a cluster is to have. What was taken out of an earlier file, what a destroyed cluster left
behind, and what the deletion of a stack would delete, only the account knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from clusterwright.deployed.stacks import asking, list_resources, list_stacks, read_template
from clusterwright.labels import CLUSTER_TAG

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from types_boto3_cloudformation import CloudFormationClient
    from types_boto3_ec2 import EC2Client
    from types_boto3_ec2.type_defs import FilterTypeDef
    from types_boto3_s3 import S3Client

    from clusterwright.config.cluster import ClusterConfig

FILE_SYSTEM, GROUP, KEY = "AWS::FSx::FileSystem", "AWS::EC2::SecurityGroup", "AWS::KMS::Key"

KEPT_KINDS = {
    "AWS::S3::Bucket": "bucket",
    "AWS::S3Express::DirectoryBucket": "directory bucket",
    FILE_SYSTEM: "file system",
    KEY: "KMS key",
}
"""What people are told of, where it stays behind."""

DIRECTORY_SUFFIX = "--x-s3"
"""What the names of directory buckets end in (Amazon S3 user guide, "Directory bucket naming rules"; November
2026)."""


@dataclass(frozen=True, slots=True)
class KeptThing:
    """Something that outlives the stack that made it.

    Attributes:
        kind: Such as ``bucket``.
        id: Its name or id; a key's ARN, which ``kms`` takes in a file.
    """

    kind: str
    id: str

    def __str__(self) -> str:
        """Such as ``bucket atlas--data-111122223333-us-east-2``."""
        return f"{self.kind} {self.id}"


class DeployedStorage:
    """The storage of a cluster as it stands.

    Every question raises ToolError, with AWS's words, where AWS does not answer it.
    """

    def __init__(self, cluster: ClusterConfig, client: Callable[[str], Any]) -> None:
        """Ask through these clients.

        Args:
            cluster: What the file says.
            client: Makes clients of AWS's services, in the cluster's region.
        """
        self._cluster = cluster
        self._client = client
        self._cloudformation: CloudFormationClient = client("cloudformation")
        self._stack = f"{cluster.name}-storage"

    def find_lasting_stacks(self) -> tuple[str, ...]:
        """The stacks that outlive the cluster: where a file system stays, the network's and the storage's.

        A file system has interfaces in the network's subnets and in security groups, so that neither can be
        deleted while it stands. Buckets are in no network: they alone keep no stack.
        """
        standing = list_stacks(self._cloudformation, self._cluster.name)
        lasting = [name for name in (f"{self._cluster.name}-network", self._stack) if name in standing]
        return tuple(lasting) if lasting and self._staying_file_systems(standing) else ()

    def find_kept(self) -> tuple[KeptThing, ...]:
        """The buckets, file systems and keys that would outlive the storage stack."""
        return tuple(
            KeptThing(KEPT_KINDS[kind], self._key_arn(name) if kind == KEY else name)
            for kind, name, is_kept in self._resources()
            if is_kept and kind in KEPT_KINDS
        )

    def delete_loose_groups(self) -> None:
        """Delete this cluster's security groups that no stack has any more, as far as nothing uses them.

        They stayed with file systems that were taken out of the file, and that somebody has deleted since.
        While they are there, neither their VPC can be deleted nor the groups that they name.
        """
        ec2: EC2Client = self._client("ec2")
        tag: FilterTypeDef = {"Name": f"tag:{CLUSTER_TAG}", "Values": [self._cluster.name]}
        owned = set(self._ids_in_stacks(GROUP))
        with asking("EC2 does not delete the security groups that no stack has"):
            pages = ec2.get_paginator("describe_security_groups").paginate(Filters=[tag])
            groups = [group["GroupId"] for page in pages for group in page["SecurityGroups"]]
            for group in (each for each in groups if each not in owned):
                _delete_unless_used(ec2, group)

    def find_buckets(self, names: Collection[str]) -> dict[str, str | None]:
        """Those of some buckets that the account has, each with its KMS key, or None without one."""
        s3: S3Client = self._client("s3")
        with asking("S3 does not list the buckets"):
            found = {
                row["Name"] for page in s3.get_paginator("list_buckets").paginate() for row in page["Buckets"]
            }
            if any(name.endswith(DIRECTORY_SUFFIX) for name in names):
                pages = s3.get_paginator("list_directory_buckets").paginate()
                found |= {row["Name"] for page in pages for row in page["Buckets"]}
        return {name: _find_key(s3, name) for name in names if name in found}

    def find_account(self) -> str:
        """The account's id."""
        with asking("STS does not tell the account"):
            return str(self._client("sts").get_caller_identity()["Account"])

    def _staying_file_systems(self, standing: Collection[str]) -> set[str]:
        """This cluster's file systems that the deletion of the storage stack would leave."""
        fsx: Any = self._client("fsx")
        tag = {"Key": CLUSTER_TAG, "Value": self._cluster.name}
        with asking("FSx does not list the file systems"):
            pages = fsx.get_paginator("describe_file_systems").paginate()
            rows = [row for page in pages for row in page["FileSystems"] if tag in row.get("Tags", [])]
        existing = self._cluster.network.existing
        vpcs = {existing.vpc} if existing else set(self._ids_in_stacks("AWS::EC2::VPC", standing))
        own = {row["FileSystemId"] for row in rows if row.get("VpcId") in vpcs}
        return own - self._doomed_file_systems()

    def _doomed_file_systems(self) -> set[str]:
        """Those that go with their stack; none, where the file has come to retain one since."""
        storage = self._cluster.storage
        keeps_home = storage.home is not None and storage.home.retain
        if keeps_home or any(system.retain for system in storage.lustre.values()):
            return set()
        return {name for kind, name, is_kept in self._resources() if kind == FILE_SYSTEM and not is_kept}

    def _resources(self) -> Iterator[tuple[str, str, bool]]:
        """Type and id of each resource of the storage stack, and whether it outlives the stack."""
        declared = read_template(self._cloudformation, self._stack).get("Resources", {})
        for row in list_resources(self._cloudformation, self._stack) if declared else []:
            policy = declared.get(row["LogicalResourceId"], {}).get("DeletionPolicy", "Delete")
            yield row["ResourceType"], row.get("PhysicalResourceId", ""), policy.startswith("Retain")

    def _ids_in_stacks(self, kind: str, stacks: Collection[str] | None = None) -> Iterator[str]:
        """The ids of all resources of a type in this cluster's stacks."""
        for stack in stacks or list_stacks(self._cloudformation, self._cluster.name):
            for row in list_resources(self._cloudformation, stack):
                if row["ResourceType"] == kind:
                    yield row.get("PhysicalResourceId", "")

    def _key_arn(self, key: str) -> str:
        meta = self._cloudformation.meta
        return f"arn:{meta.partition}:kms:{meta.region_name}:{self.find_account()}:key/{key}"


def _delete_unless_used(ec2: EC2Client, group: str) -> None:
    try:
        ec2.delete_security_group(GroupId=group)
    except ClientError as error:
        if error.response["Error"]["Code"] != "DependencyViolation":
            raise


def _find_key(s3: S3Client, bucket: str) -> str | None:
    """The ARN of a bucket's KMS key; None without one, or where the caller may not know."""
    try:
        encryption = s3.get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]
    except ClientError:
        return None
    defaults = (rule.get("ApplyServerSideEncryptionByDefault") for rule in encryption["Rules"])
    keys = (each.get("KMSMasterKeyID", "") for each in defaults if each)
    return next((key for key in keys if key.startswith("arn:")), None)

"""The lifecycle scripts of SageMaker HyperPod, where HyperPod looks for them."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from aws_cdk import Aws, RemovalPolicy, Stack, Token
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_s3_deployment as s3_deployment
from constructs import Construct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import aws_iam as iam
    from aws_cdk import aws_kms as kms

    from clusterwright_lifecycle.bundles import Bundle

BUCKET_PREFIX = "sagemaker-"
"""HyperPod takes scripts from no other bucket (SageMaker API, ClusterLifeCycleConfig, November 2026)."""

ENTRY = "on_create.sh"


class HyperPodScripts(Construct):
    """A folder a pool in a bucket, each named after what is in it.

    Another version of the scripts is another folder, and the former one stays until the cluster goes: an
    instance group that is rolled back finds what it started from.

    Attributes:
        bucket: The bucket.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        cluster_name: str,
        bundles: Mapping[str, Bundle],
        key: kms.IKey | None = None,
    ) -> None:
        """Make the bucket and fill it.

        Args:
            scope: The parent.
            construct_id: The id.
            cluster_name: Name of the cluster; part of the bucket's name.
            bundles: The files of each pool; names of file systems in them may be known at deployment only.
            key: KMS key of the bucket; keys that S3 manages unless given.
        """
        super().__init__(scope, construct_id)
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            bucket_name=f"{BUCKET_PREFIX}{cluster_name}-{Aws.ACCOUNT_ID}-{Aws.REGION}",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            bucket_key_enabled=True if key else None,
            encryption=s3.BucketEncryption.KMS if key else s3.BucketEncryption.S3_MANAGED,
            encryption_key=key,
            enforce_ssl=True,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            removal_policy=RemovalPolicy.DESTROY,
            auto_delete_objects=True,
        )
        self._folders = {pool: f"{pool}/{self._digest(bundle)}" for pool, bundle in bundles.items()}
        files = {
            f"{self._folders[pool]}/{name}": text
            for pool, bundle in bundles.items()
            for name, text in bundle.files.items()
        }
        self._deployment = self._deploy(files)

    def _deploy(self, files: Mapping[str, str]) -> s3_deployment.BucketDeployment:
        """Put files into the bucket: as one archive, but for those that are only known at deployment."""
        open_files = {name: text for name, text in files.items() if Token.is_unresolved(text)}
        with tempfile.TemporaryDirectory() as folder:
            for name in files.keys() - open_files.keys():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(files[name], encoding="utf-8")
            # The CDK copies the folder as it makes the deployment.
            return s3_deployment.BucketDeployment(
                self,
                "Files",
                destination_bucket=self.bucket,
                sources=[
                    s3_deployment.Source.asset(folder),
                    *(s3_deployment.Source.data(name, text) for name, text in open_files.items()),
                ],
                prune=False,
                memory_limit=512,
            )

    def source_uri(self, pool: str) -> str:
        """What ``LifeCycleConfig.SourceS3Uri`` of a pool's instance group takes; `ENTRY` is its ``OnCreate``.

        It is known once the files are there, so that whatever uses it waits for them.
        """
        return f"s3://{self._deployment.deployed_bucket.bucket_name}/{self._folders[pool]}"

    def grant_read(self, role: iam.IRole, pool: str) -> None:
        """Let the execution role of a pool's instance group fetch its folder, and no other's."""
        self.bucket.grant_read(role, f"{pool}/*")

    def _digest(self, bundle: Bundle) -> str:
        """The same for the same files; a name that is known at deployment counts as what it refers to."""
        files = Stack.of(self).resolve(bundle.files)
        return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:16]

"""The scripts that nodes run, as an asset of the deployment."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from aws_cdk import Aws, FileAssetPackaging, Stack, Stage
from aws_cdk import aws_iam as iam
from constructs import Construct

from clusterwright.guardrails import acknowledge_wildcard
from clusterwright_lifecycle.archives import pack

if TYPE_CHECKING:
    from collections.abc import Mapping


class NodeScripts(Construct):
    """The scripts that all pools of a cluster share, in the bucket for the deployment's assets.

    They are one archive, named after what is in it: nodes check that they got these bytes and no others.
    The keys of all archives of a cluster begin alike, and its nodes may read former ones too: those of a
    pool whose update is not there yet, or was rolled back, find what they were made for.

    Attributes:
        url: Where the archive is, as ``s3://BUCKET/KEY``.
        sha256: Its SHA-256, in hexadecimal.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, cluster_name: str, files: Mapping[str, str]
    ) -> None:
        """Make the archive.

        Args:
            scope: The parent.
            construct_id: The id.
            cluster_name: Name of the cluster; part of the archive's key.
            files: The scripts, by their path in the archive.
        """
        super().__init__(scope, construct_id)
        content = pack(files)
        self.sha256 = hashlib.sha256(content).hexdigest()
        name = f"asset.{self.sha256}.tar"
        stage = Stage.of(self)
        assert stage is not None  # noqa: S101  an app is a stage
        (Path(stage.outdir) / name).write_bytes(content)
        # The construct for assets makes a bucket and a fingerprint of its own, which takes ten times as long.
        # What it takes for the asset's hash becomes its key.
        location = Stack.of(self).synthesizer.add_file_asset(
            file_name=name,
            packaging=FileAssetPackaging.FILE,
            source_hash=f"clusterwright/{cluster_name}/node-scripts/{self.sha256}",
        )
        self.url = f"s3://{location.bucket_name}/{location.object_key}"
        self._bucket = location.bucket_name
        self._keys = location.object_key.removesuffix(f"{self.sha256}.tar") + "*"

    def grant_read(self, role: iam.IRole) -> None:
        """Let a role fetch this cluster's archives, and nothing else that is in the bucket."""
        role.add_to_principal_policy(
            iam.PolicyStatement(
                actions=["s3:GetObject"],
                resources=[f"arn:{Aws.PARTITION}:s3:::{self._bucket}/{self._keys}"],
            )
        )
        acknowledge_wildcard(
            role,
            f"arn:{Aws.PARTITION}:s3:::{self._show_bucket()}/{self._keys}",
            "they are the scripts of this cluster's nodes, also those of a pool that is rolled back",
        )

    def _show_bucket(self) -> str:
        """The bucket's name, with what is known at deployment in the form of cdk-nag's findings."""
        name = Stack.of(self).resolve(self._bucket)
        text: str = name["Fn::Sub"] if isinstance(name, dict) else name
        return text.replace("${", "<").replace("}", ">")

"""The scripts that nodes run, as assets of the deployment."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3_assets as s3_assets
from constructs import Construct

from clusterwright_lifecycle.archives import pack

if TYPE_CHECKING:
    from collections.abc import Mapping


class NodeScripts(Construct):
    """The scripts that all pools of a cluster share, in the bucket for the deployment's assets.

    They are one archive, named after what is in it: nodes check that they got these bytes and no others.

    Attributes:
        url: Where the archive is, as ``s3://BUCKET/KEY``.
        sha256: Its SHA-256, in hexadecimal.
    """

    def __init__(self, scope: Construct, construct_id: str, *, files: Mapping[str, str]) -> None:
        """Make the archive.

        Args:
            scope: The parent.
            construct_id: The id.
            files: The scripts, by their path in the archive.
        """
        super().__init__(scope, construct_id)
        content = pack(files)
        self.sha256 = hashlib.sha256(content).hexdigest()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scripts.tar"
            path.write_bytes(content)
            # The CDK copies the file as it makes the asset.
            self._asset = s3_assets.Asset(self, "Archive", path=str(path))
        self.url = f"s3://{self._asset.s3_bucket_name}/{self._asset.s3_object_key}"

    def grant_read(self, role: iam.IRole) -> None:
        """Let a role fetch the archive, and nothing else that is in the bucket."""
        role.add_to_principal_policy(
            iam.PolicyStatement(
                actions=["s3:GetObject"],
                resources=[self._asset.bucket.arn_for_objects(self._asset.s3_object_key)],
            )
        )

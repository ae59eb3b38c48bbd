"""A mirror in S3, from where nodes of a closed network fetch it through the gateway endpoint."""

from __future__ import annotations

import base64
import hashlib
import re
from contextlib import suppress
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from clusterwright.errors import ClusterwrightError, ToolError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    from types_boto3_s3 import S3Client

ADDRESS = re.compile(r"s3://(?P<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(?P<prefix>[\w!.*'()/-]+?))?/?$")

ABSENT = ("404", "NoSuchKey", "NotFound")


class BucketMirror:
    """A prefix of a bucket. S3 checks each upload against its SHA-256, and keeps that beside the object."""

    def __init__(self, address: str, *, client: S3Client) -> None:
        """Use a prefix of a bucket that exists.

        Args:
            address: ``s3://BUCKET/PREFIX``.
            client: Client for S3.

        Raises:
            ClusterwrightError: The address is none.
        """
        found = ADDRESS.match(address)
        if found is None:
            raise ClusterwrightError(f"{address} is no address in S3, such as s3://atlas-mirror/2026.11")
        self.address = address.rstrip("/")
        self.bucket = found["bucket"]
        self._prefix = f"{found['prefix']}/" if found["prefix"] else ""
        self._client = client

    @classmethod
    def connect(cls, address: str, *, profile: str | None = None, region: str | None = None) -> BucketMirror:
        """Use the credentials of a profile, or those that boto3 finds.

        Raises:
            ClusterwrightError: The address is none, or there is no such profile.
        """
        try:
            client = boto3.Session(profile_name=profile, region_name=region).client("s3")
        except BotoCoreError as error:
            raise ToolError(str(error)) from error
        return cls(address, client=client)

    @property
    def scratch(self) -> Path | None:
        """The system's own place for temporary files."""
        return None

    def digest_of(self, file: str) -> str | None:
        """The SHA-256 that S3 keeps of an object, or None where there is no object, or none of ours."""
        try:
            head = self._client.head_object(Bucket=self.bucket, Key=self._key(file), ChecksumMode="ENABLED")
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") in ABSENT:
                return None
            raise self._explain(error) from error
        except BotoCoreError as error:
            raise self._explain(error) from error
        kept = head.get("ChecksumSHA256", "")
        # Of an object that was uploaded in parts S3 keeps a checksum of checksums, which says nothing here.
        return base64.b64decode(kept).hex() if kept and "-" not in kept else None

    def read(self, file: str) -> str | None:
        """The text of an object of an earlier run, or None."""
        try:
            answer = self._client.get_object(Bucket=self.bucket, Key=self._key(file))
            return answer["Body"].read().decode("utf-8", "replace")
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") in ABSENT:
                return None
            raise self._explain(error) from error
        except BotoCoreError as error:
            raise self._explain(error) from error

    def store(self, file: str, content: Path, sha256: str) -> None:
        """Upload a file, in one part."""
        with content.open("rb") as stream:
            self._put(file, stream, sha256)

    def store_text(self, file: str, text: str) -> None:
        """Replace an object by a text; S3 shows the old one or the new one."""
        content = text.encode()
        self._put(file, content, hashlib.sha256(content).hexdigest())

    def discard(self, file: str) -> None:
        """Remove an object, where the caller may; who only writes need not have the right to delete."""
        with suppress(BotoCoreError, ClientError):
            self._client.delete_object(Bucket=self.bucket, Key=self._key(file))

    def _put(self, file: str, body: bytes | IO[bytes], sha256: str) -> None:
        try:
            self._client.put_object(
                Bucket=self.bucket,
                Key=self._key(file),
                Body=body,
                ChecksumAlgorithm="SHA256",
                ChecksumSHA256=base64.b64encode(bytes.fromhex(sha256)).decode(),
            )
        except (BotoCoreError, ClientError) as error:
            raise self._explain(error) from error

    def _key(self, file: str) -> str:
        return f"{self._prefix}{file}"

    def _explain(self, error: Exception) -> ToolError:
        return ToolError(f"{self.address}: {error}")

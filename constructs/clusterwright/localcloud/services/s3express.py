"""S3 Express One Zone: directory buckets, beside what moto's S3 does with the objects in them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from moto.s3.models import s3_backends

from clusterwright.localcloud.account import ACCESS_KEY_ID, SECRET_ACCESS_KEY
from clusterwright.localcloud.errors import ApiError
from clusterwright.localcloud.rules.directory_buckets import directory_bucket_problems, key_problems
from clusterwright.localcloud.rules.lookup import zone_types
from clusterwright.localcloud.service import Service, operation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account

SUFFIX = "--x-s3"
SESSION_MINUTES = 5


class S3ExpressService(Service):
    """What is signed for S3 Express; every operation that is not here falls through to moto's S3."""

    model = "s3"

    def __init__(self, account: Account) -> None:
        super().__init__(account)
        self._keys: dict[str, str] = {}
        """The KMS key of each bucket that has or has had one."""

    @operation
    def create_session(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Credentials for a bucket.

        It need not exist: with an endpoint of one's own, boto3 asks for them even before it makes the bucket.
        """
        del params
        return {
            "Credentials": {
                "AccessKeyId": ACCESS_KEY_ID,
                "SecretAccessKey": SECRET_ACCESS_KEY,
                "SessionToken": "embedded",
                "Expiration": datetime.now(UTC) + timedelta(minutes=SESSION_MINUTES),
            }
        }

    @operation
    def create_bucket(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Make a directory bucket."""
        name, configuration = params["Bucket"], params.get("CreateBucketConfiguration") or {}
        location = configuration.get("Location") or {}
        for problem in directory_bucket_problems(name, location, zone_types(self.account)):
            raise ApiError("InvalidBucketName", problem)
        if name in self._buckets():
            raise ApiError("BucketAlreadyOwnedByYou", f"The bucket {name} exists.")
        self._backend().create_bucket(name, self.account.region)
        self._keys.pop(name, None)
        return {
            "Location": f"http://{name}.s3express-{location['Name']}.{self.account.region}.amazonaws.com/"
        }

    @operation
    def put_bucket_encryption(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Choose what encrypts new objects."""
        name, (rule,) = params["Bucket"], params["ServerSideEncryptionConfiguration"]["Rules"]
        key = rule["ApplyServerSideEncryptionByDefault"].get("KMSMasterKeyID")
        for problem in key_problems(name, self._keys.get(name), key):
            raise ApiError("InvalidRequest", problem)
        if key is not None:
            self._keys[name] = key
        self._backend().put_bucket_encryption(name, {"Rule": rule})
        return {}

    @operation
    def list_buckets(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Every directory bucket: ListDirectoryBuckets is ListBuckets with another signature."""
        del params
        return {
            "Buckets": [
                {"Name": name, "CreationDate": bucket.creation_date, "BucketRegion": self.account.region}
                for name, bucket in sorted(self._buckets().items())
            ]
        }

    def _buckets(self) -> dict[str, Any]:
        return {name: item for name, item in self._backend().buckets.items() if name.endswith(SUFFIX)}

    def _backend(self) -> Any:  # noqa: ANN401  moto is untyped
        return s3_backends[self.account.id]["aws"]

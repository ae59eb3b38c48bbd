"""S3 Express One Zone: directory buckets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.errors import ResourceRefusedError
from clusterwright.localcloud.resources.resource_type import Made, ResourceType
from clusterwright.localcloud.resources.s3 import SETTINGS
from clusterwright.localcloud.rules.lookup import zone_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

KEPT = frozenset({"BucketEncryption", "LifecycleConfiguration", "Tags"})


class DirectoryBucket(ResourceType):
    """A bucket in one zone."""

    name = "AWS::S3Express::DirectoryBucket"

    def create(self, request: Request) -> Made:
        """Make it."""
        properties, zone = request.properties, request.properties["LocationName"]
        unknown = sorted(properties.keys() - KEPT - {"BucketName", "DataRedundancy", "LocationName"})
        if unknown:
            raise ResourceRefusedError(f"the embedded AWS does not keep {', '.join(unknown)} of a bucket")
        bucket = properties.get("BucketName", f"{request.generated_name(24).lower()}--{zone}--x-s3")
        configuration = {
            "Location": {"Type": "AvailabilityZone", "Name": zone},
            "Bucket": {"Type": "Directory", "DataRedundancy": properties["DataRedundancy"]},
        }
        request.client("s3").create_bucket(Bucket=bucket, CreateBucketConfiguration=configuration)
        self._configure(request, bucket, KEPT & properties.keys())
        return Made(
            bucket,
            {
                "Arn": request.account.arn("s3express", f"bucket/{bucket}"),
                "AvailabilityZoneName": zone_names(request.account)[zone],
            },
        )

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change its settings."""
        if not changed <= KEPT:
            return super().update(request, current, changed)
        self._configure(request, current.physical_id, changed)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; S3 refuses while anything is in it."""
        account.client("s3").delete_bucket(Bucket=current.physical_id)

    @staticmethod
    def _configure(request: Request, bucket: str, names: frozenset[str]) -> None:
        for name in sorted(names):
            SETTINGS[name](request.client("s3"), bucket, request.properties.get(name))


TYPES: tuple[ResourceType, ...] = (DirectoryBucket(),)

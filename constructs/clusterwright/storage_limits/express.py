"""Where S3 Express One Zone exists."""

from __future__ import annotations

from clusterwright.hardware import Source

ZONES_SOURCE = Source(
    "Amazon S3 user guide, S3 Express One Zone Availability Zones and Regions",
    "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-Endpoints.html",
    "November 2026",
)

ZONES: dict[str, tuple[str, ...]] = {
    "us-east-1": ("use1-az4", "use1-az5", "use1-az6"),
    "us-east-2": ("use2-az1", "use2-az2"),
    "us-west-2": ("usw2-az1", "usw2-az3", "usw2-az4"),
    "ap-south-1": ("aps1-az1", "aps1-az3"),
    "ap-northeast-1": ("apne1-az1", "apne1-az4"),
    "eu-west-1": ("euw1-az1", "euw1-az3"),
    "eu-north-1": ("eun1-az1", "eun1-az2", "eun1-az3"),
}
"""Zone ids by region (`ZONES_SOURCE`)."""


def express_zones(region: str) -> tuple[str, ...]:
    """The zone ids of a region that have S3 Express One Zone, as far as is known."""
    return ZONES.get(region, ())


def has_express(zone: str) -> bool:
    """Whether the zone with this id has S3 Express One Zone, as far as is known."""
    return any(zone in zones for zones in ZONES.values())

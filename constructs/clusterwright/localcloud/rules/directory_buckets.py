"""S3 Express One Zone: names, places and keys of directory buckets.

Sources: S3 user guide, "Directory bucket naming rules" and "Using server-side encryption with AWS KMS keys
(SSE-KMS) in directory buckets", read 2026-11-20.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = re.compile(r"(?P<base>[a-z0-9][a-z0-9-]*[a-z0-9])--(?P<zone>[a-z0-9-]+)--x-s3")
LONGEST_NAME = 63


def directory_bucket_problems(
    name: str, location: Mapping[str, Any], zone_types: Mapping[str, str]
) -> Iterator[str]:
    """What S3 refuses in a new directory bucket.

    Args:
        name: Such as ``hot--usw2-az3--x-s3``.
        location: As CreateBucket takes it, with ``Type`` and ``Name``.
        zone_types: The kind of each zone of the region, by zone id.
    """
    match, zone = NAME.fullmatch(name), location.get("Name")
    if match is None or len(name) > LONGEST_NAME:
        yield f"{name} is not a name of a directory bucket: at most 63 characters, BASE--ZONEID--x-s3."
    elif match["zone"] != zone:
        yield f"{name} names the zone {match['zone']}, but its location is {zone}."
    if zone not in zone_types:
        yield f"There is no zone {zone} in this region."


def key_problems(name: str, former: str | None, key: str | None) -> Iterator[str]:
    """What S3 refuses in a directory bucket's encryption: it has one KMS key in its life.

    Args:
        name: The bucket's.
        former: The key that it has, or has had; None where there was none.
        key: The key that it is to have; None for S3's own.
    """
    if former is not None and key is not None and key != former:
        yield f"{name} has the KMS key {former}, and can have no other."

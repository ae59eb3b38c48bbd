"""S3: which lifecycle rules make sense.

Source: S3 user guide, "Transitioning objects using Amazon S3 Lifecycle" and "Lifecycle configuration
elements", read 2026-11-20.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ORDER = ("STANDARD_IA", "INTELLIGENT_TIERING", "ONEZONE_IA", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE")


def lifecycle_problems(rule: Mapping[str, Any]) -> Iterator[str]:
    """What S3 refuses in a rule of a general purpose bucket.

    Args:
        rule: As CloudFormation writes it.
    """
    if "ExpirationInDays" in rule and "ExpiredObjectDeleteMarker" in rule:
        yield "ExpiredObjectDeleteMarker cannot be specified with Days in a lifecycle expiration."
    moves = sorted(
        (int(item["TransitionInDays"]), item["StorageClass"])
        for item in rule.get("Transitions", [])
        if "TransitionInDays" in item
    )
    for (_, first), (_, second) in pairwise(moves):
        if ORDER.index(first) >= ORDER.index(second):
            yield f"Objects cannot move from {first} to {second}."
    if moves and "ExpirationInDays" in rule and int(rule["ExpirationInDays"]) <= moves[-1][0]:
        yield f"Days of the expiration must be more than those of the transition to {moves[-1][1]}."

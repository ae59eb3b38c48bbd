"""What S3 accepts as a bucket's name and lifecycle."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from clusterwright.config.spelling import say_nearest
from clusterwright.hardware import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME_SOURCE = Source(
    "Amazon S3 user guide, Bucket naming rules",
    "https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html",
    "November 2026",
)
TRANSITIONS_SOURCE = Source(
    "Amazon S3 user guide, Transitioning objects using Amazon S3 Lifecycle",
    "https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html",
    "November 2026",
)
EARLY_SOURCE = Source(
    "Amazon S3 API reference, Transition, Days; its editions differ",
    "https://docs.aws.amazon.com/AmazonS3/latest/API/API_Transition.html",
    "November 2026",
)

BUCKET_NAME_LENGTH = 63
"""Most characters of a bucket's name (`NAME_SOURCE`)."""

_RESERVED_PREFIXES = ("xn--", "sthree-", "amzn-s3-demo-")
_RESERVED_SUFFIXES = ("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3")

STORAGE_CLASSES = {
    "standard_ia": "STANDARD_IA",
    "intelligent_tiering": "INTELLIGENT_TIERING",
    "onezone_ia": "ONEZONE_IA",
    "glacier_ir": "GLACIER_IR",
    "glacier": "GLACIER",
    "deep_archive": "DEEP_ARCHIVE",
}
"""S3's name of each class; objects only ever move from a class to a later one (`TRANSITIONS_SOURCE`)."""

_NEVER_FOLLOW = ("onezone_ia", "glacier_ir")

CHARGED_DAYS = {"standard_ia": 30, "onezone_ia": 30}
"""Days that S3 charges for in a class, however soon an object leaves it (`EARLY_SOURCE`).

In earlier editions of the API reference these were also the least age at which objects may move to the class,
and the least time that they stay; the edition read here takes any number of days.
"""


def name_bucket(cluster: str, name: str, account: str, region: str) -> str:
    """The name of one of the cluster's buckets: always the same, and unlike that of any other cluster.

    No name of ours has two hyphens together, so ``atlas--dev-data`` is not ``atlas-dev--data``.
    """
    return f"{cluster}--{name}-{account}-{region}"


def name_express_bucket(cluster: str, name: str, account: str, zone: str) -> str:
    """The name of a directory bucket, which AWS wants to end in the zone's id."""
    return f"{cluster}--{name}-{account}--{zone}--x-s3"


def explain_bucket_name(name: str) -> str:
    """What is wrong with a bucket's name, or empty. The name has the right characters and length."""
    if ".." in name or ".-" in name or "-." in name:
        return "dots must stand between letters or digits"
    if re.fullmatch(r"[0-9]+(\.[0-9]+){3}", name):
        return "it has the form of an IP address"
    for prefix in _RESERVED_PREFIXES:
        if name.startswith(prefix):
            return f"names that begin with {prefix} belong to S3"
    for suffix in _RESERVED_SUFFIXES:
        if name.endswith(suffix):
            return f"names that end in {suffix} are not those of general purpose buckets"
    return ""


def explain_express_name(name: str) -> str:
    """What is wrong with a directory bucket's name, or empty; see `explain_bucket_name`."""
    if re.fullmatch(r"[a-z0-9][a-z0-9-]*--[a-z0-9-]+--x-s3", name) is None:
        return "such a name is BASE--ZONEID--x-s3"
    return ""


def explain_order(days: Mapping[str, int]) -> dict[str, str]:
    """What is wrong with each transition that S3 refuses, by storage class.

    Args:
        days: Days by storage class, as `TransitionsConfig.days` gives them.
    """
    pairs = pairwise([each for each in STORAGE_CLASSES if each in days])
    faults = {after: _explain_move(before, after, days) for before, after in pairs}
    return {each: fault for each, fault in faults.items() if fault}


def suggest_days(storage_class: str, days: Mapping[str, int]) -> str:
    """How to mend a transition that S3 refuses, with the nearest days that it accepts.

    Args:
        storage_class: A class that `explain_order` finds fault with.
        days: Days by storage class.
    """
    ordered = [each for each in STORAGE_CLASSES if each in days]
    before = ordered[ordered.index(storage_class) - 1]
    if (before, storage_class) == _NEVER_FOLLOW:
        return f"remove {before} or {storage_class}"
    changes = {storage_class: days[before] + 1, before: days[storage_class] - 1}
    faults = explain_order(days).keys()
    mends = [
        f"{number} for {each}"
        for each, number in changes.items()
        if number >= 0 and explain_order({**days, each: number}).keys() < faults
    ]
    last = f"give {storage_class} {changes[storage_class]} or more, and each class after it more still"
    return say_nearest(mends) or last


def _explain_move(before: str, after: str, days: Mapping[str, int]) -> str:
    if (before, after) == _NEVER_FOLLOW:
        return "objects never move from onezone_ia to glacier_ir"
    if days[after] > days[before]:
        return ""
    return (
        f"it comes after {before}, where objects move at {days[before]} days, so {days[before] + 1} days are "
        "the least"
    )


def explain_haste(days: Mapping[str, int]) -> dict[str, str]:
    """What speaks against each transition that may come too soon, by storage class.

    Args:
        days: Days by storage class, as `TransitionsConfig.days` gives them.
    """
    faults = {}
    ordered = [each for each in STORAGE_CLASSES if each in days]
    for before, after in pairwise(["standard", *ordered]):
        least = max(CHARGED_DAYS.get(after, 0), days.get(before, 0) + CHARGED_DAYS.get(before, 0))
        if days[after] < least:
            faults[after] = f"{least} days are the least that earlier S3 accepted, and that costs no more"
    return faults

"""Versions in their natural order, whatever their publisher's habit.

Drivers count ``580.159.03``, libfabric ``2.4.0amzn5.0``, CUDA ``13.0U2``, images ``v20260714``, Lustre
``2.15.6-1fsx34``. All of them are runs of digits and of letters, and that is how they are compared here.
"""

from __future__ import annotations

import re
from functools import cache

_PARTS = re.compile(r"[0-9]+|[a-z]+")
_BEFORE_RELEASE = frozenset({"a", "alpha", "b", "beta", "dev", "pre", "rc"})
_ZERO = (2, 0, "")
_END = (0, 0, "")

VERSION_PATTERN = r"^v?[0-9][A-Za-z0-9._+~-]{0,63}$"
"""What a version looks like: a digit first, but for the ``v`` of images."""

VersionKey = tuple[tuple[int, int, str], ...]


@cache
def version_key(version: str) -> VersionKey:
    """What to sort a version by.

    A word after a number is later than the number alone (``13.0U1`` after ``13.0``) and earlier than the next
    number (before ``13.1``); only what leads to a release, such as ``rc``, is earlier than it. Zeros at the
    end of a run of numbers mean nothing: ``65`` is ``65.0``.
    """
    key: list[tuple[int, int, str]] = []
    for part in _PARTS.findall(version.lower().removeprefix("v")):
        if part.isdigit():
            key.append((2, int(part), ""))
            continue
        _drop_zeros(key)
        key.append((-1 if part in _BEFORE_RELEASE else 1, 0, part))
    _drop_zeros(key)
    return (*key, _END)


def is_older(version: str, other: str) -> bool:
    """Whether a version comes before another one."""
    return version_key(version) < version_key(other)


def is_same(version: str, other: str) -> bool:
    """Whether two texts name one version."""
    return version_key(version) == version_key(other)


def _drop_zeros(key: list[tuple[int, int, str]]) -> None:
    while key and key[-1] == _ZERO:
        key.pop()

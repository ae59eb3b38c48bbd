"""STO012: a mount that hides a part of the operating system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation
from clusterwright.checks.storage_items import contains, iterate_mounts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


_CLOSED = (
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib64",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/sys",
    "/usr",
    "/var/lib/containerd",
    "/var/lib/kubelet",
    "/var/log",
    "/var/run",
)
"""Directories in which nothing may be mounted."""

_HOLDING_OTHERS = ("/mnt", "/opt", "/tmp", "/var", "/var/lib")  # noqa: S108  named, not used
"""Directories in which something may be mounted, but not over all of them."""


def _find(subject: Subject) -> Iterator[Violation]:
    for path, mount in iterate_mounts(subject):
        hidden = next((each for each in _CLOSED if contains(each, mount)), None)
        if hidden is None and mount in _HOLDING_OTHERS:
            hidden = mount
        if hidden is not None:
            yield Violation(
                (*path, "mount"),
                f"{mount} hides what the operating system keeps in {hidden}",
                "mount it at a directory of its own, such as /fsx or /scratch",
            )


RULE = Rule(
    code="STO012",
    severity="error",
    title="A file system is mounted over a directory of the operating system.",
    find=_find,
)

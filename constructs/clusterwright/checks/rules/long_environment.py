"""SOF005: more environment variables than EC2's user data has room for."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject

_FROM_USER_DATA = ("eks", "pcs")
# EC2 takes 16,384 bytes. Without a variable ours has some 7,000, and EKS adds addresses and a certificate.
_ROOM = 5120


def _find(subject: Subject) -> Iterator[Violation]:
    if subject.cluster.orchestrator.kind not in _FROM_USER_DATA:
        return
    environment = subject.cluster.software.environment
    size = sum(_measure(name, value) for name, value in environment.items())
    if size > _ROOM:
        longest = max(environment, key=lambda name: _measure(name, environment[name]))
        yield Violation(
            ("software", "environment"),
            f"the {len(environment)} variables take {size} bytes of the nodes' user data, "
            f"which has room for {_ROOM}",
            f"keep what all jobs need, and set the rest in the jobs; the longest is {longest}",
            is_about_key=True,
        )


def _measure(name: str, value: str) -> int:
    """Bytes of a variable in the two files that hold it: one of the shell, and one of JSON."""
    shell = shlex.quote(f"{name}={value}")
    entry = f"    {json.dumps(name)}: {json.dumps(value)},\n"
    return len(shell.encode()) + len(entry)


RULE = Rule(
    code="SOF005",
    severity="error",
    title="The environment is larger than the user data of nodes has room for.",
    find=_find,
    source="Amazon EC2 user guide, user data is limited to 16 KB, November 2026",
)

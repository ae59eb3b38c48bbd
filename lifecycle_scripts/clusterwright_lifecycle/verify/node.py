"""A node as it can be read: its files, and what its tools print.

What a tool prints is never trusted. Garbage is a difference, and a tool that hangs is left behind and named.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

TOOL_SECONDS = 10.0
"""How long a tool may take: nvidia-smi needs seconds without persistence mode, and hangs where a GPU does."""

OUTPUT_BYTES = 1_000_000
LINE_LENGTH = 120

EXTRA_PATH = (
    "/opt/amazon/efa/bin:/opt/aws/neuron/bin:/opt/slurm/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin"
)
"""Where tools are that the PATH of a service lacks."""


class MissingError(Exception):
    """What was looked for is not on the node."""


class SilentError(Exception):
    """It is there, and nothing tells its version."""


class TroubleError(Exception):
    """A tool hangs, fails, or prints what cannot be understood."""


@dataclass(frozen=True)
class Check:
    """One comparison.

    Attributes:
        name: What was compared, such as ``nvidia-driver``.
        expected: What the set or the instance type says, in words.
        found: What the node has, in words.
        state: ``ok``, ``differs``, ``missing`` or ``skipped``.
        hint: What to do, where something is wrong.
    """

    name: str
    expected: str
    found: str
    state: str
    hint: str = ""


class Node:
    """The node under test: its files below a root, and its tools."""

    def __init__(self, root: Path, seconds: float = TOOL_SECONDS) -> None:
        self.root = root
        self.seconds = seconds
        schedulers = self.find("/opt/aws/pcs/scheduler/slurm-*/bin")
        self.path = ":".join([os.environ.get("PATH", os.defpath), EXTRA_PATH, *map(str, schedulers)])
        self.environment: dict[str, str] = {}

    def read(self, path: str) -> str:
        """The text of a file, by its absolute path."""
        try:
            return (self.root / path.lstrip("/")).read_text(encoding="utf-8", errors="replace").strip()
        except OSError as error:
            raise MissingError(f"{path}: {error.strerror}") from None

    def find(self, pattern: str) -> list[Path]:
        """The files that a pattern names, sorted."""
        return sorted(self.root.glob(pattern.lstrip("/")))

    def run(self, *command: str) -> str:
        """What a tool prints, its errors too.

        A tool that waits for a dead driver cannot be killed, and must not be waited for: so it writes into a
        file rather than a pipe, and is left behind.
        """
        program = shutil.which(command[0], path=self.path)
        if program is None:
            raise MissingError(f"{command[0]} is not installed")
        with tempfile.TemporaryFile() as output:
            code = self._wait_for([program, *command[1:]], output)
            output.seek(0)
            text = output.read(OUTPUT_BYTES).decode("utf-8", "replace").strip()
        if code:
            last = text.splitlines()[-1] if text else "no message"
            raise TroubleError(f"{command[0]} failed with {code}: {shorten(last)}")
        return text

    def _wait_for(self, command: list[str], output: IO[bytes]) -> int:
        """Run a command for a while: its exit code."""
        name = command[0].rpartition("/")[2]
        environment = {**os.environ, "LC_ALL": "C", **self.environment, "PATH": self.path}
        try:
            process = subprocess.Popen(  # noqa: S603  the tools that this package names
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                env=environment,
            )
        except OSError as error:
            raise TroubleError(f"{name} cannot be run: {error.strerror}") from None
        try:
            return process.wait(self.seconds)
        except subprocess.TimeoutExpired:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            raise TroubleError(f"{name} did not answer within {self.seconds:g} s") from None


def shorten(text: str) -> str:
    """The text in a line of at most `LINE_LENGTH` characters that can be printed."""
    line = "".join(each if each.isprintable() else " " for each in text)
    return line if len(line) <= LINE_LENGTH else line[: LINE_LENGTH - 3] + "..."


def search(pattern: str, text: str, what: str) -> str:
    """The first group of a pattern in the text."""
    found = re.search(pattern, text)
    if found is None:
        raise TroubleError(f"{what} says {shorten(text)!r}" if text else f"{what} says nothing")
    return found[1]


def is_version(expected: str, found: str) -> bool:
    """Whether a version is the expected one, however it is packaged: 2.30.7 is 2.30.7-1, 58.amzn0 is 58.0.

    What is left open is not compared: 13.0 is met by 13.0.2.
    """
    wanted, had = (re.findall(r"[0-9]+", each.split("-")[0]) for each in (expected, found))
    return bool(wanted) and had[: len(wanted)] == wanted


def is_kernel(expected: str, found: str) -> bool:
    """Whether a kernel's release begins as expected: 6.12.94-123.180 is 6.12.94-123.180.amzn2023.x86_64."""
    return bool(expected) and re.match(rf"{re.escape(expected)}(?![0-9])", found) is not None

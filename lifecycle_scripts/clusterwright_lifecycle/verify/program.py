"""Compare a node with its version set: versions, devices, links, mounts, services.

    verify_node.py                  compares with expected.json beside this file
    verify_node.py --format text    the same as a table for people
    verify_node.py --inventory      tells what is there, and compares nothing

Exits with 0 where all is as expected, 1 where something differs or is missing, 2 where expected.json cannot
be read or the report cannot be written. It needs Python 3.9 and nothing else, so it can be copied to any node
and run there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clusterwright_lifecycle.verify.checks import ask_gpus, verify
from clusterwright_lifecycle.verify.node import (
    TOOL_SECONDS,
    Check,
    MissingError,
    Node,
    TroubleError,
    shorten,
)
from clusterwright_lifecycle.verify.versions import VERSIONS, look_up

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = 1
"""Of expected.json; another one is refused rather than guessed at."""

EXIT_OK, EXIT_DIFFERS, EXIT_USAGE = 0, 1, 2
BAD = ("differs", "missing")

TYPES: dict[str, type | tuple[type, ...]] = {
    "versions": dict,
    "environment": dict,
    "gpus": (dict, type(None)),
    "nvlinks": int,
    "efa_devices": int,
    "neuron_devices": int,
    "local_mounts": list,
    "mounts": list,
    "services": list,
    "has_lustre_over_efa": bool,
    "software_set": str,
}
"""What expected.json must hold."""

GPU_TYPES = {"count": int, "product": str, "memory_mib": int}
"""What it must hold of GPUs, where there are any."""


def read_expected(path: Path) -> dict[str, Any]:
    """The expectations of a file.

    Raises:
        TroubleError: It cannot be read, or is something else.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TroubleError(f"{path}: {error.strerror}; --inventory needs no file") from None
    except ValueError as error:
        raise TroubleError(f"{path} is not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise TroubleError(f"{path} is no expected.json of schema {SCHEMA}")
    wrong = find_wrong(data)
    if wrong:
        raise TroubleError(f"{path} lacks {', '.join(wrong)}, or has them wrong")
    return data


def find_wrong(data: dict[str, Any]) -> list[str]:
    """The names of what is missing in expected.json, or is of another type than it should be."""
    wrong = [name for name, kind in TYPES.items() if not isinstance(data.get(name), kind)]
    if wrong:
        return wrong
    for field in ("versions", "origins"):
        texts = data.get(field, {})  # files of earlier releases have no origins
        if not isinstance(texts, dict):
            return [field]
        wrong += [f"{field}.{name} as text" for name, text in texts.items() if not isinstance(text, str)]
    gpus = data["gpus"]
    if gpus is not None:
        wrong += [f"gpus.{name}" for name, kind in GPU_TYPES.items() if not isinstance(gpus.get(name), kind)]
    return wrong + (["gpus beside nvlinks"] if data["nvlinks"] and gpus is None else [])


def make_report(expected: dict[str, Any], checks: Sequence[Check]) -> dict[str, Any]:
    """What is printed: what the node should be, what it is, and the names of what is wrong."""
    wrong = [check.name for check in checks if check.state in BAD]
    names = ("cluster", "pool", "instance_type", "software_set", "software_hash")
    return {
        "state": "differs" if wrong else "ok",
        **{name: expected.get(name, "") for name in names},
        "wrong": wrong,
        "checks": [asdict(check) for check in checks],
    }


def take_inventory(node: Node) -> dict[str, Any]:
    """What there is, where nobody says what there should be.

    What is not there is ``missing``; what is there or may be, and does not tell its version, is ``untold``,
    each with the reason: it hangs, it fails, or it prints what cannot be understood.
    """
    with ThreadPoolExecutor(8) as workers:
        found = list(workers.map(lambda component: look_up(component, node), VERSIONS))
    versions = dict(zip(VERSIONS, found))  # noqa: B905  Python 3.9 has no strict
    untold = {name: why for name, (why, state) in versions.items() if state in ("untold", "skipped")}
    gpus = []
    try:
        gpus = [f"{name}, {size} MiB" for name, size in ask_gpus(node, "gpu", "name", "memory.total")]
    except TroubleError as error:
        untold["gpus"] = shorten(str(error))
    except MissingError:
        pass  # without nvidia-smi there are none, as far as anybody can tell
    return {
        "versions": {name: version for name, (version, state) in versions.items() if state == "ok"},
        "missing": [name for name, (_, state) in versions.items() if state == "missing"],
        "untold": untold,
        "gpus": gpus,
        "infiniband": [path.name for path in node.find("/sys/class/infiniband/*")],
    }


def draw_table(checks: Sequence[Check]) -> str:
    """The checks as a table, what to do below each that is wrong."""
    rows = [("check", "state", "expected", "found")]
    rows += [(each.name, each.state, each.expected, each.found) for each in checks]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = []
    for number, row in enumerate(rows):
        cells = [row[column].ljust(widths[column]) for column in range(3)]
        lines.append("  ".join([*cells, row[3]]).rstrip())
        hint = checks[number - 1].hint if number else ""
        lines += [f"    {hint}"] if hint else []
    return "\n".join(lines)


def draw_inventory(inventory: dict[str, Any]) -> str:
    """The inventory, a line a thing."""
    rows = [f"{name}  {version}" for name, version in inventory["versions"].items()]
    rows += [f"gpu {number}  {gpu}" for number, gpu in enumerate(inventory["gpus"])]
    rows += [f"infiniband  {name}" for name in inventory["infiniband"]]
    return "\n".join([*rows, *(f"{name}  not told: {why}" for name, why in inventory["untold"].items())])


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="Compare a node with its version set.")
    parser.add_argument("--expected", type=Path, help="file to compare with; expected.json beside this file")
    parser.add_argument("--format", choices=("json", "text"), default="json", help="how it is printed")
    parser.add_argument("--inventory", action="store_true", help="tell what is there, and compare nothing")
    parser.add_argument("--root", type=Path, default=Path("/"), help="another root for /sys, /proc and so on")
    parser.add_argument("--seconds", type=float, default=TOOL_SECONDS, help="how long a tool may take")
    return parser.parse_args(arguments)


def write_out(text: str, code: int) -> int:
    """Print a report: the exit code, which is another one where that fails.

    A reader that has gone away, such as ``head``, has what it wanted.

    Args:
        text: The report.
        code: The exit code that goes with it.
    """
    try:
        print(text, flush=True)  # noqa: T201  a script prints
    except OSError as error:
        # Python tries again when it exits, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return code
        return complain(f"the report cannot be written: {error.strerror}")
    return code


def complain(message: str) -> int:
    """Say what is wrong with the call or the machine, in a line."""
    with suppress(OSError):
        print(f"verify_node.py: {message}", file=sys.stderr)  # noqa: T201  a script prints
    return EXIT_USAGE


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, and tell how the process should end."""
    asked = parse_arguments(arguments)
    node = Node(asked.root, asked.seconds)
    is_text = asked.format == "text"
    if asked.inventory:
        inventory = take_inventory(node)
        return write_out(draw_inventory(inventory) if is_text else json.dumps(inventory, indent=2), EXIT_OK)
    try:
        expected = read_expected(asked.expected or Path(__file__).resolve().parent / "expected.json")
    except TroubleError as error:
        return complain(str(error))
    node.environment = {str(name): str(value) for name, value in expected["environment"].items()}
    report = make_report(expected, checks := verify(node, expected))
    text = draw_table(checks) if is_text else json.dumps(report, indent=2)
    return write_out(text, EXIT_OK if report["state"] == "ok" else EXIT_DIFFERS)


if __name__ == "__main__":
    sys.exit(main())

"""What is compared with expected.json: one function each, from the node to what it found."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from clusterwright_lifecycle.verify.node import (
    Check,
    MissingError,
    TroubleError,
    is_kernel,
    is_version,
    shorten,
)
from clusterwright_lifecycle.verify.versions import look_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusterwright_lifecycle.verify.node import Node

    CheckFunction = Callable[[Node, dict[str, Any]], Iterator[Check]]

MEMORY_TOLERANCE = 0.03
"""How far a GPU's memory may be off: EC2 says 81920 MiB of an H100, and its driver 81559."""

AMAZON = "0x1d0f"
"""PCI vendor of EFA devices. p6-b200 has two InfiniBand devices of NVLink beside them, which do not count."""

ASK_TIME = ("timedatectl", "show", "--property=NTPSynchronized", "--value")

NOT_TOLD = {"N/A", "[N/A]", "[Not Supported]"}
"""What nvidia-smi says of what a GPU does not have."""


def compare(name: str, expected: object, found: object, hint: str) -> Check:
    """A check that is met by equality."""
    is_met = expected == found
    return Check(
        name, str(expected), shorten(str(found)), "ok" if is_met else "differs", "" if is_met else hint
    )


def compare_faults(name: str, none: str, faults: list[str], hint: str) -> Check:
    """A check that is met where there are no faults."""
    return compare(name, none, "; ".join(faults) or none, hint)


def check_versions(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Each component against what is expected, side by side: some tools take seconds."""
    wanted: dict[str, str] = expected["versions"]
    with ThreadPoolExecutor(8) as workers:
        found = list(workers.map(lambda component: look_up(component, node, wanted[component]), wanted))
    for component, (version, outcome) in zip(wanted, found):  # noqa: B905  Python 3.9 has no strict
        origin = expected.get("origins", {}).get(component, f"the set {expected['software_set']}")
        yield compare_version(component, wanted[component], origin, version, outcome)


def compare_version(component: str, wanted: str, origin: str, found: str, outcome: str) -> Check:
    """A component's check.

    Args:
        component: Its name.
        wanted: Its version; empty where nobody says what it should be.
        origin: Where that comes from, in words.
        found: The version that is there, or why there is none.
        outcome: What `look_up` says of it.
    """
    if not wanted and outcome == "ok":
        return Check(component, "not known", shorten(found), "skipped")
    hint = f"{wanted or 'any version'} is expected, from {origin}"
    if outcome == "untold":
        return Check(component, wanted, found, "differs", f"its version cannot be read; {hint}")
    is_met = is_kernel(wanted, found) if component == "kernel" else is_version(wanted, found)
    state = "differs" if outcome == "ok" and not is_met else outcome
    return Check(component, wanted, shorten(found), state, hint if state in ("differs", "missing") else "")


def ask_gpus(node: Node, kind: str, *fields: str) -> list[list[str]]:
    """One row a GPU of what nvidia-smi tells.

    Args:
        node: The node.
        kind: ``gpu`` or ``remapped-rows``.
        fields: The columns.
    """
    text = node.run("nvidia-smi", f"--query-{kind}={','.join(fields)}", "--format=csv,noheader,nounits")
    rows = [[cell.strip() for cell in line.split(",")] for line in text.splitlines()]
    if any(len(row) != len(fields) for row in rows):
        raise TroubleError(f"nvidia-smi says {shorten(text)!r}")
    return rows


def check_gpus(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """How many GPUs there are, which, and how much memory each has."""
    wanted = expected["gpus"]
    rows = ask_gpus(node, "gpu", "name", "memory.total")
    yield compare(
        "gpu-count", wanted["count"], len(rows), "see dmesg for Xid 79; reboot, or replace the node"
    )
    words = set(re.findall(r"\w+", wanted["product"]))
    others = {name for name, _ in rows if not words <= set(re.findall(r"\w+", name))}
    yield compare(
        "gpu-product", wanted["product"], ", ".join(sorted(others)) or wanted["product"], "another type"
    )
    size = wanted["memory_mib"]
    off = {each for _, each in rows if not each.isdigit() or abs(int(each) - size) > size * MEMORY_TOLERANCE}
    hint = "replace the node, unless MIG is on"
    yield compare_faults("gpu-memory", f"{size} MiB each", [f"{each} MiB" for each in sorted(off)], hint)


def check_gpu_errors(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Memory errors since the driver was loaded, and rows of memory that wait for a reset or are used up."""
    del expected
    rows = ask_gpus(node, "gpu", "index", "ecc.errors.uncorrected.volatile.total")
    faults = [f"GPU {index}: {count}" for index, count in rows if count not in {"0", *NOT_TOLD}]
    yield compare_faults(
        "gpu-ecc", "no uncorrected errors", faults, "reset the GPU; if it comes back, replace"
    )
    fields = ("gpu_bus_id", "remapped_rows.pending", "remapped_rows.failure")
    rows = ask_gpus(node, "remapped-rows", *fields)
    fine = {"0", "No", *NOT_TOLD}
    faults = [f"{bus}: pending {wait}, failed {lost}" for bus, wait, lost in rows if not {wait, lost} <= fine]
    hint = "pending: drain the node and reset the GPU; failed: replace the node"
    yield compare_faults("gpu-rows", "none pending or failed", faults, hint)


def check_nvlink(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Whether every NVLink of every GPU is up, and whether the GPUs have joined the fabric."""
    links, count = expected["nvlinks"], expected["gpus"]["count"]
    up: dict[str, int] = {}
    for line in node.run("nvidia-smi", "nvlink", "--status").splitlines():
        gpu, link = re.match(r"GPU (\d+):", line), re.match(r"\s+Link \d+: [\d.]+ GB/s", line)
        if gpu:
            up[gpu[1]] = 0
        elif link and up:
            up[list(up)[-1]] += 1
    faults = [f"GPU {gpu}: {each}" for gpu, each in up.items() if each != links]
    faults += [f"{len(up)} GPUs"] if len(up) != count else []
    hint = "see fabric manager's log; a link that stays down: replace the node"
    yield compare_faults("nvlink", f"{links} links up on each of {count} GPUs", faults, hint)
    states = {
        f"{state}, {status}" for state, status in ask_gpus(node, "gpu", "fabric.state", "fabric.status")
    }
    if not {word for state in states for word in state.split(", ")} <= NOT_TOLD:  # Ampere does not tell
        yield compare(
            "nvlink-fabric", "Completed, Success", "; ".join(sorted(states)), "is fabric manager up?"
        )


def check_efa(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Whether all EFA devices of the type are there, with their ports active."""
    folder = "/sys/class/infiniband"
    names = [path.name for path in node.find(f"{folder}/*")]
    names = [name for name in names if node.read(f"{folder}/{name}/device/vendor") == AMAZON]
    hint = "the node was launched with fewer interfaces of the kinds efa and efa-only, or see dmesg for efa"
    yield compare("efa-devices", expected["efa_devices"], len(names), hint)
    if not names:
        return
    states = {name: node.read(f"{folder}/{name}/ports/1/state") for name in names}
    faults = [f"{name} {state}" for name, state in states.items() if "ACTIVE" not in state]
    yield compare_faults("efa-ports", "all active", faults, "see dmesg for efa")


def check_neuron(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """How many Neuron devices there are."""
    found = [path for path in node.find("/dev/neuron*") if re.fullmatch(r"neuron\d+", path.name)]
    yield compare("neuron-devices", expected["neuron_devices"], len(found), "see dmesg for neuron")


def read_mounts(node: Node) -> dict[str, tuple[str, str]]:
    """What is mounted: source and type by path."""
    rows = [line.split() for line in node.read("/proc/mounts").splitlines()]
    return {row[1].replace("\\040", " "): (row[0], row[2]) for row in rows if len(row) > 2}  # noqa: PLR2004  fields


def check_mounts(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Local disks and file systems: each where it belongs."""
    mounts = read_mounts(node)
    for paths in expected["local_mounts"]:
        found = next((path for path in paths if path in mounts), "")
        state, hint = ("ok", "") if found else ("missing", "see lifecycle.jsonl for the step local-disks")
        yield Check("local-nvme", " or ".join(paths), found or "not mounted", state, hint)
    for each in expected["mounts"]:
        source, kind = mounts.get(each["path"], ("", "not mounted"))
        is_met = kind.startswith(each["type"]) and source.endswith(each["source"])
        state = "ok" if is_met else "differs" if source else "missing"
        hint = "" if is_met else "see lifecycle.jsonl for the step that mounts it"
        wanted = f"{each['type']} {each['source']}"
        yield Check(f"mount {each['path']}", wanted, shorten(f"{kind} {source}".strip()), state, hint)


def check_lustre_network(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Whether Lustre uses EFA: without, it falls back to TCP, slowly, and says nothing."""
    del expected
    nets = set(re.findall(r"net type: (\w+)", node.run("lnetctl", "net", "show")))
    found = "efa" if "efa" in nets else " ".join(sorted(nets)) or "no network"
    yield compare("lustre-network", "efa", found, "Lustre fell back to TCP: see the step lustre-network")


def check_services(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Whether services run."""
    for service in expected["services"]:
        try:
            found = node.run("systemctl", "is-active", service)
        except TroubleError as error:
            found = str(error)
        yield compare(f"service {service}", "active", found, f"journalctl -u {service}")


def check_time(node: Node, expected: dict[str, Any]) -> Iterator[Check]:
    """Whether the clock follows a time server: logs, certificates and signed calls to AWS need it.

    At boot it takes some seconds until it does.
    """
    del expected
    end = time.monotonic() + node.seconds
    found = node.run(*ASK_TIME)
    while found == "no" and time.monotonic() < end:
        time.sleep(0.5)
        found = node.run(*ASK_TIME)
    yield compare("time-sync", "yes", found, "chronyc sources; EC2's own time server is 169.254.169.123")


CHECKS: tuple[tuple[str, str, CheckFunction], ...] = (
    ("versions", "versions", check_versions),
    ("gpus", "gpus", check_gpus),
    ("gpu-errors", "gpus", check_gpu_errors),
    ("nvlink", "nvlinks", check_nvlink),
    ("efa-devices", "efa_devices", check_efa),
    ("neuron-devices", "neuron_devices", check_neuron),
    ("mounts", "", check_mounts),
    ("lustre-network", "has_lustre_over_efa", check_lustre_network),
    ("services", "services", check_services),
    ("time-sync", "", check_time),
)
"""Each check: its name, the entry of expected.json without which there is nothing to check, its function."""


def run_check(name: str, check: CheckFunction, node: Node, expected: dict[str, Any]) -> list[Check]:
    """What a check finds; where it cannot go on, that is the last thing it finds."""
    done: list[Check] = []
    try:
        for each in check(node, expected):
            done.append(each)  # noqa: PERF402  what came before a failure is kept
    except MissingError as error:
        done.append(Check(name, "to be told", shorten(str(error)), "missing"))
    except Exception as error:  # noqa: BLE001  a check that breaks is a finding as well
        done.append(Check(name, "to be told", shorten(str(error)) or type(error).__name__, "differs"))
    return done


def verify(node: Node, expected: dict[str, Any]) -> list[Check]:
    """All checks, run side by side, in their order."""
    wanted = [(name, check) for name, needs, check in CHECKS if not needs or expected[needs]]
    with ThreadPoolExecutor(len(CHECKS)) as workers:
        done = list(workers.map(lambda each: run_check(each[0], each[1], node, expected), wanted))
    return [check for checks in done for check in checks]

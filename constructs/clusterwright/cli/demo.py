"""``clusterwright demo``: the cluster's whole life, in an embedded AWS on loopback."""

from __future__ import annotations

import json
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterwright.cdk_cli import CdkCli
from clusterwright.cli.deployment import require_deployable
from clusterwright.errors import ToolError
from clusterwright.examples import default_example

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.table import Table

    from clusterwright.localcloud.cloud import LocalCloud
    from clusterwright.localcloud.demonstration import Demonstration
    from clusterwright.localcloud.inventory import Inventory, PoolRow
    from clusterwright.localcloud.storage_inventory import StorageInventory


@dataclass
class Report:
    """What the demonstration did, and how it tells.

    Attributes:
        is_json: Whether to print nothing before the end.
        is_verbose: Whether to print what the CDK CLI prints.
        steps: Each step that ended, with its result and its seconds.
    """

    is_json: bool
    is_verbose: bool
    steps: list[dict[str, Any]] = field(default_factory=list)

    def step(self, name: str, act: Callable[[], str]) -> None:
        """Run a step and tell its result."""
        started = time.monotonic()
        if self.is_verbose:
            self.say(click.style(f"{name} …", bold=True))
        result = act()
        seconds = time.monotonic() - started
        self.steps.append({"name": name, "result": result, "seconds": round(seconds, 1)})
        self.say(
            f"{click.style('✔', fg='green')} {name:<16} {result}  {click.style(f'{seconds:.1f} s', dim=True)}"
        )

    def line(self, line: str) -> None:
        """Take a line of the CDK CLI: all of them when verbose, else a stack that is done."""
        if self.is_verbose:
            self.say(f"    {line}")
        elif line.strip().startswith("✅") and "(no changes)" not in line:
            self.say(click.style(f"    {line.strip().removeprefix('✅').strip()}", dim=True))

    def say(self, text: str) -> None:
        """Print for a person; nothing when the output is JSON."""
        if not self.is_json:
            click.echo(text)


@click.command()
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option("--keep", is_flag=True, help="Leave the embedded AWS running until Ctrl-C.")
@click.option("--verbose", is_flag=True, help="Print everything that the CDK CLI prints.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(file: Path | None, *, keep: bool, verbose: bool, form: str) -> None:
    """Deploy the cluster of FILE to an embedded AWS, with the real CDK CLI.

    Bootstraps, deploys, deploys again, changes a pool, shows what exists, destroys. No AWS account is needed,
    and none of your AWS credentials or settings are read. FILE is the main example unless given.
    """
    file = file or default_example()
    cluster = require_deployable(file)
    report = Report(is_json=form == "json", is_verbose=verbose)
    cdk = CdkCli.locate(on_install=report.say)
    started = time.monotonic()
    with _running(cluster.region, cluster.account, report) as cloud:
        from clusterwright.localcloud.demonstration import Demonstration  # noqa: PLC0415  see _running

        demonstration = Demonstration(cloud, cdk, file, cluster, report.line)
        inventory = _live(demonstration, report)
        if not report.is_json:
            _print_inventory(inventory)
        if keep:
            _wait(cloud, report)
        else:
            report.step("destroy", demonstration.destroy)
    seconds = round(time.monotonic() - started, 1)
    if report.is_json:
        result = {"steps": report.steps, "seconds": seconds, "inventory": inventory.as_dict()}
        click.echo(json.dumps(result, indent=2))
    report.say(f"\nDone in {seconds} s.")


def _live(demonstration: Demonstration, report: Report) -> Inventory:
    """Run the steps up to the point where everything exists."""
    report.step("bootstrap", demonstration.bootstrap)
    report.step("deploy", demonstration.deploy)
    report.step("deploy again", demonstration.deploy_again)
    with tempfile.TemporaryDirectory(prefix="clusterwright-edit-") as folder:
        edited = Path(folder) / "cluster.yaml"
        pool = demonstration.write_edit(edited)

        def diff() -> str:
            changes = demonstration.diff(edited)
            for change in changes:
                report.say(click.style(f"    {change}", dim=True))
            resources = sum("AWS::" in change for change in changes)
            return f"a label for pool {pool} would change {resources} resource(s)"

        report.step("diff of an edit", diff)
        report.step("deploy the edit", lambda: demonstration.update(edited, pool))
    return demonstration.inventory()


@contextmanager
def _running(region: str, account: str | None, report: Report) -> Iterator[LocalCloud]:
    """Start the embedded AWS; imported here, since it costs half a second that no other command pays."""
    try:
        from clusterwright.localcloud import DEFAULT_ACCOUNT_ID, LocalCloud  # noqa: PLC0415  see above
    except ImportError as error:
        raise ToolError(
            f"the demo needs more packages ({error.name}): pip install 'clusterwright[demo]'"
        ) from error
    with LocalCloud(account_id=account or DEFAULT_ACCOUNT_ID, region=region) as cloud:
        report.say(f"Embedded AWS: account {cloud.account.id}, {region}, {cloud.endpoint}")
        yield cloud


def _wait(cloud: LocalCloud, report: Report) -> None:
    """Keep the embedded AWS until Ctrl-C, and say how to use it."""
    exports = "\n".join(f"  export {name}={value}" for name, value in cloud.settings().items())
    report.say(
        f"\nThe embedded AWS keeps running. In another terminal:\n\n{exports}\n\n"
        "Then the AWS CLI and boto3 talk to it, for example:\n\n"
        "  aws eks list-clusters\n"
        "  python -c \"import boto3; print(boto3.client('eks').list_clusters()['clusters'])\"\n\n"
        "Ctrl-C stops it and forgets everything."
    )
    try:
        while True:
            time.sleep(1)
    except KeyboardInterrupt:
        report.say("\nStopped.")


def _print_inventory(inventory: Inventory) -> None:
    from clusterwright.cli.console import make_console  # noqa: PLC0415  JSON needs no tables

    console = make_console()
    console.print()
    stacks = [(row.name, row.status, row.resources) for row in inventory.stacks]
    console.print(_table("Stacks", ("stack", "status"), stacks))
    console.print(_table("Resources", ("type",), list(inventory.resources.items())))
    console.print("Node groups, as EKS and EC2 tell them", style="italic")
    for pool in inventory.pools:
        for line in describe_pool(pool):
            console.print(f"  {line}", soft_wrap=True)
    console.print("\nAdd-ons", style="italic")
    console.print(f"  {', '.join(inventory.addons)}", soft_wrap=True)
    for title, lines in describe_storage(inventory.storage).items():
        console.print(f"\n{title}", style="italic")
        for line in lines:
            console.print(f"  {line}", soft_wrap=True)
    console.print("\nOutputs", style="italic")
    for name, value in inventory.outputs.items():
        console.print(f"  {name} = {value}", soft_wrap=True)
    console.print()


def describe_pool(pool: PoolRow) -> Iterator[str]:
    """A node group as lines of text."""
    zones = ", ".join(pool.zones)
    yield f"{pool.name}: {pool.nodes:,} x {pool.instance_type} in {zones}, {pool.capacity}"
    if pool.interfaces:
        interfaces = " + ".join(f"{count} {kind}" for kind, count in pool.interfaces.items())
        bandwidth = f", {pool.efa_gbps:,.0f} Gbit/s EFA" if pool.efa_gbps else ""
        yield f"    each node: {interfaces}{bandwidth}"


def describe_storage(storage: StorageInventory) -> dict[str, list[str]]:
    """Storage as lines of text by title; no title where there is nothing to tell."""
    systems = []
    for system in storage.file_systems:
        size = f"{system.capacity_gib:,} GiB" if system.capacity_gib else "grows with its files"
        systems.append(f"{system.name}: {system.kind}, {size}, {system.throughput_mbps:,} MB/s")
        systems.append(f"    mount: {system.mount}")
        systems += [f"    link:  {link}" for link in system.links]
    volumes = [f"{row.name}: {row.size}, {row.access}, {row.source}" for row in storage.volumes]
    titles = {
        "File systems, as FSx tells them": systems,
        "Buckets": list(storage.buckets),
        "PersistentVolumes in the cluster": volumes,
    }
    return {title: lines for title, lines in titles.items() if lines}


def _table(title: str, columns: Sequence[str], rows: Sequence[tuple[str | int, ...]]) -> Table:
    """A table whose last column counts resources, with their sum."""
    from rich.box import SIMPLE  # noqa: PLC0415  see above
    from rich.table import Table  # noqa: PLC0415  see above

    table = Table(*columns, title=title, title_justify="left", box=SIMPLE)
    table.add_column("resources", justify="right")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    table.add_section()
    table.add_row("in all", *[""] * (len(columns) - 1), str(sum(int(row[-1]) for row in rows)))
    return table

"""``clusterwright show``: the resolved cluster, its storage and its checkpoints, in tables or as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from clusterwright.checkpointing import DEFAULT_BYTES_PER_PARAMETER, plan_checkpoints
from clusterwright.cli.deployment import require_cluster
from clusterwright.cli.options import FiniteFloat, cluster_file
from clusterwright.resolution import resolve
from clusterwright.summary import summarize

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table

    from clusterwright.summary import PoolSummary, Summary


@click.command()
@cluster_file
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--model-parameters",
    type=FiniteFloat(min=1),
    metavar="N",
    help="Also show how long checkpoints of a model of N parameters take, such as 70e9.",
)
@click.option(
    "--bytes-per-parameter",
    type=FiniteFloat(min=0, min_open=True),
    metavar="BYTES",
    default=DEFAULT_BYTES_PER_PARAMETER,
    show_default=True,
    help="What a checkpoint keeps of each parameter; 14 is mixed-precision Adam.",
)
def command(file: Path, form: str, model_parameters: float | None, bytes_per_parameter: float) -> None:
    """Show what FILE resolves to: zone, pools with their interfaces, subnets, storage, totals.

    Pools count at their largest.
    """
    resolved = resolve(require_cluster(file))
    summary = summarize(resolved)
    plan = (
        plan_checkpoints(resolved, parameters=model_parameters, bytes_per_parameter=bytes_per_parameter)
        if model_parameters is not None
        else None
    )
    if form == "json":
        checkpoints = {"checkpoints": plan.as_dict()} if plan else {}
        click.echo(json.dumps(summary.as_dict() | checkpoints, indent=2))
        return
    from clusterwright.cli.console import make_console  # noqa: PLC0415  JSON needs no tables
    from clusterwright.cli.storage_tables import print_checkpoints  # noqa: PLC0415  see above

    console = make_console()
    print_summary(summary, console)
    if plan is not None:
        print_checkpoints(plan, console)


def print_summary(summary: Summary, console: Console) -> None:
    """Print a summary as tables."""
    from clusterwright.cli.storage_tables import print_storage  # noqa: PLC0415  see above

    zones = ", ".join(summary.control_plane_zones)
    console.print(
        f"[bold]{summary.name}[/bold]: {summary.orchestrator} in {summary.region}, "
        f"nodes in {summary.zone}{', control plane in ' if zones else ''}{zones}\n"
    )
    console.print(_pool_table(summary))
    for pool in summary.pools:
        console.print(f"  {pool.name}: each node has {pool.interfaces}", highlight=False)
    if summary.subnets:
        console.print()
        console.print(_subnet_table(summary))
    print_storage(summary.storage, console)
    console.print()
    console.print(describe_software(summary), highlight=False)
    console.print()
    console.print(describe_totals(summary), highlight=False)


def describe_software(summary: Summary) -> str:
    """The versions on the nodes as a sentence."""
    software = summary.software
    changed = ", ".join(f"{component} {version}" for component, version in software.overrides.items())
    overrides = f" with {changed}" if changed else ""
    return f"Software set {software.set}{overrides}, content hash {software.content_hash}."


def describe_totals(summary: Summary) -> str:
    """The totals of a cluster as a sentence."""
    totals = summary.totals
    return (
        f"In all {totals.nodes:,} nodes, {totals.vcpus:,} vCPUs, {totals.memory_tib:.1f} TiB memory, "
        f"{totals.accelerators:,} accelerators with {totals.accelerator_memory_tib:.1f} TiB, "
        f"{totals.efa_tbps:.1f} Tbit/s EFA, {totals.local_nvme_tb:.1f} TB local NVMe."
    )


def _pool_table(summary: Summary) -> Table:
    from rich.table import Table  # noqa: PLC0415  see above

    table = Table(title="Pools", title_justify="left")
    for column in ("pool", "type", "nodes", "purpose", "capacity", "zone", "accelerators"):
        table.add_column(column)
    for column in ("EFA Gbit/s a node", "pods a node"):
        table.add_column(column, justify="right")
    for pool in summary.pools:
        table.add_row(
            pool.name,
            pool.instance_type,
            _range(pool),
            pool.purpose,
            pool.capacity,
            pool.zone,
            f"{pool.accelerators:,} x {pool.accelerator}" if pool.accelerators else "-",
            f"{pool.efa_gbps_per_node:,.0f}" if pool.efa_gbps_per_node else "-",
            str(pool.max_pods_per_node or "-"),
        )
    return table


def _range(pool: PoolSummary) -> str:
    if pool.nodes == pool.smallest_nodes:
        return f"{pool.nodes:,}"
    return f"{pool.smallest_nodes:,}-{pool.nodes:,}"


def _subnet_table(summary: Summary) -> Table:
    from rich.table import Table  # noqa: PLC0415  see above

    table = Table(title="Subnets", title_justify="left")
    for column in ("subnet", "role", "zone", "block"):
        table.add_column(column)
    table.add_column("addresses", justify="right")
    for subnet in summary.subnets:
        table.add_row(
            subnet["name"],
            subnet["role"],
            subnet["zone"],
            subnet["cidr"],
            f"{subnet['usable_addresses']:,}",
        )
    return table

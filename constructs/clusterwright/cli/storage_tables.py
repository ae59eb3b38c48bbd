"""Storage and checkpoints as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from clusterwright.checkpointing import ACCELERATORS_THEN, LARGEST_OVERHEAD, NVME_WRITE_GB_PER_S

if TYPE_CHECKING:
    from rich.console import Console

    from clusterwright.checkpointing import CheckpointPlan, CheckpointRow
    from clusterwright.summary import StorageSummary

SECONDS_PER_MINUTE = 60


def print_storage(storage: StorageSummary, console: Console) -> None:
    """Print the storage; nothing where there is none."""
    if storage.lustre:
        console.print()
        console.print(_lustre_table(storage))
        console.print(
            f"  Lustre in all: {storage.lustre_read_gb_per_s:,.1f} GB/s read, "
            f"{storage.lustre_write_gb_per_s:,.1f} GB/s write, {storage.metadata_iops:,} metadata IOPS",
            highlight=False,
        )
    lines = [
        f"  {label}: {text}"
        for label, text in (
            ("Buckets", ", ".join(storage.buckets)),
            ("S3 Express One Zone", ", ".join(storage.express)),
            ("Homes", storage.home),
        )
        if text
    ]
    if lines:
        console.print("\n".join(["", *lines]), highlight=False)


def print_checkpoints(plan: CheckpointPlan, console: Console) -> None:
    """Print a plan, with what it assumes."""
    console.print()
    if not plan.rows:
        console.print("No pool has accelerators, so there is no job to plan checkpoints for.")
        return
    console.print(_checkpoint_table(plan))
    failures = "; ".join(f"{pool} every {hours:,.0f} h" for pool, hours in plan.mtbf_hours.items())
    console.print(
        f"  A job on all nodes of a pool fails on average: {failures}. The rate is that of "
        f"{ACCELERATORS_THEN:,} H100 ({plan.failure_source}).\n"
        f"  Jobs wait while they write. An NVMe disk is taken to write {NVME_WRITE_GB_PER_S:g} GB/s; it is "
        "lost with its node.\n"
        '  The formulas are under "Checkpointing" in the documentation.',
        highlight=False,
        soft_wrap=True,
    )


def _lustre_table(storage: StorageSummary) -> Table:
    table = Table(title="Lustre", title_justify="left")
    for column in ("file system", "type", "mount", "pools", "EFA"):
        table.add_column(column)
    for column in ("GiB", "GB/s", "metadata IOPS"):
        table.add_column(column, justify="right")
    for system in storage.lustre:
        table.add_row(
            system.name,
            system.type,
            system.mount,
            ", ".join(system.pools) or "-",
            "yes" if system.efa else "no",
            "elastic" if system.capacity_gib is None else f"{system.capacity_gib:,}",
            f"{system.gb_per_s:,.1f}",
            f"{system.metadata_iops:,}",
        )
    return table


def _checkpoint_table(plan: CheckpointPlan) -> Table:
    title = (
        f"Checkpoints of {plan.parameters:,.0f} parameters at {plan.bytes_per_parameter:g} bytes: "
        f"{plan.size_gb:,.0f} GB"
    )
    table = Table(title=title, title_justify="left")
    for column in ("pool", "tier", "limited by"):
        table.add_column(column)
    for column in ("GB/s", "write", "read", "best every", "loss", f"at most {LARGEST_OVERHEAD:.0%} loss"):
        table.add_column(column, justify="right")
    for row in plan.rows:
        table.add_row(row.pool, row.tier.name, row.tier.limited_by, *_figures(row))
    return table


def _figures(row: CheckpointRow) -> tuple[str, ...]:
    if not row.fits:
        return (f"{row.tier.write_gb_per_s:,.1f}", "does not fit", "-", "-", "-", "-")
    if row.shortest_interval_minutes is None or row.longest_interval_minutes is None:
        span = "never"
    else:
        shortest, longest = row.shortest_interval_minutes, row.longest_interval_minutes
        span = f"{_minutes(shortest)} to {_minutes(longest)}"
    return (
        f"{row.tier.write_gb_per_s:,.1f}",
        _minutes(row.write_seconds / SECONDS_PER_MINUTE),
        _minutes(row.restart_seconds / SECONDS_PER_MINUTE),
        _minutes(row.best_interval_minutes),
        f"{row.overhead:.1%}",
        span,
    )


def _minutes(minutes: float) -> str:
    """A time as a person says it: seconds, minutes or hours."""
    if minutes < 2:  # noqa: PLR2004  two minutes read better as 120 s
        return f"{minutes * SECONDS_PER_MINUTE:,.0f} s"
    if minutes < 120:  # noqa: PLR2004  and two hours as 120 min
        return f"{minutes:,.0f} min"
    return f"{minutes / 60:,.1f} h"

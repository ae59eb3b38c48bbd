"""The hardware catalogue as tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from clusterwright.cli.console import make_console
from clusterwright.hardware import lay_out_interfaces, summarize_interfaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterwright.hardware import AcceleratorGroup, InstanceSpec, Note, UltraServerSpec


def print_list(specs: Sequence[InstanceSpec]) -> None:
    """One row a type."""
    console = make_console()
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("type", no_wrap=True)
    for heading in ("vCPU", "GiB", "accelerators", "GiB each", "NVMe GB", "EFA", "EFA Gbps", "IP Gbps"):
        is_words = heading in {"accelerators", "EFA"}
        table.add_column(heading, justify="left" if is_words else "right", no_wrap=True)
    table.add_column("bought as", no_wrap=True)
    table.add_column("$/h", justify="right", no_wrap=True)
    for spec in specs:
        table.add_row(*_make_row(spec))
    console.print(table)
    if any(not spec.is_verified for spec in specs):
        console.print("\n* not everything here is confirmed; `clusterwright hardware TYPE` says what.")


def print_instance(spec: InstanceSpec) -> None:
    """Everything about one type, with its interfaces and the reasons behind unusual facts."""
    console = make_console()
    console.print(f"[bold]{escape(spec.name)}[/bold]")
    facts = Table.grid(padding=(0, 2, 0, 2))
    for label, value in _list_facts(spec):
        facts.add_row(label, escape(value))
    console.print(facts)
    console.print("[bold]sources[/bold]")
    console.print(f"  {escape(spec.source.title)} ({spec.source.date})")
    for note in spec.notes:
        console.print(f"  {escape(_describe_note(note))}")


def print_ultraserver(spec: UltraServerSpec) -> None:
    """Everything about one UltraServer type."""
    console = make_console()
    console.print(f"[bold]{escape(spec.name)}[/bold]")
    members = f"{spec.instances} x {spec.instance_type}"
    console.print(f"  {members}, {spec.accelerators} accelerators in one domain")
    console.print(f"  {escape(spec.source.title)} ({spec.source.date}){_mark(spec.is_verified)}")


def _make_row(spec: InstanceSpec) -> tuple[str, ...]:
    group = spec.accelerators
    price = spec.on_demand_usd_per_hour
    return (
        spec.name if spec.is_verified else f"{spec.name} *",
        str(spec.vcpus),
        _format_gib(spec.memory_mib),
        f"{group.count} x {group.name}" if group else "",
        _format_gib(group.memory_mib) if group else "",
        str(spec.local_nvme_gb or ""),
        str(len(lay_out_interfaces(spec)) - 1 or ""),
        f"{spec.efa_gbps:g}" if spec.is_efa_capable else "",
        f"{spec.ip_gbps:g}",
        ", ".join(spec.purchase_options),
        f"{price:.2f}" if price is not None else "",
    )


def _list_facts(spec: InstanceSpec) -> Iterable[tuple[str, str]]:
    yield "vCPUs", f"{spec.vcpus} ({spec.architecture})"
    yield "memory", f"{_format_gib(spec.memory_mib)} GiB"
    if spec.accelerators:
        yield "accelerators", _describe_accelerators(spec.accelerators)
    nvme = ", ".join(f"{group.count} x {group.size_gb} GB" for group in spec.local_nvme)
    yield "local NVMe", nvme or "none"
    yield "bought as", ", ".join(spec.purchase_options)
    if spec.ultraservers:
        yield "UltraServers", ", ".join(spec.ultraservers)
    yield "on demand", _describe_price(spec)
    pods = spec.max_pods_default
    yield "pods", "not known" if pods is None else f"{pods} without prefix delegation"
    yield "HyperPod", spec.hyperpod_type or "not offered"
    yield from _list_network(spec)
    for region, zone_ids in spec.zones.items():
        yield region, ", ".join(zone_ids)


def _list_network(spec: InstanceSpec) -> Iterable[tuple[str, str]]:
    interfaces = lay_out_interfaces(spec)
    efas = len(interfaces) - 1
    yield "network cards", str(len(spec.network_cards))
    yield "EFA", f"{efas} of at most {spec.max_efa_interfaces}, {spec.efa_gbps:g} Gbps" if efas else "none"
    yield "IP", f"{spec.ip_gbps:g} Gbps on card 0"
    yield "interfaces", f"{summarize_interfaces(interfaces)} (kind@card/device)"


def _describe_accelerators(group: AcceleratorGroup) -> str:
    parts = [f"{group.count} x {group.product or group.name}", f"{_format_gib(group.memory_mib)} GiB each"]
    if group.memory_tb_per_s is not None:
        parts.append(f"{group.memory_tb_per_s:g} TB/s")
    if group.bf16_tflops is not None:
        parts.append(f"{group.bf16_tflops:g} dense BF16 TFLOPS")
    if group.compute_capability:
        parts.append(f"compute capability {group.compute_capability}")
    return ", ".join(parts) + _mark(group.is_verified)


def _describe_price(spec: InstanceSpec) -> str:
    price = spec.on_demand_price
    if price is None:
        return "not sold, or price not known"
    return f"${price.usd_per_hour:.4f} an hour in {price.region} on {price.source.date}"


def _describe_note(note: Note) -> str:
    source = f"{note.source.title} ({note.source.date})"
    return f"{', '.join(note.fields)}: {source}{_mark(note.is_verified)}. {note.reason}"


def _mark(is_verified: bool) -> str:  # noqa: FBT001  one flag is the whole argument
    return "" if is_verified else " - not verified"


def _format_gib(mebibytes: int) -> str:
    return f"{mebibytes / 1024:.5g}"

"""``clusterwright hardware``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from clusterwright.hardware import (
    find_instance_type,
    find_ultraserver,
    instance_types,
    lay_out_interfaces,
    regions,
    ultraserver_types,
)

if TYPE_CHECKING:
    from clusterwright.hardware import InstanceSpec


def _check_region(context: click.Context, parameter: click.Parameter, region: str | None) -> str | None:
    del context, parameter
    if region is not None and region not in regions():
        raise click.BadParameter(f"{region!r} is not among {', '.join(regions())}.")
    return region


@click.command(name="hardware")
@click.argument("name", metavar="[TYPE]", required=False)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the facts are printed; json prints nothing else.",
)
@click.option("--accelerated", is_flag=True, help="List only types with GPUs or Neuron devices.")
@click.option("--region", callback=_check_region, help="List only types that this region offers.")
def command(name: str | None, output_format: str, *, accelerated: bool, region: str | None) -> None:
    """List instance types, or show one instance type or UltraServer type.

    The facts come from EC2 and a few publications, each with its date; there is no call to AWS.
    """
    if name is None:
        specs = [find_instance_type(each) for each in instance_types()]
        specs = [spec for spec in specs if _is_wanted(spec, accelerated=accelerated, region=region)]
        _print_list(specs, output_format)
        return
    if accelerated or region:
        raise click.UsageError("--accelerated and --region filter the list; leave them out to show one type.")
    if name.startswith("u-"):
        _print_ultraserver(name, output_format)
    else:
        _print_instance(find_instance_type(name), output_format)


def _is_wanted(spec: InstanceSpec, *, accelerated: bool, region: str | None) -> bool:
    return (spec.is_accelerated or not accelerated) and (region is None or region in spec.zones)


def _print_list(specs: list[InstanceSpec], output_format: str) -> None:
    if output_format == "json":
        ultraservers = [asdict(find_ultraserver(each)) for each in ultraserver_types()]
        _print_json({"instance_types": [_describe(spec) for spec in specs], "ultraservers": ultraservers})
        return
    from clusterwright.cli.hardware_tables import print_list  # noqa: PLC0415  only text needs rich

    print_list(specs)


def _print_instance(spec: InstanceSpec, output_format: str) -> None:
    if output_format == "json":
        _print_json(_describe(spec))
        return
    from clusterwright.cli.hardware_tables import print_instance  # noqa: PLC0415  only text needs rich

    print_instance(spec)


def _print_ultraserver(name: str, output_format: str) -> None:
    spec = find_ultraserver(name)
    if output_format == "json":
        _print_json(asdict(spec))
        return
    from clusterwright.cli.hardware_tables import print_ultraserver  # noqa: PLC0415  only text needs rich

    print_ultraserver(spec)


def _describe(spec: InstanceSpec) -> dict[str, Any]:
    return {**asdict(spec), "interfaces": [asdict(interface) for interface in lay_out_interfaces(spec)]}


def _print_json(data: dict[str, Any]) -> None:
    click.echo(json.dumps(data, indent=2))

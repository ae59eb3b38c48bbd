"""``clusterwright software``: version sets, what changes between them, and why a combination is refused."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from clusterwright.process import EXIT_ERRORS
from clusterwright.software import DEFAULT_SET, artifacts_of, compare, load_set, select, set_names
from clusterwright.software.versions import VERSION_PATTERN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.software import Artifact, Pin

output_format = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How it is printed; json prints nothing else.",
)


@click.group(name="software")
def command() -> None:
    """List, show, compare and check version sets: what runs on nodes, chosen and upgraded as one."""


@command.command(name="list")
@output_format
def list_sets(form: str) -> None:
    """List the version sets, the oldest first."""
    if form == "json":
        _print_json({"default": DEFAULT_SET, "sets": [_describe_set(name) for name in set_names()]})
        return
    from clusterwright.cli.software_tables import print_sets  # noqa: PLC0415  only text needs rich

    print_sets([select(name) for name in set_names()])


@command.command()
@click.argument("name", metavar="[SET]", default=DEFAULT_SET)
@output_format
def show(name: str, form: str) -> None:
    """Show what a set pins, each with its source; the newest set unless SET names one."""
    software = select(name)
    if form == "json":
        pins = [_describe_pin(pin) for pin in software.pins.values()]
        files = [asdict(each) for each in _list_artifacts(name)]
        _print_json({**_describe_set(name), "pins": pins, "artifacts": files})
        return
    from clusterwright.cli.software_tables import print_artifacts, print_pins  # noqa: PLC0415  see above

    print_pins(software)
    print_artifacts(_list_artifacts(name))


@command.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@output_format
def diff(before: str, after: str, form: str) -> None:
    """Show what changes from set A to set B, each with its release notes."""
    changes = compare(load_set(before), load_set(after))
    if form == "json":
        rows = [{**asdict(change), "kind": change.kind} for change in changes]
        hashes = {"before_hash": select(before).content_hash, "after_hash": select(after).content_hash}
        _print_json({"before": before, "after": after, **hashes, "changes": rows})
        return
    from clusterwright.cli.software_tables import print_changes  # noqa: PLC0415  see above

    print_changes(changes, before, after)


@command.command()
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--set", "set_name", help=f"Check this set, {DEFAULT_SET} unless you name one, without a FILE.")
@click.option("--override", "overrides", multiple=True, metavar="NAME=VERSION", help="Replace a version.")
@click.option("--instance-type", "types", multiple=True, metavar="TYPE", help="Nodes to check it on.")
@click.option("--orchestrator", help="What schedules the work there; eks unless you say.")
@click.option("--kubernetes", metavar="VERSION", help="Kubernetes version there.")
@click.option("--kernel", metavar="VERSION", help="Linux kernel there, if not the image's.")
@output_format
def check(
    file: str | None,
    *,
    set_name: str | None,
    overrides: Sequence[str],
    types: Sequence[str],
    orchestrator: str | None,
    kubernetes: str | None,
    kernel: str | None,
    form: str,
) -> None:
    """Check versions against all known conflicts: those of FILE, or a set with --instance-type.

    Exits with 0 where nothing is wrong, 1 where versions cannot work, 2 where FILE cannot be read.
    """
    from clusterwright.cli.software_check import check_cluster_file, check_selection  # noqa: PLC0415  see above

    if file is not None:
        if overrides or types or {set_name, orchestrator, kubernetes, kernel} != {None}:
            raise click.UsageError(
                "FILE says what runs where; give it, or --instance-type with --set, --override and the like."
            )
        report = check_cluster_file(file)
    elif not types:
        raise click.UsageError("Name a FILE, or nodes by --instance-type.")
    else:
        report = check_selection(
            DEFAULT_SET if set_name is None else set_name,
            dict(_split(each) for each in overrides),
            types,
            orchestrator=orchestrator or "eks",
            kubernetes=_check_form(kubernetes, r"1\.[0-9]{1,2}", "--kubernetes", "1.34"),
            kernel=_check_form(kernel, r"[0-9]+\.[0-9]+[A-Za-z0-9._+~-]{0,60}", "--kernel", "6.8.0-1057-aws"),
        )
    click.echo(report.as_json() if form == "json" else report.as_text())
    sys.exit(EXIT_ERRORS if report.has_errors else 0)


def _split(override: str) -> tuple[str, str]:
    name, equals, version = override.partition("=")
    if not (name and equals and version):
        raise click.BadParameter(
            f"{override!r} is no NAME=VERSION, such as nccl=2.30.4.", param_hint="--override"
        )
    return name, _check_form(version, VERSION_PATTERN.strip("^$"), "--override", "nccl=2.30.4")


def _check_form(value: str | None, pattern: str, option: str, example: str) -> str:
    """What an option says, or nothing; what cannot be a version is refused, as cluster.yaml refuses it."""
    if value is not None and re.fullmatch(pattern, value) is None:
        raise click.BadParameter(f"{value!r} is no version; one is written as {example}.", param_hint=option)
    return value or ""


def _describe_set(name: str) -> dict[str, Any]:
    return {"set": name, "title": load_set(name).title, "content_hash": select(name).content_hash}


def _describe_pin(pin: Pin) -> dict[str, Any]:
    described = asdict(pin)
    del described["is_override"]
    return described


def _list_artifacts(name: str) -> list[Artifact]:
    """The files of a set for any node, each once."""
    software = select(name)
    found = (
        each
        for architecture in ("x86_64", "arm64")
        for each in artifacts_of(software, architecture, "ubuntu-22.04", "nvidia")
    )
    return list(dict.fromkeys(found))


def _print_json(data: dict[str, Any]) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))

"""The command line: thin commands over the library.

Commands are imported when they are called, so that ``--help`` and ``validate`` stay fast.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

import click

from clusterwright.errors import ClusterwrightError, UnreadableFileError
from clusterwright.process import EXIT_ERRORS, EXIT_USAGE, start_fast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMANDS = {
    "init": "writes a commented cluster.yaml that validates",
    "validate": "checks cluster.yaml files, offline",
    "show": "shows the resolved cluster: pools, interfaces, zone, totals",
    "synth": "writes CloudFormation, one template a stack",
    "deploy": "deploys the cluster with the AWS CDK",
    "diff": "shows what a deployment would change",
    "destroy": "deletes the cluster's stacks",
    "demo": "deploys to an embedded AWS on loopback; needs no account",
    "scripts": "writes the scripts of the nodes, or mirrors what they download",
    "software": "lists, shows, compares and checks version sets",
    "hardware": "lists instance types, or shows one",
    "schema": "prints the JSON Schema of cluster.yaml",
}
"""Each command and its one-line help; the module ``clusterwright.cli.NAME`` holds it as ``command``."""

EXIT_PIPE_CLOSED = 141
"""What a shell reports of a tool whose reader went away, such as ``head``: 128 and the number of SIGPIPE."""


@contextmanager
def _ending_with_its_reader() -> Iterator[None]:
    """Exit without a word where nobody reads the output any more, which for click is an error."""
    try:
        yield
    except BrokenPipeError:
        # Python writes out what is left when it exits, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_PIPE_CLOSED)


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of a cluster's life."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command, or None where there is no such name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"clusterwright.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown name is answered with near ones."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches  # noqa: PLC0415  only on this path

            near = get_close_matches(args[0], COMMANDS, n=2)
            hint = f" Did you mean {' or '.join(near)}?" if near else f" Commands: {', '.join(COMMANDS)}."
            ctx.fail(f"no such command: {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """Read the arguments, and print the help where it is asked for."""
        with _ending_with_its_reader():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        with _ending_with_its_reader():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


CONTEXT_SETTINGS = {
    "help_option_names": ["-h", "--help"],
    "color": False if os.environ.get("NO_COLOR") else None,  # None: colour on terminals only
}


@click.group(cls=LazyGroup, context_settings=CONTEXT_SETTINGS)
@click.version_option(package_name="clusterwright", message="%(prog)s %(version)s")
def cli() -> None:
    """Provision AI clusters on AWS from one checked cluster.yaml."""


def _end(number: int, _frame: object) -> None:
    """End as Ctrl-C does: with everything cleaned up that was started."""
    sys.exit(128 + number)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit; an expected error is one line on stderr, never a traceback."""
    start_fast()
    signal.signal(signal.SIGTERM, _end)
    try:
        cli.main(args=args, prog_name="clusterwright")
    except ClusterwrightError as error:
        click.echo(f"clusterwright: {error}", err=True)
        sys.exit(EXIT_USAGE if isinstance(error, UnreadableFileError) else EXIT_ERRORS)
    except OSError as error:
        click.echo(f"clusterwright: {describe_os_error(error)}", err=True)
        sys.exit(EXIT_ERRORS)


def describe_os_error(error: OSError) -> str:
    """A failure of the operating system in words: the file, and what is wrong with it."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason

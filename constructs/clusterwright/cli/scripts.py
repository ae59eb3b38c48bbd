"""``clusterwright scripts``: the node scripts of a file, written out; and ``scripts mirror``."""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path

import click

from clusterwright.cli.deployment import require_cluster
from clusterwright.cli.options import cluster_file
from clusterwright.cli.script_folder import ScriptFolder
from clusterwright.cli.scripts_mirror import mirror
from clusterwright.resolution import resolve

DEFAULT_COMMAND = "render"


class FileContext(click.Context):
    """The context of the default command, whose name nobody types."""

    @property
    def command_path(self) -> str:
        """What was typed: that of the group."""
        return self.parent.command_path if self.parent else super().command_path


class FileCommand(click.Command):
    """The default command."""

    context_class = FileContext


class ScriptsGroup(click.Group):
    """A group where a file in place of a command means the default one: ``scripts FILE``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command before anything that is neither a command nor a call for help."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            self._refuse_typo(ctx, args[0])
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)

    def _refuse_typo(self, ctx: click.Context, word: str) -> None:
        """Refuse a word that is nearly a command, and no file."""
        shown = [name for name, each in self.commands.items() if not each.hidden]
        near = get_close_matches(word, shown, n=1)
        if near and not Path(word).exists():
            ctx.fail(f"no such command, and no file: {word!r}. Did you mean {near[0]}?")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show both forms."""
        formatter.write_usage(ctx.command_path, "FILE --output DIR [--format text|json]")
        formatter.write_usage(ctx.command_path, "mirror FILE --to s3://BUCKET/PREFIX|DIR", prefix="       ")


@click.group(cls=ScriptsGroup)
def command() -> None:
    """Write the scripts of FILE's nodes, or mirror what they download.

    `scripts FILE` writes for each pool a folder with what its nodes run, and the user data of EKS nodes. What
    only a deployment knows, such as the address of a file system, says known-at-deployment.
    """


@command.command(name=DEFAULT_COMMAND, hidden=True, cls=FileCommand)
@cluster_file
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder for the scripts; earlier ones there are brought up to date.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def render(file: Path, output: Path, form: str) -> None:
    """Write the scripts of FILE's nodes into a folder, a folder a pool.

    It may be repeated: files that are right stay, those of pools that are gone go. Files that are not from an
    earlier run, or were edited since, are not touched.
    """
    cluster = resolve(require_cluster(file))
    from clusterwright.scripts import render_scripts  # noqa: PLC0415  loads Jinja2, which no help needs

    folder = ScriptFolder(output)
    changes = folder.bring_up_to_date(render_scripts(cluster))
    pools = [pool.name for pool in cluster.pools]
    if form == "json":
        said = {"output": str(output), "pools": pools, **changes}
        click.echo(json.dumps(said, indent=2))
        return
    for pool in pools:
        click.echo(str(output / pool))
    counts = ", ".join(f"{len(files)} {word}" for word, files in changes.items())
    click.echo(f"{counts} in {output}", err=True)


command.add_command(mirror)

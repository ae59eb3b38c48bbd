"""``clusterwright scripts mirror``: what nodes download, copied to where a closed network finds it."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterwright.cli.deployment import require_cluster
from clusterwright.cli.options import cluster_file
from clusterwright.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.mirroring.copying import Copy, Mirrored, Origin
    from clusterwright.mirroring.folder import Mirror
    from clusterwright.mirroring.sources import Web
    from clusterwright_lifecycle.contexts import ArtifactContext

HYPERPOD_PREFIX = "sagemaker-"
"""How the names of buckets begin that the managed policy of HyperPod's nodes lets them read
(AmazonSageMakerClusterInstanceRolePolicy, November 2026)."""


ORIGINS: dict[Origin, str] = {"set": "as the set records it", "publisher": "as its publisher tells it now"}
"""What is said of a checksum that was known before the file."""


def _refuse_nothing(ctx: click.Context, param: click.Parameter, to: str) -> str:
    """Refuse an empty place, as an unset variable leaves it: it would be the current folder."""
    if not to.strip():
        raise click.BadParameter("it is empty; name a bucket and prefix, or a folder", ctx, param)
    return to


@click.command(name="mirror")
@cluster_file
@click.option(
    "--to",
    required=True,
    metavar="s3://BUCKET/PREFIX|DIR",
    callback=_refuse_nothing,
    help="Where the copies are kept.",
)
@click.option("--profile", metavar="NAME", help="Profile of the AWS configuration, for a bucket.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is printed; what happens on the way goes to stderr.",
)
def mirror(file: Path, to: str, profile: str | None, form: str) -> None:
    """Copy what FILE's nodes download into a bucket or a folder, for a network without the internet.

    Each file is checked against the SHA-256 that the version set records or its publisher serves; where
    neither is known, what was fetched is pinned. It may be repeated: what is there and right is not fetched
    again. It ends by printing what to write into cluster.yaml.
    """
    cluster = require_cluster(file)
    from clusterwright.mirroring.artifacts import collect_artifacts  # noqa: PLC0415  no help needs it
    from clusterwright.mirroring.copying import copy_artifacts  # noqa: PLC0415  see above
    from clusterwright.node_context import make_node_contexts  # noqa: PLC0415  see above

    artifacts = collect_artifacts(make_node_contexts(resolve(cluster)).values())
    if not artifacts:
        click.echo("Nothing to mirror: the images of these nodes bring everything.", err=True)
        if form == "json":
            click.echo(json.dumps({"url": None, "manifest_sha256": None, "files": []}, indent=2))
        return
    target, source = _open(to, profile, cluster), make_source()
    _announce(artifacts, source)
    mirrored = copy_artifacts(artifacts, target, source=source, report=_tell)
    if form == "json":
        click.echo(json.dumps(_describe(mirrored, to), indent=2))
        return
    _conclude(mirrored, to)


def make_source() -> Web:
    """The publishers; tests have others."""
    from clusterwright.mirroring.sources import Web  # noqa: PLC0415  no help needs it

    return Web()


def _open(to: str, profile: str | None, cluster: ClusterConfig) -> Mirror:
    if not to.startswith("s3://"):
        from clusterwright.mirroring.folder import FolderMirror  # noqa: PLC0415  no help needs it

        return FolderMirror(Path(to))
    from clusterwright.mirroring.bucket import BucketMirror  # noqa: PLC0415  boto3 takes a tenth of a second

    bucket = BucketMirror.connect(to, profile=profile, region=cluster.region)
    if cluster.orchestrator.kind.startswith("hyperpod") and not bucket.bucket.startswith(HYPERPOD_PREFIX):
        click.echo(
            f"warning: HyperPod's managed policy lets nodes read buckets whose names begin with "
            f"{HYPERPOD_PREFIX}; {bucket.bucket} needs a policy of its own",
            err=True,
        )
    return bucket


def _announce(artifacts: Sequence[ArtifactContext], source: Web) -> None:
    """List what will be copied, with its size where the publisher tells it."""
    with ThreadPoolExecutor(len(artifacts)) as workers:
        sizes = list(workers.map(source.size_of, [artifact.url for artifact in artifacts]))
    for artifact, size in zip(artifacts, sizes, strict=True):
        shown = format_size(size) if size else "size unknown"
        click.echo(f"{artifact.component} {artifact.version}: {artifact.url} ({shown})", err=True)


def _tell(copy: Copy) -> None:
    """A line for a file that is in the mirror."""
    from clusterwright.mirroring.published import place_of  # noqa: PLC0415  no help needs it

    computed = f"computed here, for none is known here; one may be at {place_of(copy.artifact)}"
    how = f"fetched {format_size(copy.size)}" if copy.is_new else "there already"
    origin = ORIGINS.get(copy.origin, computed)
    click.echo(f"{copy.artifact.file}: {how}, SHA-256 {copy.artifact.sha256} {origin}", err=True)


def _describe(mirrored: Mirrored, to: str) -> dict[str, Any]:
    """The result for programs; ``url`` is None where a person decides which bucket the folder goes to."""
    files = [
        {**copy.artifact.model_dump(), "origin": copy.origin, "is_new": copy.is_new}
        for copy in mirrored.copies
    ]
    url = to.rstrip("/") if to.startswith("s3://") else None
    return {"url": url, "manifest_sha256": mirrored.manifest_sha256, "files": files}


def _conclude(mirrored: Mirrored, to: str) -> None:
    """Print the lines for cluster.yaml."""
    is_bucket = to.startswith("s3://")
    if not is_bucket:
        click.echo(f"Copy {to} to a bucket that the nodes can read, and name it here:", err=True)
    address = to.rstrip("/") if is_bucket else "s3://BUCKET/PREFIX"
    click.echo("software:\n  mirror:")
    click.echo(f"    url: {address}\n    manifest_sha256: {mirrored.manifest_sha256}")
    sys.stdout.flush()


def format_size(size: int) -> str:
    """A size in megabytes (10^6 bytes)."""
    return f"{size / 1e6:.1f} MB"

"""``clusterwright scripts mirror``: what nodes download, copied to where a closed network finds it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterwright.cli.deployment import require_cluster
from clusterwright.cli.options import cluster_file
from clusterwright.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.mirroring.copying import Copy, Mirrored
    from clusterwright.mirroring.folder import Mirror
    from clusterwright.mirroring.sources import Web
    from clusterwright_lifecycle.contexts import ArtifactContext

HYPERPOD_PREFIX = "sagemaker-"
"""How the names of buckets begin that the managed policy of HyperPod's nodes lets them read
(AmazonSageMakerClusterInstanceRolePolicy, November 2026)."""


@click.command(name="mirror")
@cluster_file
@click.option(
    "--to", "to", required=True, metavar="s3://BUCKET/PREFIX|DIR", help="Where the copies are kept."
)
@click.option("--profile", metavar="NAME", help="Profile of the AWS configuration, for a bucket.")
def mirror(file: Path, to: str, profile: str | None) -> None:
    """Copy what FILE's nodes download into a bucket or a folder, for a network without the internet.

    Each file is checked against its published SHA-256; where there is none, what was fetched is pinned. It
    may be repeated: what is there and right is not fetched again. It ends by printing what to write into
    cluster.yaml.
    """
    cluster = require_cluster(file)
    from clusterwright.mirroring.artifacts import collect_artifacts  # noqa: PLC0415  no help needs it
    from clusterwright.mirroring.copying import copy_artifacts  # noqa: PLC0415  see above
    from clusterwright.node_context import make_node_contexts  # noqa: PLC0415  see above

    artifacts = collect_artifacts(make_node_contexts(resolve(cluster)).values())
    if not artifacts:
        click.echo("Nothing to mirror: the images of these nodes bring everything.", err=True)
        return
    target, source = _open(to, profile, cluster), make_source()
    _announce(artifacts, source)
    mirrored = copy_artifacts(artifacts, target, source=source, report=_tell)
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
    origin = "as published" if copy.is_published else "computed here: nobody publishes one"
    how = f"fetched {format_size(copy.size)}" if copy.is_new else "there already"
    click.echo(f"{copy.artifact.file}: {how}, SHA-256 {copy.artifact.sha256} {origin}", err=True)


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

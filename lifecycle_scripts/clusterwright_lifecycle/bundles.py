"""The files that a pool's nodes run: scripts that are the same for all, and what is this pool's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from clusterwright_lifecycle.expectations import render_expectations
from clusterwright_lifecycle.manifests import render_manifest
from clusterwright_lifecycle.plan import make_plan, write_plan
from clusterwright_lifecycle.rendering import render_node_environment
from clusterwright_lifecycle.verify.assembly import assemble

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from clusterwright_lifecycle.contexts import NodeContext

_SCRIPT_MODE = 0o755
_FILE_MODE = 0o644
_STATIC_FOLDERS = ("lib", "steps")
# What a service runs first, by orchestrator; EKS and PCS start from user data instead.
_ENTRIES = {
    "hyperpod-eks": ("hyperpod_eks", "on_create.sh"),
    "hyperpod-slurm": ("hyperpod_slurm", "on_create.sh"),
}


@dataclass(frozen=True)
class Bundle:
    """The files of one pool's nodes, by their path in the bundle.

    Attributes:
        shared: Those that every pool of the cluster has alike.
        own: Those of this pool.
    """

    shared: Mapping[str, str]
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """All files, in the order of their paths."""
        return dict(sorted({**self.shared, **self.own}.items()))

    def write(self, directory: Path) -> None:
        """Write the files into a directory, scripts as executable ones.

        Args:
            directory: Where to; it is made if it is missing, and other files in it stay.
        """
        for name, text in self.files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            path.chmod(_SCRIPT_MODE if text.startswith("#!") else _FILE_MODE)


def render_bundle(node: NodeContext, more: Mapping[str, str] | None = None) -> Bundle:
    """What the nodes of a pool run.

    Args:
        node: All that their steps need to know.
        more: Further files that all pools of the cluster have, such as ``slurm/slurm.conf``, by their path.
    """
    own = {
        "node.env": render_node_environment(node),
        "plan": write_plan(make_plan(node)),
        "expected.json": render_expectations(node),
        "manifest.json": render_manifest(node.artifacts),
    }
    return Bundle(shared={**_static_files(node.orchestrator), **(more or {})}, own=own)


@cache
def _static_files(orchestrator: str) -> Mapping[str, str]:
    """The files that are carried as they are."""
    package = resources.files("clusterwright_lifecycle")
    found = dict(_read_scripts(package))
    if entry := _ENTRIES.get(orchestrator):
        found[entry[-1]] = package.joinpath(*entry).read_text(encoding="utf-8")
    return found


def _read_scripts(package: Traversable) -> Iterator[tuple[str, str]]:
    yield "run.sh", (package / "run.sh").read_text(encoding="utf-8")
    yield "verify_node.py", assemble()
    for folder in _STATIC_FOLDERS:
        for file in (package / folder).iterdir():
            if file.name.endswith(".sh"):
                yield f"{folder}/{file.name}", file.read_text(encoding="utf-8")

"""What the contract of cluster.yaml names and this release does not build yet.

Such a field is refused with a word of its own. To ignore it would promise what is not there, and to call it
unknown would send its author looking for a spelling mistake.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusterwright.config.cluster import LATER_SECTIONS
from clusterwright.config.complaints import Complaint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.config.source_map import Path

LATER_CAPACITY_KINDS = ("training-plan",)
LATER_AUTOSCALERS = ("karpenter",)


@dataclass(frozen=True, slots=True)
class Reserved:
    """A "not yet", and what it makes pointless to say.

    Attributes:
        complaint: What to tell the user.
        silences: Path below which no other complaint is worth hearing.
    """

    complaint: Complaint
    silences: Path


def find_reserved(data: dict[str, Any]) -> Iterator[Reserved]:
    """Each field or value that this release knows of and does not build."""
    for section in LATER_SECTIONS:
        if section in data:
            yield _not_yet((section,), f"the section {section}", "remove it", is_about_key=True)
    orchestrator = data.get("orchestrator")
    if isinstance(orchestrator, dict):
        yield from _find_in_orchestrator(orchestrator)
    yield from _find_in_storage(data.get("storage"))
    capacity = data.get("capacity")
    for name, entry in capacity.items() if isinstance(capacity, dict) else ():
        if isinstance(entry, dict) and entry.get("kind") in LATER_CAPACITY_KINDS:
            what = f"capacity of the kind {entry['kind']}"
            hint = "on-demand, spot, reservation and capacity-block are"
            yield _not_yet(("capacity", name, "kind"), what, hint, silences=("capacity", name))


def _find_in_orchestrator(orchestrator: dict[str, Any]) -> Iterator[Reserved]:
    if orchestrator.get("autoscaler") in LATER_AUTOSCALERS:
        what = f"the autoscaler {orchestrator['autoscaler']}"
        yield _not_yet(("orchestrator", "autoscaler"), what, "write none, or leave the field out")


def _find_in_storage(storage: object) -> Iterator[Reserved]:
    """CloudFormation lacks the property that Lustre's root squash is set by."""
    systems = storage.get("lustre") if isinstance(storage, dict) else None
    for name, system in systems.items() if isinstance(systems, dict) else ():
        if isinstance(system, dict) and "root_squash" in system:
            path = ("storage", "lustre", name, "root_squash")
            message = "root squash is a matter of the FSx API alone: CloudFormation has no property for it"
            hint = "remove it, and after the deployment give UpdateFileSystem a RootSquashConfiguration"
            yield Reserved(Complaint("CFG014", message, path, hint, is_about_key=True), path)


def _not_yet(
    path: Path, what: str, hint: str, *, silences: Path | None = None, is_about_key: bool = False
) -> Reserved:
    message = f"{what} is not yet built by this release"
    return Reserved(Complaint("CFG014", message, path, hint, is_about_key=is_about_key), silences or path)

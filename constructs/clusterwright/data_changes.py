"""Changes of the file that would part a cluster from its data, or that AWS refuses on storage that exists.

CloudFormation answers some changes of a file system or a bucket with a new, empty one. Ours keep the old one
(see `storage.retention`), but the cluster's volumes cannot follow: Kubernetes lets none change what it shows.
Other changes FSx refuses in the midst of a deployment. Both are told before anything is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from clusterwright.config.source_map import SourceMap, dotted
from clusterwright.errors import Finding
from clusterwright.storage_limits.lustre import capacity_steps, metadata_steps, throughput_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from clusterwright.config.source_map import Path
    from clusterwright.errors import Severity
    from clusterwright.storage_limits.steps import Steps
    from clusterwright.storage_record import Fields, Record

CANNOT_CHANGE, CANNOT_FOLLOW, CANNOT_SHRINK, TAKEN_OUT = "DIF001", "DIF002", "DIF003", "DIF004"

GROWING_FIELDS = ("capacity_gib", "throughput_mbps", "metadata_iops")
"""What FSx makes larger in place and never smaller (FSx API reference, "UpdateFileSystem" and its
configurations for Lustre and OpenZFS; November 2026). The throughput of OpenZFS, which is not recorded, goes
both ways."""

OPENZFS_GROWTH_PERCENT = 10
"""Least growth of an OpenZFS file system (FSx API reference, "UpdateFileSystem", StorageCapacity; November
2026)."""

NO_NEW_ONE = "no file system changes this in place, and a new one would be empty"
NO_OTHER_BUCKET = "Kubernetes lets no volume show another bucket"
NO_SECOND_LINK = (
    "a new link would come before the old one goes, and FSx lets no two share or contain a directory"
)
NO_SECOND_SHOWING = "a new link would come before the old one goes, and both would show the same objects"
KEY_IN_USE = "objects that are there need the former key, and pods would lose their right to it"
NO_SECOND_KEY = "S3 lets a directory bucket have one KMS key in its life"
FOLLOWS = "unless it is given, it follows from `throughput_mbps` and the region"

BUCKETS = ("buckets", "express")
"""Sections whose items take a key while they exist."""

ANOTHER_ENTRY = "add a second entry under another name, deploy, copy the data over, and take this entry out"
ANOTHER_HOME = (
    "with retain: true, take `home` out and deploy, add it again as it is to be, deploy, and copy the data "
    "from the old file system, which stays behind"
)
ANOTHER_CLUSTER = "make a cluster of another name in the other zone, and copy the data over"


@dataclass(frozen=True, slots=True)
class DataChange:
    """A change of something that holds data.

    Attributes:
        code: Which kind of change.
        path: The field in the new file.
        message: What is changed, and what comes of it.
        hint: What to do.
        severity: ``error`` for what is not deployed.
    """

    code: str
    path: Path
    message: str
    hint: str
    severity: Severity = "error"

    def as_finding(self, file: str, source_map: SourceMap | None = None) -> Finding:
        """The change as a finding, at its field where that is known."""
        place = (source_map or SourceMap()).value(self.path)
        path, message = dotted(self.path), self.message
        line, column = (place.line, place.column) if source_map else (0, 0)
        return Finding(self.code, self.severity, f"{path}: {message}", path, file, line, column, self.hint)


def find_data_changes(before: Record, after: Record) -> Iterator[DataChange]:
    """The changes between two records that cannot be deployed, or take something out.

    Args:
        before: Of the storage that stands; empty where there is none.
        after: Of the file to deploy.
    """
    yield from _zone_changes(before, after)
    for item, old in before.items():
        path: Path = tuple(item.split("."))
        if not item:
            continue
        if item not in after:
            yield from _removal(path, old)
            continue
        new = after[item]
        replacing = [*_replacing_changes(path, old, new), *_key_changes(path, old, new)]
        yield from replacing or _size_changes(path, old, new)
        yield from _link_changes(path, old.get("links", {}), new.get("links", {}))


def _zone_changes(before: Record, after: Record) -> Iterator[DataChange]:
    """Subnets change under file systems with the zone, and directory buckets have it in their names."""
    old, new = before.get("", {}).get("zone"), after[""]["zone"]
    bound = [item for item in before if item in after and item and not item.startswith("storage.buckets.")]
    if bound and old != new:
        verb = "is" if len(bound) == 1 else "are"
        message = f"{old} → {new}: {_listed(bound)} {verb} in {old}, and cannot move"
        yield DataChange(CANNOT_CHANGE, ("zone",), message, f"undo the change; or {ANOTHER_CLUSTER}")


def _replacing_changes(path: Path, old: Fields, new: Fields) -> Iterator[DataChange]:
    """Fields whose change would put something else in the place of the item."""
    besides = {"links", "retain", *GROWING_FIELDS, *(("kms",) if path[1] in BUCKETS else ())}
    if old.get("type") != new.get("type"):
        besides |= old.keys() ^ new.keys()  # what only one of the types has
    for field in _changed_fields(old, new, besides):
        reason = NO_OTHER_BUCKET if path[1] == "buckets" else NO_NEW_ONE
        follows = f"; {FOLLOWS}" if field == "deployment" else ""
        change = f"{_in_yaml(old.get(field))} → {_in_yaml(new.get(field))}: {reason}{follows}"
        yield DataChange(CANNOT_CHANGE, (*path, field), change, f"undo the change; or {_way_out(path)}")


def _key_changes(path: Path, old: Fields, new: Fields) -> Iterator[DataChange]:
    """A bucket takes another key for new objects, but the older ones need the one they had."""
    was, wanted = old.get("kms"), new.get("kms")
    if path[1] not in BUCKETS or None in {was, wanted} or was in {"aws", wanted}:
        return
    reason = NO_SECOND_KEY if path[1] == "express" and wanted != "aws" else KEY_IN_USE
    message = f"{was} → {wanted}: {reason}"
    yield DataChange(CANNOT_CHANGE, (*path, "kms"), message, f"undo the change; or {_way_out(path)}")


def _size_changes(path: Path, old: Fields, new: Fields) -> Iterator[DataChange]:
    """The first size that FSx refuses: the metadata operations may only follow from the size in GiB."""
    found = _refused_sizes(path, old, new)
    return islice(found, 1)


def _refused_sizes(path: Path, old: Fields, new: Fields) -> Iterator[DataChange]:
    for field in GROWING_FIELDS:
        was, wanted = old.get(field), new.get(field)
        if was is None or wanted is None or wanted == was:
            continue
        least = _least_growth(path, field, was, new)
        hint = f"leave it at {was}, or write {least} or more"
        if wanted < was:
            reason, hint = "it can grow, and never shrink", f"{hint}; for a smaller one, {_way_out(path)}"
        elif wanted < least:
            reason = "it grows by larger steps only"
        else:
            continue
        yield DataChange(CANNOT_SHRINK, (*path, field), f"{was} → {wanted}: {reason}", hint)


def _least_growth(path: Path, field: str, was: int, new: Fields) -> int:
    """The next larger value that AWS takes."""
    if path[1] == "home":
        return -(-was * (100 + OPENZFS_GROWTH_PERCENT) // 100)
    return max(_steps(field, new).nearest(was + 1))


def _steps(field: str, new: Fields) -> Steps:
    if field == "capacity_gib":
        return capacity_steps(new["throughput_mbps_per_tib"], efa=new["efa"])
    return metadata_steps(new["type"]) if field == "metadata_iops" else throughput_steps()


def _link_changes(path: Path, old: Fields, new: Fields) -> Iterator[DataChange]:
    """Links that CloudFormation would make before it takes away those in their place, which FSx refuses."""
    gone = [directory for directory in old if directory not in new]
    for number, (directory, link) in enumerate(new.items()):
        place = (*path, "links", number)
        before = old.get(directory)
        if before is None:
            taken = ((each, _reason_for_no_second(each, old[each], directory, link)) for each in gone)
            changes = [("path", each, directory, reason) for each, reason in taken if reason]
        else:
            fields = _changed_fields(before, link)
            changes = [(field, before.get(field), link.get(field), NO_SECOND_LINK) for field in fields]
        for field, was, wanted, reason in changes:
            message = f"{_in_yaml(was)} → {_in_yaml(wanted)}: {reason}"
            hint = "take the old link out and deploy; then add the new one and deploy again"
            yield DataChange(CANNOT_FOLLOW, (*place, field), message, hint)


def _reason_for_no_second(gone: str, old: Fields, directory: str, new: Fields) -> str | None:
    """Why two links cannot stand beside each other, if they cannot."""
    if _overlap(gone, directory):
        return NO_SECOND_LINK
    one, other = old["prefix"], new["prefix"]
    share_objects = one.startswith(other) or other.startswith(one)
    return NO_SECOND_SHOWING if old["bucket"] == new["bucket"] and share_objects else None


def _removal(path: Path, old: Fields) -> Iterator[DataChange]:
    if old.get("existing"):
        return
    if old.get("retain", True):
        what, hint = "it stays behind with its data", "delete it by hand once nobody needs it: it costs money"
    else:
        what, hint = (
            "it is deleted with all that is in it (retain: false)",
            "undo the change if data is needed",
        )
    yield DataChange(TAKEN_OUT, path, f"taken out of the cluster; {what}", hint, severity="warning")


def _overlap(first: str, second: str) -> bool:
    """Whether two directories are the same, or one contains the other."""
    one, other = (path.rstrip("/") + "/" for path in (first, second))
    return one.startswith(other) or other.startswith(one)


def _changed_fields(old: Fields, new: Fields, besides: Collection[str] = ()) -> list[str]:
    fields = dict.fromkeys([*old, *new])
    return [field for field in fields if field not in besides and old.get(field) != new.get(field)]


def _way_out(path: Path) -> str:
    return ANOTHER_HOME if path[1] == "home" else ANOTHER_ENTRY


def _in_yaml(value: Any) -> str:  # noqa: ANN401  a record holds JSON
    if isinstance(value, bool):
        return str(value).lower()
    return "not given" if value in (None, "") else str(value)


def _listed(items: list[str]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last

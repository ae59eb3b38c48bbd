"""cluster.yaml → `ClusterConfig`, or every mistake in it at once, each with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from pydantic import ValidationError

from clusterwright.config.cluster import ClusterConfig
from clusterwright.config.document import parse_document
from clusterwright.config.reserved import find_reserved
from clusterwright.config.source_map import SourceMap, split_lines
from clusterwright.errors import Finding, InvalidClusterError, UnreadableFileError

if TYPE_CHECKING:
    from os import PathLike

    from clusterwright.config.complaints import Complaint
    from clusterwright.config.document import Document

SIZE_LIMIT_BYTES = 1024 * 1024
"""Largest file that is read; the largest allowed cluster takes some tens of kilobytes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a file.

    Attributes:
        file: The file as the user named it.
        text: Its text.
        cluster: The cluster, or None where the file has errors.
        findings: What is wrong with the file itself, in the order of the file.
        source_map: Where everything is written.
    """

    file: str
    text: str
    cluster: ClusterConfig | None
    findings: tuple[Finding, ...] = ()
    source_map: SourceMap = field(default_factory=SourceMap)


def load_cluster(path: str | PathLike[str]) -> ClusterConfig:
    """Read a cluster.yaml that is right.

    Raises:
        InvalidClusterError: The file has errors; it carries all of them.
        UnreadableFileError: There is no such file, or no text in it.
    """
    reading = read_cluster(path)
    if reading.cluster is None:
        raise InvalidClusterError(reading.findings)
    return reading.cluster


def read_cluster(path: str | PathLike[str]) -> Reading:
    """Read a cluster.yaml, right or wrong.

    Raises:
        UnreadableFileError: There is no such file, or no text in it.
    """
    return parse_cluster(read_text(path), file=str(path))


def parse_cluster(text: str, *, file: str = "cluster.yaml") -> Reading:
    """Read the text of a cluster.yaml, right or wrong.

    Args:
        text: The YAML.
        file: What findings call the file.
    """
    document = parse_document(text)
    complaints = list(document.complaints)
    cluster = None
    if document.data is not None:
        cluster, wrong = _build_cluster(document)
        complaints += wrong
    places = document.source_map
    findings = sorted(
        {each.locate(file, places, split_lines(text)) for each in complaints},
        key=lambda finding: (finding.line, finding.column, finding.code, finding.message),
    )
    return Reading(file, text, None if findings else cluster, tuple(findings), places)


def _build_cluster(document: Document) -> tuple[ClusterConfig | None, list[Complaint]]:
    data = document.data or {}
    reserved = tuple(find_reserved(data))
    not_yet = [each.complaint for each in reserved]
    try:
        return ClusterConfig.model_validate(data), not_yet
    except ValidationError as error:
        errors = error.errors(include_url=False)
    from clusterwright.config.messages import explain  # noqa: PLC0415  only mistakes need it

    silenced = [each.silences for each in reserved]
    complaints = explain(errors, data, document.source_map.unquoted)
    heard = [each for each in complaints if not any(each.path[: len(path)] == path for path in silenced)]
    return None, not_yet + heard


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        UnreadableFileError: It is missing, a directory, too large, or not UTF-8.
    """
    try:
        with FilePath(path).open("rb") as stream:
            content = stream.read(SIZE_LIMIT_BYTES + 1)
    except FileNotFoundError:
        raise UnreadableFileError(f"{path}: there is no such file; `clusterwright init` writes one") from None
    except IsADirectoryError:
        raise UnreadableFileError(f"{path}: this is a directory; name the file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableFileError(f"{path}: the file cannot be read: {reason}") from None
    if len(content) > SIZE_LIMIT_BYTES:
        raise UnreadableFileError(f"{path}: the file is larger than {SIZE_LIMIT_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise UnreadableFileError(
            f"{path}: line {line} holds the byte 0x{byte:02x}, which is not UTF-8; save the file as UTF-8"
        ) from None

"""cluster.yaml → `ClusterConfig`, or every mistake in it at once, each with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, BinaryIO

from pydantic import ValidationError

from clusterwright.config.cluster import ClusterConfig
from clusterwright.config.complaints import HIDING_CODES
from clusterwright.config.document import parse_document
from clusterwright.config.reserved import find_reserved
from clusterwright.config.source_map import SourceMap, split_lines
from clusterwright.errors import Finding, InvalidClusterError, UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from pydantic_core import ErrorDetails

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
        partial: Where the file has errors, what is right of the cluster, as far as that can be told; reading
            any other field of it raises `UnknownValueError`.
    """

    file: str
    text: str
    cluster: ClusterConfig | None
    findings: tuple[Finding, ...] = ()
    source_map: SourceMap = field(default_factory=SourceMap)
    partial: ClusterConfig | None = None


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
    places, lines = document.source_map, split_lines(text)
    attempt = _build_cluster(document)
    findings = sorted(
        {each.locate(file, places, lines) for each in attempt.complaints},
        key=lambda finding: (finding.line, finding.column, finding.code, finding.message),
    )
    return Reading(file, text, attempt.cluster, tuple(findings), places, attempt.partial)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A cluster, or what stands in its way and what is right nevertheless."""

    complaints: Sequence[Complaint] = ()
    cluster: ClusterConfig | None = None
    partial: ClusterConfig | None = None


def _build_cluster(document: Document) -> _Attempt:
    if document.data is None or any(each.code in HIDING_CODES for each in document.complaints):
        return _Attempt(document.complaints)
    try:
        cluster = ClusterConfig.model_validate(document.data)
    except ValidationError as error:
        return _explain_failure(document, error.errors(include_url=False))
    if document.complaints:
        return _explain_failure(document, [])
    return _Attempt(cluster=cluster)


def _explain_failure(document: Document, errors: Sequence[ErrorDetails]) -> _Attempt:
    from clusterwright.config.messages import explain, locate  # noqa: PLC0415  only mistakes need it
    from clusterwright.config.partial import build_partial, find_unknown  # noqa: PLC0415  see above

    data = document.data or {}
    reserved = tuple(find_reserved(data))
    silenced = [each.silences for each in reserved]
    located = [
        (error, path)
        for error, path in locate(errors, data)
        if not any(path[: len(each)] == each for each in silenced)
    ]
    complaints = document.complaints + [each.complaint for each in reserved]
    complaints += explain(located, data, document.source_map.unquoted)
    unknown = {*find_unknown(located, document.complaints, data), *silenced}
    return _Attempt(complaints, partial=build_partial(data, unknown))


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        UnreadableFileError: It is missing, a directory, too large, or not UTF-8.
    """
    try:
        with FilePath(path).open("rb") as stream:
            return read_stream(stream, str(path))
    except FileNotFoundError:
        raise UnreadableFileError(f"{path}: there is no such file; `clusterwright init` writes one") from None
    except IsADirectoryError:
        raise UnreadableFileError(f"{path}: this is a directory; name the file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UnreadableFileError(f"{path}: the file cannot be read: {reason}") from None


def read_stream(stream: BinaryIO, name: str) -> str:
    """The text of an open file, without a byte order mark.

    Args:
        stream: The file.
        name: What the error calls it.

    Raises:
        UnreadableFileError: It is too large, or not UTF-8.
    """
    content = stream.read(SIZE_LIMIT_BYTES + 1)
    if len(content) > SIZE_LIMIT_BYTES:
        raise UnreadableFileError(f"{name}: the file is larger than {SIZE_LIMIT_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise UnreadableFileError(
            f"{name}: line {line} holds the byte 0x{byte:02x}, which is not UTF-8; save the file as UTF-8"
        ) from None

"""The exceptions that clusterwright raises, and the finding that most of them carry.

    ClusterwrightError                 every error that a caller may want to catch
    ├── InvalidClusterError            cluster.yaml has errors; carries the findings
    ├── UnreadableFileError            cluster.yaml cannot be read at all
    ├── UnknownInstanceTypeError       a type that the hardware catalogue lacks; carries near spellings
    ├── UnknownSetError                a version set that this release lacks; carries those that it has
    ├── UnknownComponentError          a component that no version set pins; carries near spellings
    ├── UserDataError                  the scripts of a pool's nodes do not fit into EC2's user data
    ├── ToolError                      Node or the CDK CLI is missing, or one of them failed
    └── LocalCloudError                the embedded AWS refused a resource

Each message says what is wrong and what to do about it. The command line prints it without a traceback.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a cluster.yaml, and the place where it is written.

    Attributes:
        code: Stable identifier, area and number, such as ``CAP003``.
        severity: ``error`` stops a deployment, ``warning`` does not.
        message: What is wrong, with the value.
        path: Dotted path of the field, such as ``pools.train.capacity``; empty for the whole file.
        file: The file as the user named it.
        line: Line of the value, from 1; 0 where there is no place.
        column: Column of the value, from 1; 0 where there is no place.
        hint: What to do, or empty.
        source: Where the fact behind the finding comes from, or empty.
    """

    code: str
    severity: Severity
    message: str
    path: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""
    source: str = ""

    @property
    def is_error(self) -> bool:
        """Whether this finding stops a deployment."""
        return self.severity == "error"

    def as_dict(self) -> dict[str, Any]:
        """The finding as JSON-ready data, keys in the order of the fields."""
        return asdict(self)


class ClusterwrightError(Exception):
    """The root of everything that clusterwright raises on purpose."""


class InvalidClusterError(ClusterwrightError):
    """A cluster.yaml has errors.

    Attributes:
        findings: Every finding, errors and warnings, in the order of the file.
    """

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        errors = [finding for finding in self.findings if finding.is_error]
        lines = [f"{f.file}:{f.line}:{f.column}: {f.code} {f.message}" for f in errors]
        super().__init__("\n".join(lines))


class UnreadableFileError(ClusterwrightError):
    """A file is missing, a directory, not UTF-8, or may not be read."""


class UnknownInstanceTypeError(ClusterwrightError):
    """An instance type, or an UltraServer type, that the hardware catalogue does not have.

    Attributes:
        name: The type as asked for.
        suggestions: Near spellings, nearest first.
    """

    def __init__(self, name: str, suggestions: Sequence[str] = (), kind: str = "instance type") -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        near = f"did you mean {' or '.join(self.suggestions)}?"
        hint = near if self.suggestions else "`clusterwright hardware` lists what is known"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class UnknownSetError(ClusterwrightError):
    """A version set that this release does not have.

    Attributes:
        name: The set as asked for.
        choices: The sets that there are, oldest first.
    """

    def __init__(self, name: str, choices: Sequence[str]) -> None:
        self.name = name
        self.choices = tuple(choices)
        super().__init__(f"unknown version set {name!r}; this release has {', '.join(self.choices)}")


class UnknownComponentError(ClusterwrightError):
    """A component that no version set pins.

    Attributes:
        name: The component as asked for.
        suggestions: Near spellings, nearest first.
    """

    def __init__(self, name: str, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        near = f"did you mean {' or '.join(self.suggestions)}?"
        hint = near if self.suggestions else "`clusterwright software show` lists what a set pins"
        super().__init__(f"unknown component {name!r}; {hint}")


class UserDataError(ClusterwrightError):
    """The scripts of a pool's nodes do not fit into the user data that EC2 takes."""


class ToolError(ClusterwrightError):
    """Node or the CDK CLI is missing, cannot be installed, or failed."""


class LocalCloudError(ClusterwrightError):
    """The embedded AWS cannot start, or refuses what it is given."""

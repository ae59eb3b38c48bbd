"""The ``software`` section: which versions run on the nodes."""

from typing import Annotated

from pydantic import Field

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_NODES, Section
from clusterwright.config.fields import (
    MirrorUrl,
    Sha256,
    SoftwareVersion,
    VariableName,
    VariableValue,
    VersionSetName,
)


class MirrorConfig(Section):
    """Where nodes get what their image lacks, in place of the internet."""

    url: Annotated[MirrorUrl, REPLACES_NODES] = Field(
        description="Bucket and prefix that `clusterwright scripts mirror` has filled."
    )
    manifest_sha256: Annotated[Sha256, REPLACES_NODES] = Field(
        description="SHA-256 of the mirror's manifest.json, as `clusterwright scripts mirror` prints it: "
        "nodes take nothing that it does not vouch for."
    )


class SoftwareConfig(Section):
    """Versions of drivers, libraries and tools on the nodes, chosen, checked and upgraded as one set."""

    set: Annotated[VersionSetName | None, REPLACES_NODES] = Field(
        default=None,
        description="Version set, as `clusterwright software list` shows them, in quotes. The newest of this "
        "release, unless you pin one.",
    )
    overrides: Annotated[dict[str, SoftwareVersion], REPLACES_NODES] = Field(
        default={},
        max_length=40,
        description="Single versions in place of the set's, by component; they are checked against all known "
        "conflicts.",
    )
    environment: Annotated[dict[VariableName, VariableValue], NO_INTERRUPTION] = Field(
        default={},
        max_length=100,
        description="Environment variables of jobs, added to those that the pool's hardware calls for.",
    )
    mirror: Annotated[MirrorConfig | None, REPLACES_NODES] = Field(
        default=None,
        description="Where nodes get what their image lacks. From the publishers, unless you name a mirror; "
        "a closed network needs one.",
    )

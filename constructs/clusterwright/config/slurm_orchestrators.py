"""Orchestrators that run Slurm: SageMaker HyperPod and AWS Parallel Computing Service (PCS)."""

from typing import Annotated, Literal

from pydantic import Field

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_CLUSTER, REPLACES_NODES, Section
from clusterwright.config.fields import DatabaseName, HostName, ItemName, SecretArn, UserName
from clusterwright.config.hyperpod import HyperPodFields

PCS_VERSIONS = ("25.05", "25.11")
"""Slurm versions of PCS, oldest first (awsome-distributed-ai, architectures/aws-pcs, July 2026)."""


class NoAccounting(Section):
    """No accounting: jobs leave no record, and there are neither quotas nor fair shares."""

    kind: Annotated[Literal["none"], NO_INTERRUPTION] = Field(description="Where jobs are accounted for.")


class LocalAccounting(Section):
    """A MariaDB on the controller, which is lost with it."""

    kind: Annotated[Literal["local"], NO_INTERRUPTION] = Field(description="Where jobs are accounted for.")


class RdsAccounting(Section):
    """A MySQL database of yours, such as Amazon RDS or Aurora."""

    kind: Annotated[Literal["rds"], NO_INTERRUPTION] = Field(description="Where jobs are accounted for.")
    endpoint: Annotated[HostName, NO_INTERRUPTION] = Field(description="Host name of the database.")
    port: Annotated[int, NO_INTERRUPTION] = Field(
        default=3306, ge=1, le=65_535, description="TCP port of the database."
    )
    secret_arn: Annotated[SecretArn, NO_INTERRUPTION] = Field(
        description="ARN of the secret with the database's `username` and `password`."
    )
    database: Annotated[DatabaseName, NO_INTERRUPTION] = Field(
        default="slurm_acct_db", description="Name of the database; slurmdbd makes it."
    )


class ManagedAccounting(Section):
    """Accounting that PCS runs."""

    kind: Annotated[Literal["managed"], NO_INTERRUPTION] = Field(description="Where jobs are accounted for.")
    keep_days: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=1, le=10_000, description="Days that records are kept; for ever, unless you say."
    )


AccountingConfig = Annotated[
    NoAccounting | LocalAccounting | RdsAccounting | ManagedAccounting, Field(discriminator="kind")
]
"""Where jobs are accounted for."""


class UserConfig(Section):
    """A person on a Slurm cluster."""

    uid: Annotated[int, REPLACES_NODES] = Field(
        ge=1001,
        le=60_000,
        description="Number of the user, and of the group of the same name, on every node. "
        "1000 is the image's own user.",
    )


class SlurmOrchestrator(Section):
    """What the orchestrators share that run Slurm."""

    kind: Annotated[str, REPLACES_CLUSTER] = Field(description="Which orchestrator runs the work.")
    login: Annotated[ItemName | None, REPLACES_NODES] = Field(
        default=None, description="Which pool people log in to. None, unless you name one."
    )
    accounting: Annotated[AccountingConfig, NO_INTERRUPTION] = Field(
        default=NoAccounting(kind="none"),
        description="Where jobs are accounted for. Nowhere, unless you say.",
    )
    users: Annotated[dict[UserName, UserConfig], REPLACES_NODES] = Field(
        default={}, max_length=500, description="Who has an account on the nodes, by login name."
    )

    @property
    def roles(self) -> dict[str, str]:
        """The pools that run no jobs, by what they do: ``controller``, ``login``."""
        return {"login": self.login} if self.login is not None else {}


class HyperPodSlurmConfig(HyperPodFields, SlurmOrchestrator):
    """SageMaker HyperPod under Slurm, whose version is that of HyperPod's image."""

    kind: Annotated[Literal["hyperpod-slurm"], REPLACES_CLUSTER] = Field(
        description="Which orchestrator runs the work."
    )
    controller: Annotated[ItemName, REPLACES_CLUSTER] = Field(
        description="Which pool, of one node, runs Slurm's controller."
    )

    @property
    def roles(self) -> dict[str, str]:
        """The pools that run no jobs, by what they do: ``controller``, ``login``."""
        return {"controller": self.controller} | super().roles


class PcsConfig(SlurmOrchestrator):
    """AWS PCS, which runs Slurm's controller itself."""

    kind: Annotated[Literal["pcs"], REPLACES_CLUSTER] = Field(description="Which orchestrator runs the work.")
    version: Annotated[Literal["25.05", "25.11"], REPLACES_CLUSTER] = Field(
        default="25.11", description="Slurm version, in quotes. The newest that this release knows."
    )

"""What the files of Slurm are made of: one model for the cluster, one for each partition."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, computed_field

from clusterwright_lifecycle.contexts import ScriptContext

Topology = Literal["flat", "tree", "block"]
AccountingKind = Literal["none", "local", "rds", "managed"]


class GresContext(ScriptContext):
    """The accelerators of a node, as Slurm counts them."""

    name: Literal["gpu", "neuron"] = Field(description="What Slurm calls them.")
    type: str = Field(
        pattern=r"^[a-z0-9]*$",
        description="Which ones, such as h100: a part of NVML's name for them, or empty.",
    )
    count: int = Field(ge=1, le=64, description="How many a node has.")
    device: str = Field(pattern=r"^/", description="Their device files, without the number at the end.")


class PartitionContext(ScriptContext):
    """A pool that runs jobs."""

    name: str = Field(pattern=r"^[a-z][a-z0-9-]{0,31}$", description="Name of the pool and the partition.")
    instance_type: str = Field(description="EC2 instance type, a feature of the nodes.")
    nodes: int = Field(ge=0, description="Most nodes that the pool can have.")
    sockets: int = Field(ge=1, description="Processors of a node, among which accelerators are shared out.")
    cores_per_socket: int = Field(ge=1, description="Cores of each.")
    threads_per_core: Literal[1, 2] = Field(description="Threads of each core.")
    memory_mib: int = Field(ge=1, description="Memory that jobs may use, less than the node has, in MiB.")
    gres: GresContext | None = Field(default=None, description="Accelerators, if it has any.")
    weight: int = Field(default=1, ge=1, description="Nodes of a lower weight are given to jobs first.")
    nodes_per_ultraserver: int = Field(
        default=0, ge=0, description="Nodes that NVLink joins; 0 where it ends at the node."
    )
    is_one_ultraserver: bool = Field(
        default=False, description="Whether all its nodes are in the same UltraServer, as AWS sold no more."
    )
    is_default: bool = Field(default=False, description="Whether jobs go here that name no partition.")

    @computed_field  # type: ignore[prop-decorator]  # mypy knows none above a property
    @property
    def defaults(self) -> str:
        """What a job gets that says nothing: an accelerator's share of the node, and a processor's without.

        The latter keeps a job without GPUs from all memory of a node, which would leave its GPUs idle.
        """
        cpus = self.sockets * self.cores_per_socket * self.threads_per_core
        for_cpus = f"DefMemPerCPU={self.memory_mib // cpus}"
        if self.gres is None or self.gres.name != "gpu":
            return for_cpus
        share = f"DefCpuPerGPU={cpus // self.gres.count} DefMemPerGPU={self.memory_mib // self.gres.count}"
        return f"{for_cpus} {share}"


class AccountingContext(ScriptContext):
    """Where jobs are accounted for."""

    kind: AccountingKind = Field(description="Nowhere, on the controller, in a database of yours, in PCS.")
    host: str = Field(default="localhost", description="Host name of the database.")
    port: int = Field(default=3306, ge=1, le=65_535, description="Its TCP port.")
    database: str = Field(default="slurm_acct_db", description="Its name.")
    secret_arn: str = Field(default="", description="Secret with user name and password; rds alone has one.")


class SlurmContext(ScriptContext):
    """A Slurm cluster."""

    cluster: str = Field(pattern=r"^[a-z][a-z0-9-]{0,31}$", description="Name of the cluster.")
    orchestrator: Literal["hyperpod-slurm", "pcs"] = Field(description="What runs Slurm.")
    controller_pool: str = Field(default="", description="Pool of the controller; empty where AWS runs it.")
    partitions: tuple[PartitionContext, ...] = Field(min_length=1, description="Pools that run jobs.")
    topology: Topology = Field(description="How the network is told to Slurm.")
    accounting: AccountingContext = Field(description="Where jobs are accounted for.")
    configuration: str = Field(
        default="/opt/slurm/etc",
        pattern=r"^/",
        description="Folder of slurm.conf; HyperPod's image has this.",
    )
    scripts: str = Field(
        default="/opt/clusterwright/slurm", pattern=r"^/", description="Folder of prolog and epilog."
    )
    health_check_seconds: int = Field(
        default=300, ge=0, description="Time between health checks; 0 for none."
    )
    has_priorities: bool = Field(
        default=True, description="Whether jobs are ordered by fair share, age, size and quality of service."
    )

    @computed_field  # type: ignore[prop-decorator]  # mypy knows none above a property
    @property
    def gres_names(self) -> tuple[str, ...]:
        """The kinds of accelerators, each once, sorted."""
        return tuple(sorted({each.gres.name for each in self.partitions if each.gres is not None}))

    @property
    def block_size(self) -> int:
        """Nodes of the smallest UltraServer; 0 without any."""
        sizes = [each.nodes_per_ultraserver for each in self.partitions if each.nodes_per_ultraserver]
        return min(sizes, default=0)

"""The ``pools`` section: groups of equal nodes."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_NODES, Section
from clusterwright.config.fields import (
    InstanceType,
    ItemName,
    Items,
    LabelKey,
    LabelValue,
    Taint,
    UltraServerType,
    contradiction,
)

Purpose = Literal["system", "batch", "realtime", "interactive"]

_SIZES = ("count", "min", "max")


class PoolConfig(Section):
    """Nodes of one instance type, bought in one way, for one purpose."""

    instance_type: Annotated[InstanceType, REPLACES_NODES] = Field(
        description="EC2 instance type, as `clusterwright hardware` lists them."
    )
    count: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=0, le=10_000, description="How many nodes there are; or give `min` and `max`."
    )
    min: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=0, le=10_000, description="Fewest nodes that something else may scale the pool to."
    )
    max: Annotated[int | None, NO_INTERRUPTION] = Field(
        default=None, ge=1, le=10_000, description="Most nodes that something else may scale the pool to."
    )
    capacity: Annotated[ItemName | None, REPLACES_NODES] = Field(
        default=None,
        description="Which entry of `capacity` the nodes come from. On-demand instances, unless you "
        "name one.",
    )
    purpose: Annotated[Purpose | None, REPLACES_NODES] = Field(
        default=None,
        description="What runs here. Accelerated pools are for `batch` and others for `system`, "
        "unless you say otherwise.",
    )
    ultraserver: Annotated[UltraServerType | None, REPLACES_NODES] = Field(
        default=None,
        description="For p6e and trn2u only: nodes come in whole UltraServers of this type.",
    )
    labels: Annotated[dict[LabelKey, LabelValue], NO_INTERRUPTION] = Field(
        default={}, description="Kubernetes labels, added to those that clusterwright sets."
    )
    taints: Annotated[Items[Taint], NO_INTERRUPTION] = Field(
        default=(),
        description="Kubernetes taints as `key=value:Effect`. A pool has none unless you give some.",
    )
    root_volume_gib: Annotated[int, REPLACES_NODES] = Field(
        default=200, ge=20, le=16_384, description="Size of the encrypted root volume (gp3), in GiB."
    )

    @model_validator(mode="after")
    def _has_one_size(self) -> Self:
        if self.count is not None and (self.min is not None or self.max is not None):
            raise contradiction("count", "give either count, or min and max", _SIZES)
        if self.count is None and (self.min is None or self.max is None):
            raise contradiction("", "say how many nodes: count, or both min and max", _SIZES)
        if self.min is not None and self.max is not None and self.min > self.max:
            raise contradiction("min", f"min is {self.min}, more than max, which is {self.max}", _SIZES)
        return self

    @property
    def largest_size(self) -> int:
        """The most nodes that this pool can have."""
        return self.count if self.count is not None else self.max or 0

    @property
    def smallest_size(self) -> int:
        """The fewest nodes that this pool can have."""
        return self.count if self.count is not None else self.min or 0

"""The ``capacity`` section: what has been bought or reserved, and where it sits."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_CLUSTER, REPLACES_NODES, Section
from clusterwright.config.fields import (
    CapacityReservationId,
    InstanceType,
    Moment,
    UltraServerType,
    ZoneId,
    contradiction,
)


class OnDemandCapacity(Section):
    """Instances at the on-demand price, if AWS has some at that moment."""

    kind: Annotated[Literal["on-demand"], REPLACES_NODES] = Field(description="How the capacity is bought.")


class SpotCapacity(Section):
    """Spare instances at a discount; AWS takes them back with two minutes' notice."""

    kind: Annotated[Literal["spot"], REPLACES_NODES] = Field(description="How the capacity is bought.")


class ReservationCapacity(Section):
    """An on-demand capacity reservation (ODCR), always targeted by its id."""

    kind: Annotated[Literal["reservation"], REPLACES_NODES] = Field(description="How the capacity is bought.")
    id: Annotated[CapacityReservationId, REPLACES_NODES] = Field(
        description="Id of the capacity reservation."
    )
    instance_type: Annotated[InstanceType, REPLACES_NODES] = Field(
        description="Instance type that the reservation holds."
    )
    count: Annotated[int, NO_INTERRUPTION] = Field(ge=1, description="Instances that the reservation holds.")
    zone: Annotated[ZoneId, REPLACES_CLUSTER] = Field(
        description="Zone id of the reservation; unless `zone` is named at the top, the cluster's."
    )
    placement_group: Annotated[str | None, REPLACES_NODES] = Field(
        default=None,
        min_length=1,
        max_length=255,
        description="Name of the cluster placement group that the reservation was created in. "
        "Without it the nodes are in no placement group, since the reservation is in none.",
    )


class CapacityBlockCapacity(Section):
    """An EC2 capacity block for ML: bought ahead, for a fixed window."""

    kind: Annotated[Literal["capacity-block"], REPLACES_NODES] = Field(
        description="How the capacity is bought."
    )
    id: Annotated[CapacityReservationId, REPLACES_NODES] = Field(
        description="Id of the capacity reservation that the purchase returned."
    )
    instance_type: Annotated[InstanceType | None, REPLACES_NODES] = Field(
        default=None, description="Instance type of the block; give this or `ultraserver_type`."
    )
    ultraserver_type: Annotated[UltraServerType | None, REPLACES_NODES] = Field(
        default=None, description="UltraServer type of the block; give this or `instance_type`."
    )
    count: Annotated[int, NO_INTERRUPTION] = Field(
        ge=1, description="Instances that the block holds, or UltraServers where `ultraserver_type` is given."
    )
    zone: Annotated[ZoneId, REPLACES_CLUSTER] = Field(
        description="Zone id of the block; unless `zone` is named at the top, the cluster's."
    )
    starts: Annotated[Moment, NO_INTERRUPTION] = Field(description="When the block begins, in UTC.")
    ends: Annotated[Moment, NO_INTERRUPTION] = Field(
        description="When the block ends, in UTC. AWS begins to terminate instances 30 minutes before "
        "(60 minutes for UltraServers)."
    )

    @model_validator(mode="after")
    def _names_one_type_and_a_window(self) -> Self:
        if (self.instance_type is None) == (self.ultraserver_type is None):
            wrong = "one of them is missing" if self.instance_type is None else "not both"
            among = ("instance_type", "ultraserver_type")
            raise contradiction("kind", f"give instance_type or ultraserver_type: {wrong}", among)
        if self.ends <= self.starts:
            message = "the window ends before it starts: ends must be later than starts"
            raise contradiction("ends", message, ("starts", "ends"))
        return self


CapacityConfig = Annotated[
    OnDemandCapacity | SpotCapacity | ReservationCapacity | CapacityBlockCapacity,
    Field(discriminator="kind"),
]
"""One way in which instances are had."""

CapacityKind = Literal["on-demand", "spot", "reservation", "capacity-block"]

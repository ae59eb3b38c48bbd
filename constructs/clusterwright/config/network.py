"""The ``network`` section: a VPC of the cluster's own, or one that exists."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from clusterwright.config.base import NO_INTERRUPTION, REPLACES_CLUSTER, REPLACES_NODES, Section
from clusterwright.config.fields import Cidr, SubnetId, VpcId, ZoneId, contradiction


class ExistingNetworkConfig(Section):
    """A VPC that somebody else owns; clusterwright changes nothing in it."""

    vpc: Annotated[VpcId, REPLACES_CLUSTER] = Field(description="Id of the VPC.")
    subnets: Annotated[dict[ZoneId, SubnetId], REPLACES_CLUSTER] = Field(
        min_length=2,
        description="One private subnet a zone, by zone id. The cluster's zone must be among them, and "
        "two that EKS can put its control plane into.",
    )


class NetworkConfig(Section):
    """Where the nodes' addresses come from, and how nodes reach AWS and the internet."""

    cidr: Annotated[Cidr, REPLACES_CLUSTER] = Field(
        default="10.0.0.0/16",
        description="Address block of the VPC, /16 to /22. Its lower half is the nodes' subnet.",
    )
    pod_cidr: Annotated[Cidr | None, REPLACES_NODES] = Field(
        default=None,
        description="A second block, /16 to /24, that pods take their addresses from. Without it pods share "
        "the nodes' subnet.",
    )
    egress: Annotated[Literal["nat", "none"], NO_INTERRUPTION] = Field(
        default="nat",
        description="How nodes reach outside. `nat` through a NAT gateway, which is what happens unless you "
        "say otherwise; `none` not at all: AWS's own services are reached through VPC endpoints.",
    )
    service_cidr: Annotated[Cidr | None, REPLACES_CLUSTER] = Field(
        default=None,
        description="Address block of Kubernetes services, /12 to /24, in private space. `172.20.0.0/16`, or "
        "`10.100.0.0/16` where that overlaps `cidr` or `pod_cidr`, unless you name one. The blocks of an "
        "existing VPC are not known here: name one if `172.20.0.0/16` is in use there, or in a network that "
        "it reaches.",
    )
    existing: Annotated[ExistingNetworkConfig | None, REPLACES_CLUSTER] = Field(
        default=None,
        description="Bring your own VPC instead. Then `cidr`, `pod_cidr` and `egress` must not be given.",
    )

    @model_validator(mode="after")
    def _describes_one_network(self) -> Self:
        clashing = sorted({"cidr", "pod_cidr", "egress"} & self.model_fields_set)
        if self.existing is not None and clashing:
            raise contradiction(
                "existing", f"an existing VPC has its own {', '.join(clashing)}: remove it here"
            )
        return self

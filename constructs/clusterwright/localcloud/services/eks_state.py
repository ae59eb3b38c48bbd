"""What the parts of our EKS share: the clusters, and how EKS says that something is not there."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from clusterwright.localcloud.errors import ApiError
from clusterwright.localcloud.service import Service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account

Record = dict[str, Any]
"""Something of EKS as its Describe operation tells it."""


@dataclass
class ClusterRecord:
    """A cluster and what belongs to it; each part in the shape of its Describe operation.

    Attributes:
        cluster: The cluster.
        node_groups: By name.
        targets: The capacity reservation of each node group that has one, by the node group's name.
        addons: By name.
        access_entries: By principal ARN.
        access_policies: Associated policies by principal ARN, then by policy ARN.
        pod_identities: Pod identity associations by id.
    """

    cluster: Record
    node_groups: dict[str, Record] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    addons: dict[str, Record] = field(default_factory=dict)
    access_entries: dict[str, Record] = field(default_factory=dict)
    access_policies: dict[str, dict[str, Record]] = field(default_factory=dict)
    pod_identities: dict[str, Record] = field(default_factory=dict)

    @property
    def vpc_id(self) -> str:
        """The VPC of the control plane."""
        return str(self.cluster["resourcesVpcConfig"]["vpcId"])


class EksState(Service):
    """The clusters of the account."""

    is_whole = True

    def __init__(self, account: Account) -> None:
        super().__init__(account)
        self.clusters: dict[str, ClusterRecord] = {}

    def record(self, name: str) -> ClusterRecord:
        """A cluster by name.

        Raises:
            ApiError: There is none.
        """
        if name not in self.clusters:
            raise not_found(f"No cluster found for name: {name}.")
        return self.clusters[name]


def not_found(message: str) -> ApiError:
    """The error for something that is not there."""
    return ApiError("ResourceNotFoundException", message)


def in_use(message: str) -> ApiError:
    """The error for a name that is taken, or a thing that others need."""
    return ApiError("ResourceInUseException", message)


def now() -> datetime:
    """The time in UTC, as EKS stamps it."""
    return datetime.now(UTC)


def given(params: Mapping[str, Any], *names: str) -> Record:
    """The named parameters that the caller gave."""
    return {name: params[name] for name in names if params.get(name) is not None}


def update_answer(kind: str) -> Record:
    """The answer of an update, which is done before the call returns."""
    update = {"id": str(uuid4()), "status": "Successful", "type": kind, "createdAt": now(), "errors": []}
    return {"update": update}

"""A pool of EKS nodes: a launch template with the right interfaces, and a managed node group."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from aws_cdk import CfnTag, Fn, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from constructs import Construct

from clusterwright.config.capacity import CapacityBlockCapacity, ReservationCapacity, SpotCapacity
from clusterwright.labels import (
    ACCELERATOR_LABEL,
    CAPACITY_TYPE_LABEL,
    POOL_LABEL,
    PURPOSE_LABEL,
    storage_label,
)
from clusterwright.node_context import make_eks_node_context
from clusterwright.orchestrators.images import pick_ami_type, refer_to_release
from clusterwright.resolution import HeldCapacity
from clusterwright.user_data import fit_user_data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aws_cdk import aws_iam as iam
    from aws_cdk import aws_kms as kms

    from clusterwright.config.capacity import CapacityConfig
    from clusterwright.config.storage import LocalNvmeConfig
    from clusterwright.resolution import ResolvedPool
    from clusterwright_lifecycle.contexts import BootContext

ROOT_DEVICE = "/dev/xvda"
"""Root device of the EKS AL2023 images."""

TAINT_EFFECTS = {
    "NoSchedule": "NO_SCHEDULE",
    "PreferNoSchedule": "PREFER_NO_SCHEDULE",
    "NoExecute": "NO_EXECUTE",
}


class NodePool(Construct):
    """A managed node group whose nodes all have one type, one zone and one way of being bought.

    Attributes:
        launch_template: The L1 launch template.
        node_group: The L1 node group.
        placement_group: The cluster placement group, or None.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        pool: ResolvedPool,
        cluster_name: str,
        subnet_ids: Sequence[str],
        security_group_ids: Sequence[str],
        node_role: iam.IRole,
        version: str | None = None,
        image_release: str | None = None,
        boot: BootContext | None = None,
        local_nvme: LocalNvmeConfig | None = None,
        volumes: Sequence[str] = (),
        key: kms.IKey | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        """Make the pool.

        Args:
            scope: The parent.
            construct_id: The id; a change replaces the nodes.
            pool: What to make, resolved.
            cluster_name: Name of the EKS cluster.
            subnet_ids: Subnets of the nodes, in the pool's zone.
            security_group_ids: Security groups of every interface: the cluster's, and EFA's where used.
            node_role: Role of the nodes.
            version: Kubernetes version of the nodes; that of the cluster at creation unless given.
            image_release: Release of EKS's image for that version, such as ``v20260714``; EKS's newest at
                creation unless given.
            boot: The scripts that run before the kubelet; none unless given.
            local_nvme: How local disks are used; striped, for containers' files, unless given.
            volumes: Names of the volumes that the nodes may use.
            key: Key for the root volumes; AWS's own key for EBS unless given.
            tags: Tags on instances, volumes and interfaces, which the node group does not pass on.
        """
        super().__init__(scope, construct_id)
        self._pool = pool
        self._local_nvme = local_nvme
        self._boot = boot
        self._volumes = volumes
        self._tags = {"Name": f"{cluster_name}-{pool.name}", **(tags or {})}
        self.placement_group = (
            ec2.CfnPlacementGroup(self, "PlacementGroup", strategy="cluster")
            if pool.needs_placement_group
            else None
        )
        self.launch_template = ec2.CfnLaunchTemplate(
            self, "LaunchTemplate", launch_template_data=self._template_data(security_group_ids, key)
        )
        self.node_group = self._add_node_group(cluster_name, version, image_release, subnet_ids, node_role)

    def _template_data(self, security_group_ids: Sequence[str], key: kms.IKey | None) -> dict[str, Any]:
        pool = self._pool
        return {
            "instanceType": pool.spec.name,
            **lay_out_network(pool, security_group_ids),
            **target_capacity(pool.capacity),
            "placement": self._placement(),
            "metadataOptions": {
                "httpTokens": "required",
                "httpPutResponseHopLimit": 1,
                # EKS tags nodes with keys that hold a slash, which tags in the metadata must not.
                "instanceMetadataTags": "disabled",
            },
            "blockDeviceMappings": [
                {
                    "deviceName": ROOT_DEVICE,
                    "ebs": {
                        "volumeType": "gp3",
                        "volumeSize": pool.config.root_volume_gib,
                        "encrypted": True,
                        "kmsKeyId": key.key_arn if key else None,
                        "deleteOnTermination": True,
                    },
                }
            ],
            "userData": Fn.base64(self._render_user_data()),
            "tagSpecifications": [
                {
                    "resourceType": resource,
                    "tags": [CfnTag(key=name, value=value) for name, value in self._tags.items()],
                }
                for resource in ("instance", "volume", "network-interface")
            ],
        }

    def _render_user_data(self) -> str:
        context = make_eks_node_context(self._pool, self._local_nvme)
        return fit_user_data(self._pool.name, context.model_copy(update={"boot": self._boot}))

    def _placement(self) -> dict[str, str] | None:
        if self.placement_group is not None:
            return {"groupName": self.placement_group.ref}
        capacity = self._pool.capacity
        if isinstance(capacity, ReservationCapacity) and capacity.placement_group is not None:
            return {"groupName": capacity.placement_group}
        return None

    def _add_node_group(
        self,
        cluster_name: str,
        version: str | None,
        image_release: str | None,
        subnet_ids: Sequence[str],
        node_role: iam.IRole,
    ) -> eks.CfnNodegroup:
        pool = self._pool
        return eks.CfnNodegroup(
            self,
            "NodeGroup",
            cluster_name=cluster_name,
            nodegroup_name=name_node_group(pool, subnet_ids),
            node_role=node_role.role_arn,
            subnets=list(subnet_ids),
            ami_type=pick_ami_type(pool.spec),
            capacity_type=pick_capacity_type(pool.capacity),
            launch_template={
                "id": self.launch_template.ref,
                "version": self.launch_template.attr_latest_version_number,
            },
            scaling_config={
                "minSize": pool.config.smallest_size,
                "desiredSize": pool.config.smallest_size,
                "maxSize": max(pool.config.largest_size, 1),
            },
            labels=pick_labels(pool, self._volumes),
            taints=[parse_taint(taint) for taint in pool.config.taints] or None,
            version=version,
            release_version=refer_to_release(pool.spec, kubernetes_version=version, release=image_release)
            if version and image_release
            else None,
            node_repair_config=pick_repair_config(pool.config.largest_size),
            update_config=pick_update_config(pool.capacity),
            tags=self._tags,
        )


def name_node_group(pool: ResolvedPool, subnet_ids: Sequence[str]) -> str:
    """The pool's name and a digest of what EKS cannot change in a node group.

    A change of these makes CloudFormation replace the node group, and it makes the new one first: under the
    old one's name that would fail.
    """
    literal_subnets = [each for each in subnet_ids if not Token.is_unresolved(each)]
    fixed = [pick_ami_type(pool.spec), pick_capacity_type(pool.capacity), pool.zone, *literal_subnets]
    return f"{pool.name}-{sha256(' '.join(fixed).encode()).hexdigest()[:6]}"


def lay_out_network(pool: ResolvedPool, security_group_ids: Sequence[str]) -> dict[str, Any]:
    """The launch template's network part: each interface by card and device; without EFA just the groups."""
    if not pool.has_efa:
        return {"securityGroupIds": list(security_group_ids)}
    return {
        "networkInterfaces": [
            {
                "networkCardIndex": interface.card,
                "deviceIndex": interface.device,
                "interfaceType": interface.kind,
                "groups": list(security_group_ids),
                "deleteOnTermination": True,
            }
            for interface in pool.interfaces
        ]
    }


def target_capacity(capacity: CapacityConfig) -> dict[str, Any]:
    """The launch template's part that names bought capacity, so that nothing else is ever taken."""
    if not isinstance(capacity, HeldCapacity):
        return {}
    target = {"capacityReservationTarget": {"capacityReservationId": capacity.id}}
    if isinstance(capacity, CapacityBlockCapacity):
        return {
            "instanceMarketOptions": {"marketType": "capacity-block"},
            "capacityReservationSpecification": target,
        }
    return {"capacityReservationSpecification": target}


def pick_capacity_type(capacity: CapacityConfig) -> str:
    """EKS's word for how the nodes are bought."""
    if isinstance(capacity, CapacityBlockCapacity):
        return "CAPACITY_BLOCK"
    return "SPOT" if isinstance(capacity, SpotCapacity) else "ON_DEMAND"


def pick_update_config(capacity: CapacityConfig) -> dict[str, Any]:
    """How nodes are replaced: held capacity has no room for a new node before the old one is gone."""
    if isinstance(capacity, HeldCapacity):
        return {"maxUnavailablePercentage": 10, "updateStrategy": "MINIMAL"}
    return {"maxUnavailablePercentage": 10, "updateStrategy": "DEFAULT"}


def pick_repair_config(size: int) -> dict[str, Any]:
    """Repair a few nodes at a time, and none once so many are unhealthy that the nodes are not to blame.

    Counts rather than percentages: a fifth of three nodes would stop the repair of the first.

    Args:
        size: Nodes of the pool, at most.
    """
    return {
        "enabled": True,
        "maxParallelNodesRepairedCount": max(1, size // 20),
        "maxUnhealthyNodeThresholdCount": max(1, size // 5),
    }


def pick_labels(pool: ResolvedPool, volumes: Sequence[str] = ()) -> dict[str, str]:
    """Node labels by which workloads and volumes find the pool; the user's own win."""
    labels = {
        POOL_LABEL: pool.name,
        PURPOSE_LABEL: pool.purpose,
        CAPACITY_TYPE_LABEL: pool.capacity.kind,
    }
    if pool.spec.accelerators is not None:
        labels[ACCELERATOR_LABEL] = pool.spec.accelerators.name.lower().replace(" ", "-")
    labels |= {storage_label(name): "true" for name in volumes}
    return labels | pool.config.labels


def parse_taint(text: str) -> dict[str, str]:
    """A taint as EKS takes it, from ``key=value:Effect`` or ``key:Effect``."""
    pair, _, effect = text.rpartition(":")
    key, _, value = pair.partition("=")
    return (
        {"key": key, "value": value, "effect": TAINT_EFFECTS[effect]}
        if value
        else {
            "key": key,
            "effect": TAINT_EFFECTS[effect],
        }
    )

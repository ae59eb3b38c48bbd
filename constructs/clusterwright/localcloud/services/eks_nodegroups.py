"""EKS: managed node groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ApiError, refuse
from clusterwright.localcloud.rules.capacity import target_id
from clusterwright.localcloud.rules.lookup import refuse_unknown_role
from clusterwright.localcloud.service import operation
from clusterwright.localcloud.services.eks_nodegroup_checks import (
    desired_nodes,
    refuse_capacity,
    refuse_count,
    refuse_launch,
    refuse_settings,
)
from clusterwright.localcloud.services.eks_state import (
    ClusterRecord,
    EksState,
    Record,
    given,
    in_use,
    not_found,
    now,
    update_answer,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_SCALING = {"minSize": 1, "maxSize": 2, "desiredSize": 2}
SETTINGS = (
    "clusterName",
    "nodegroupName",
    "scalingConfig",
    "diskSize",
    "subnets",
    "instanceTypes",
    "amiType",
    "remoteAccess",
    "nodeRole",
    "labels",
    "taints",
    "tags",
    "launchTemplate",
    "updateConfig",
    "nodeRepairConfig",
    "warmPoolConfig",
    "capacityType",
    "releaseVersion",
    "version",
)


class EksNodeGroups(EksState):
    """Managed node groups."""

    @operation
    def create_nodegroup(self, params: Mapping[str, Any]) -> Record:
        """Make a node group, if the cluster, the launch template and the capacity allow it."""
        record, name = self.record(params["clusterName"]), params["nodegroupName"]
        if name in record.node_groups:
            raise in_use(
                f"NodeGroup already exists with name {name} and cluster name {params['clusterName']}"
            )
        refuse_unknown_role(self.account, params["nodeRole"])
        data = self._template_data(params.get("launchTemplate"))
        group = {
            "nodegroupArn": self.account.arn("eks", f"nodegroup/{params['clusterName']}/{name}/{uuid4()}"),
            "version": record.cluster["version"],
            "amiType": "CUSTOM" if data.get("ImageId") else "AL2023_x86_64_STANDARD",
            "capacityType": "ON_DEMAND",
            "scalingConfig": DEFAULT_SCALING,
            "labels": {},
            "taints": [],
            "createdAt": now(),
            "modifiedAt": now(),
            "status": "ACTIVE",
            "health": {"issues": []},
            "resources": {"autoScalingGroups": [{"name": f"eks-{name}-{uuid4()}"}]},
            **given(params, *SETTINGS),
        }
        refuse_settings(group)
        self._keep(record, group, data, elsewhere=self._wanted(target_id(data)))
        return {"nodegroup": group}

    @operation
    def describe_nodegroup(self, params: Mapping[str, Any]) -> Record:
        """A node group."""
        return {"nodegroup": self._node_group(params)}

    @operation
    def list_nodegroups(self, params: Mapping[str, Any]) -> Record:
        """Names of a cluster's node groups."""
        return {"nodegroups": sorted(self.record(params["clusterName"]).node_groups)}

    @operation
    def update_nodegroup_config(self, params: Mapping[str, Any]) -> Record:
        """Change sizes, labels, taints, and how nodes are updated and repaired."""
        record, group = self.record(params["clusterName"]), self._node_group(params)
        changed = {
            **group,
            **given(params, "updateConfig", "nodeRepairConfig", "warmPoolConfig"),
            "scalingConfig": {**group["scalingConfig"], **params.get("scalingConfig", {})},
            "labels": _changed_labels(group["labels"], params.get("labels", {})),
            "taints": _changed_taints(group["taints"], params.get("taints", {})),
            "modifiedAt": now(),
        }
        refuse_settings(changed)
        # Another node group may give up its nodes later in the same deployment, so they do not count here.
        refuse_count(self.account, record.targets.get(group["nodegroupName"]), changed)
        group.update(changed)
        return update_answer("ConfigUpdate")

    @operation
    def update_nodegroup_version(self, params: Mapping[str, Any]) -> Record:
        """Bring nodes to a Kubernetes version or to another version of the launch template."""
        group, record = self._node_group(params), self.record(params["clusterName"])
        changed = {
            **group,
            "version": record.cluster["version"],
            "modifiedAt": now(),
            **given(params, "version", "releaseVersion", "launchTemplate"),
        }
        self._keep(record, changed, self._template_data(changed.get("launchTemplate")))
        return update_answer("VersionUpdate")

    @operation
    def delete_nodegroup(self, params: Mapping[str, Any]) -> Record:
        """Delete a node group."""
        group = self._node_group(params)
        record, name = self.record(params["clusterName"]), params["nodegroupName"]
        del record.node_groups[name]
        record.targets.pop(name, None)
        return {"nodegroup": {**group, "status": "DELETING"}}

    def _node_group(self, params: Mapping[str, Any]) -> Record:
        groups, name = self.record(params["clusterName"]).node_groups, params["nodegroupName"]
        if name not in groups:
            raise not_found(f"No node group found for name: {name}.")
        return groups[name]

    def _template_data(self, template: Mapping[str, Any] | None) -> Record:
        """The data of a launch template's version; empty where there is no template."""
        if not template:
            return {}
        keys = {"id": "LaunchTemplateId", "name": "LaunchTemplateName"}
        named = {keys[key]: template[key] for key in keys if template.get(key)}
        try:
            versions = self.account.client("ec2").describe_launch_template_versions(
                **named, Versions=[str(template.get("version", "$Default"))]
            )["LaunchTemplateVersions"]
        except ClientError as error:
            message = error.response["Error"]["Message"]
            raise ApiError("InvalidParameterException", message) from error
        if not versions:
            refuse([f"Launch template {named} has no version {template.get('version')}."])
        data: Record = versions[0]["LaunchTemplateData"]
        return data

    def _keep(self, record: ClusterRecord, group: Record, data: Record, elsewhere: int = 0) -> None:
        """Keep a new or changed node group, if the rules of EKS and EC2 allow it.

        Args:
            record: Its cluster.
            group: The node group.
            data: Its launch template's data; empty where there is none.
            elsewhere: Nodes that other node groups want of the same capacity reservation.
        """
        name, target = group["nodegroupName"], target_id(data)
        refuse_launch(self.account, group, data, record)
        refuse_capacity(self.account, group, data)
        refuse_count(self.account, target, group, elsewhere)
        record.node_groups[name] = group
        record.targets.pop(name, None)
        if target:
            record.targets[name] = target

    def _wanted(self, target: str | None) -> int:
        """How many nodes all node groups together want of a capacity reservation."""
        return sum(
            desired_nodes(record.node_groups[name])
            for record in self.clusters.values()
            for name, reservation_id in record.targets.items()
            if reservation_id == target
        )


def _changed_labels(labels: Mapping[str, str], change: Mapping[str, Any]) -> dict[str, str]:
    removed = change.get("removeLabels", [])
    kept = {key: value for key, value in labels.items() if key not in removed}
    return {**kept, **change.get("addOrUpdateLabels", {})}


def _changed_taints(taints: list[Record], change: Mapping[str, Any]) -> list[Record]:
    added = change.get("addOrUpdateTaints", [])
    dropped = [*change.get("removeTaints", []), *added]
    return [*(taint for taint in taints if taint not in dropped), *added]

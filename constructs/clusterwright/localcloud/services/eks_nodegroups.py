"""EKS: managed node groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ApiError, refuse
from clusterwright.localcloud.rules.capacity import market_problems, reservation_problems, target_id
from clusterwright.localcloud.rules.clusters import launch_template_problems, node_subnet_problems
from clusterwright.localcloud.rules.interfaces import interface_problems
from clusterwright.localcloud.rules.lookup import (
    described_subnets,
    network_cards,
    refuse_unknown_groups,
    refuse_unknown_role,
    reservation,
)
from clusterwright.localcloud.service import operation
from clusterwright.localcloud.services.eks_state import (
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
        self._check(params, data, record.vpc_id)
        group = {
            "nodegroupArn": self.account.arn("eks", f"nodegroup/{params['clusterName']}/{name}/{uuid4()}"),
            "version": record.cluster["version"],
            "amiType": "AL2023_x86_64_STANDARD",
            "capacityType": "ON_DEMAND",
            "scalingConfig": {"minSize": 1, "maxSize": 2, "desiredSize": 2},
            "labels": {},
            "taints": [],
            "createdAt": now(),
            "modifiedAt": now(),
            "status": "ACTIVE",
            "health": {"issues": []},
            "resources": {"autoScalingGroups": [{"name": f"eks-{name}-{uuid4()}"}]},
            **given(params, *SETTINGS),
        }
        if params.get("version"):
            group["version"] = params["version"]
        record.node_groups[name] = group
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
        group = self._node_group(params)
        group.update(given(params, "scalingConfig", "updateConfig", "nodeRepairConfig", "warmPoolConfig"))
        labels = params.get("labels", {})
        group["labels"] = {
            **{
                key: value
                for key, value in group["labels"].items()
                if key not in labels.get("removeLabels", [])
            },
            **labels.get("addOrUpdateLabels", {}),
        }
        taints = params.get("taints", {})
        kept = [taint for taint in group["taints"] if taint not in taints.get("removeTaints", [])]
        added = taints.get("addOrUpdateTaints", [])
        group["taints"] = [*(taint for taint in kept if taint not in added), *added]
        group["modifiedAt"] = now()
        return update_answer("ConfigUpdate")

    @operation
    def update_nodegroup_version(self, params: Mapping[str, Any]) -> Record:
        """Bring nodes to a Kubernetes version or to another version of the launch template."""
        group, record = self._node_group(params), self.record(params["clusterName"])
        template = params.get("launchTemplate")
        if template:
            as_created = {**group, "launchTemplate": template}
            self._check(as_created, self._template_data(template), record.vpc_id)
            group["launchTemplate"] = template
        group["version"] = params.get("version") or record.cluster["version"]
        group.update(given(params, "releaseVersion"))
        group["modifiedAt"] = now()
        return update_answer("VersionUpdate")

    @operation
    def delete_nodegroup(self, params: Mapping[str, Any]) -> Record:
        """Delete a node group."""
        group = self._node_group(params)
        del self.record(params["clusterName"]).node_groups[params["nodegroupName"]]
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

    def _check(self, params: Mapping[str, Any], data: Record, vpc_id: str) -> None:
        """Hold a node group against the rules of EKS and EC2."""
        subnets = described_subnets(self.account, params["subnets"])
        refuse(node_subnet_problems(subnets, vpc_id))
        capacity_type = params.get("capacityType") or "ON_DEMAND"
        refuse(market_problems(capacity_type, data))
        if params.get("launchTemplate"):
            refuse(launch_template_problems(params, data))
        instance_types = (
            [data["InstanceType"]] if data.get("InstanceType") else params.get("instanceTypes", [])
        )
        wanted = target_id(data)
        if wanted:
            problems = reservation_problems(
                wanted,
                reservation(self.account, wanted),
                instance_type=instance_types[0] if instance_types else None,
                zone_ids={subnet["AvailabilityZoneId"] for subnet in subnets},
                is_block=capacity_type == "CAPACITY_BLOCK",
            )
            refuse(problems)
        interfaces = data.get("NetworkInterfaces", [])
        for instance_type in instance_types if interfaces else []:
            refuse(interface_problems(instance_type, network_cards(self.account, instance_type), interfaces))
        groups = {group for interface in interfaces for group in interface.get("Groups", [])}
        groups |= set(data.get("SecurityGroupIds", []))
        refuse_unknown_groups(self.account, sorted(groups), vpc_id)

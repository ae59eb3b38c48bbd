"""EKS: clusters, node groups, add-ons, access entries and pod identity associations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.resource_type import (
    Made,
    ResourceType,
    removed_tags,
    tag_map,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

MAPS = ("Labels",)
"""Properties whose keys are the user's own words, not CloudFormation's."""


def api_shape(value: Any) -> Any:  # noqa: ANN401  properties are JSON
    """Properties in the words of EKS's API: every key begins in lower case."""
    if isinstance(value, list):
        return [api_shape(item) for item in value]
    if isinstance(value, dict):
        return {
            key[0].lower() + key[1:]: item if key in MAPS else api_shape(item) for key, item in value.items()
        }
    return value


class EksType(ResourceType):
    """A type of EKS whose tags can change in place."""

    def retag(self, request: Request, current: StackResource, changed: frozenset[str], arn: str) -> None:
        """Bring the tags of something of EKS to those of a request."""
        if "Tags" not in changed:
            return
        eks = request.client("eks")
        dropped = removed_tags(current.properties, request.properties)
        if dropped:
            eks.untag_resource(resourceArn=arn, tagKeys=dropped)
        eks.tag_resource(resourceArn=arn, tags=tag_map(request.properties))


class Cluster(EksType):
    """A cluster's control plane."""

    name = "AWS::EKS::Cluster"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = self._options(request)
        options.setdefault("name", request.generated_name(100))
        cluster = request.client("eks").create_cluster(**options, tags=tag_map(request.properties))["cluster"]
        return Made(cluster["name"], self._attributes(cluster))

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the version or the settings."""
        eks, options = request.client("eks"), self._options(request)
        if "Version" in changed:
            eks.update_cluster_version(name=current.physical_id, version=options["version"])
        settings = {
            key: options[key]
            for key in (name[0].lower() + name[1:] for name in changed - {"Version", "Tags"})
            if key in options
        }
        if "DeletionProtection" in changed:
            settings.setdefault("deletionProtection", False)
        settings.get("accessConfig", {}).pop("bootstrapClusterCreatorAdminPermissions", None)
        if settings:
            eks.update_cluster_config(name=current.physical_id, **settings)
        self.retag(request, current, changed, current.attributes["Arn"])
        return self._attributes(eks.describe_cluster(name=current.physical_id)["cluster"])

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; EKS refuses while it is protected or has node groups."""
        account.client("eks").delete_cluster(name=current.physical_id)

    @staticmethod
    def _options(request: Request) -> dict[str, Any]:
        options: dict[str, Any] = api_shape(request.properties)
        options.pop("tags", None)
        if "logging" in options:
            types = [item["type"] for item in options["logging"]["clusterLogging"].get("enabledTypes", [])]
            options["logging"] = {"clusterLogging": [{"types": types, "enabled": True}]}
        return options

    @staticmethod
    def _attributes(cluster: Mapping[str, Any]) -> dict[str, Any]:
        encryption = cluster.get("encryptionConfig") or [{}]
        return {
            "Id": cluster["name"],
            "Arn": cluster["arn"],
            "Endpoint": cluster["endpoint"],
            "CertificateAuthorityData": cluster["certificateAuthority"]["data"],
            "ClusterSecurityGroupId": cluster["resourcesVpcConfig"]["clusterSecurityGroupId"],
            "EncryptionConfigKeyArn": encryption[0].get("provider", {}).get("keyArn", ""),
            "OpenIdConnectIssuerUrl": cluster["identity"]["oidc"]["issuer"],
        }


class Nodegroup(EksType):
    """A managed node group."""

    name = "AWS::EKS::Nodegroup"

    def create(self, request: Request) -> Made:
        """Make it; sizes are one to two nodes where the template gives none, as in EKS."""
        options = api_shape(request.properties)
        options.setdefault("nodegroupName", request.generated_name(63))
        options.pop("forceUpdateEnabled", None)
        options["tags"] = tag_map(request.properties)
        group = request.client("eks").create_nodegroup(**options)["nodegroup"]
        attributes = {
            "Arn": group["nodegroupArn"],
            "ClusterName": group["clusterName"],
            "NodegroupName": group["nodegroupName"],
        }
        physical_id = f"{group['clusterName']}/{group['nodegroupName']}"
        return Made(physical_id, {"Id": physical_id, **attributes})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the launch template's version, sizes, labels, taints, update and repair settings."""
        eks, options = request.client("eks"), api_shape(request.properties)
        group = _node_group_name(current)
        if changed & {"LaunchTemplate", "Version", "ReleaseVersion"}:
            version = {
                key: options[key] for key in ("launchTemplate", "version", "releaseVersion") if key in options
            }
            eks.update_nodegroup_version(**group, **version)
        settings = {
            key: options[key]
            for key in ("scalingConfig", "updateConfig", "nodeRepairConfig", "warmPoolConfig")
            if key[0].upper() + key[1:] in changed and key in options
        }
        settings |= _label_changes(current.properties, request.properties)
        settings |= _taint_changes(current.properties, request.properties)
        if settings:
            eks.update_nodegroup_config(**group, **settings)
        self.retag(request, current, changed, current.attributes["Arn"])
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("eks").delete_nodegroup(**_node_group_name(current))


class Addon(EksType):
    """An add-on."""

    name = "AWS::EKS::Addon"
    keys = (
        "addonVersion",
        "serviceAccountRoleArn",
        "configurationValues",
        "resolveConflicts",
        "podIdentityAssociations",
    )

    def create(self, request: Request) -> Made:
        """Install it."""
        options = api_shape(request.properties)
        options.pop("preserveOnDelete", None)
        options["tags"] = tag_map(request.properties)
        addon = request.client("eks").create_addon(**options)["addon"]
        return Made(f"{addon['clusterName']}|{addon['addonName']}", {"Arn": addon["addonArn"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change its version or settings."""
        options = api_shape(request.properties)
        request.client("eks").update_addon(
            clusterName=options["clusterName"],
            addonName=options["addonName"],
            **{key: options[key] for key in self.keys if key in options},
        )
        self.retag(request, current, changed, current.attributes["Arn"])
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Remove it."""
        options = api_shape(current.properties)
        account.client("eks").delete_addon(clusterName=options["clusterName"], addonName=options["addonName"])


class AccessEntry(EksType):
    """A principal that may use a cluster, with its access policies."""

    name = "AWS::EKS::AccessEntry"

    def create(self, request: Request) -> Made:
        """Make it, and associate the policies."""
        options = api_shape(request.properties)
        policies = options.pop("accessPolicies", [])
        options["tags"] = tag_map(request.properties)
        entry = request.client("eks").create_access_entry(**options)["accessEntry"]
        for policy in policies:
            request.client("eks").associate_access_policy(**_entry_name(request.properties), **policy)
        physical_id = f"{entry['principalArn']}|{entry['clusterName']}"
        return Made(physical_id, {"AccessEntryArn": entry["accessEntryArn"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the groups, the user name or the policies."""
        eks, entry = request.client("eks"), _entry_name(request.properties)
        options = api_shape(request.properties)
        settings = {key: options[key] for key in ("kubernetesGroups", "username") if key in options}
        if changed & {"KubernetesGroups", "Username"}:
            eks.update_access_entry(**entry, **settings)
        wanted = options.get("accessPolicies", [])
        kept = {policy["policyArn"] for policy in wanted}
        for policy in api_shape(current.properties).get("accessPolicies", []):
            if policy["policyArn"] not in kept:
                eks.disassociate_access_policy(**entry, policyArn=policy["policyArn"])
        for policy in wanted:
            eks.associate_access_policy(**entry, **policy)
        self.retag(request, current, changed, current.attributes["AccessEntryArn"])
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("eks").delete_access_entry(**_entry_name(current.properties))


class PodIdentityAssociation(EksType):
    """A role for the pods of a service account."""

    name = "AWS::EKS::PodIdentityAssociation"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = api_shape(request.properties)
        options["tags"] = tag_map(request.properties)
        association = request.client("eks").create_pod_identity_association(**options)["association"]
        arn = association["associationArn"]
        return Made(arn, {"AssociationArn": arn, "AssociationId": association["associationId"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Give another role."""
        request.client("eks").update_pod_identity_association(
            clusterName=current.properties["ClusterName"],
            associationId=current.attributes["AssociationId"],
            roleArn=request.properties["RoleArn"],
        )
        self.retag(request, current, changed, current.physical_id)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("eks").delete_pod_identity_association(
            clusterName=current.properties["ClusterName"], associationId=current.attributes["AssociationId"]
        )


def _node_group_name(current: StackResource) -> dict[str, str]:
    cluster, _, group = current.physical_id.partition("/")
    return {"clusterName": cluster, "nodegroupName": group}


def _entry_name(properties: Mapping[str, Any]) -> dict[str, str]:
    return {"clusterName": properties["ClusterName"], "principalArn": properties["PrincipalArn"]}


def _label_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    before, after = old.get("Labels", {}), new.get("Labels", {})
    if before == after:
        return {}
    return {
        "labels": {"addOrUpdateLabels": after, "removeLabels": sorted(set(before) - set(after))},
    }


def _taint_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    before, after = api_shape(old.get("Taints", [])), api_shape(new.get("Taints", []))
    if before == after:
        return {}
    removed = [taint for taint in before if taint not in after]
    return {"taints": {"addOrUpdateTaints": after, "removeTaints": removed}}


TYPES: tuple[ResourceType, ...] = (
    Cluster(),
    Nodegroup(),
    Addon(),
    AccessEntry(),
    PodIdentityAssociation(),
)

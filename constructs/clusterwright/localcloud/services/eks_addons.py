"""EKS: add-ons and pod identity associations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from clusterwright.localcloud.errors import refuse
from clusterwright.localcloud.rules.clusters import addon_problems
from clusterwright.localcloud.rules.lookup import refuse_unknown_role
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

KNOWN_ADDONS = frozenset(
    {
        "adot",
        "amazon-cloudwatch-observability",
        "amazon-sagemaker-hyperpod-observability",
        "amazon-sagemaker-hyperpod-taskgovernance",
        "amazon-sagemaker-hyperpod-training-operator",
        "aws-ebs-csi-driver",
        "aws-efs-csi-driver",
        "aws-fsx-csi-driver",
        "aws-guardduty-agent",
        "aws-mountpoint-s3-csi-driver",
        "cert-manager",
        "coredns",
        "eks-node-monitoring-agent",
        "eks-pod-identity-agent",
        "kube-proxy",
        "kube-state-metrics",
        "metrics-server",
        "prometheus-node-exporter",
        "snapshot-controller",
        "vpc-cni",
    }
)
"""Add-ons of AWS and of the community that EKS offers (EKS user guide, "AWS add-ons", "Community add-ons",
read 2026-11-20)."""

ADDON_SETTINGS = (
    "addonName",
    "clusterName",
    "addonVersion",
    "serviceAccountRoleArn",
    "configurationValues",
    "tags",
)


class EksAddons(EksState):
    """Add-ons and pod identity associations."""

    @operation
    def create_addon(self, params: Mapping[str, Any]) -> Record:
        """Install an add-on."""
        record, name = self.record(params["clusterName"]), params["addonName"]
        refuse(addon_problems(name, KNOWN_ADDONS))
        _check_configuration(params)
        if name in record.addons:
            raise in_use(f"Addon already exists: {name}")
        addon = {
            "addonArn": self.account.arn("eks", f"addon/{params['clusterName']}/{name}/{uuid4()}"),
            "addonVersion": "v1.0.0-eksbuild.1",
            "status": "ACTIVE",
            "health": {"issues": []},
            "createdAt": now(),
            "modifiedAt": now(),
            "publisher": "eks",
            "owner": "aws",
            **given(params, *ADDON_SETTINGS),
        }
        addon["podIdentityAssociations"] = self._addon_identities(params)
        record.addons[name] = addon
        return {"addon": addon}

    @operation
    def describe_addon(self, params: Mapping[str, Any]) -> Record:
        """An add-on."""
        return {"addon": self._addon(params)}

    @operation
    def list_addons(self, params: Mapping[str, Any]) -> Record:
        """Names of a cluster's add-ons."""
        return {"addons": sorted(self.record(params["clusterName"]).addons)}

    @operation
    def update_addon(self, params: Mapping[str, Any]) -> Record:
        """Change an add-on's version or settings."""
        addon = self._addon(params)
        _check_configuration(params)
        addon.update(given(params, *ADDON_SETTINGS))
        if params.get("podIdentityAssociations") is not None:
            self._forget_identities(addon)
            addon["podIdentityAssociations"] = self._addon_identities(params)
        addon["modifiedAt"] = now()
        return update_answer("AddonUpdate")

    @operation
    def delete_addon(self, params: Mapping[str, Any]) -> Record:
        """Remove an add-on, and the pod identities that came with it."""
        addon = self._addon(params)
        self._forget_identities(addon)
        del self.record(params["clusterName"]).addons[params["addonName"]]
        return {"addon": {**addon, "status": "DELETING"}}

    @operation
    def create_pod_identity_association(self, params: Mapping[str, Any]) -> Record:
        """Let the pods of a service account take a role."""
        record = self.record(params["clusterName"])
        refuse_unknown_role(self.account, params["roleArn"])
        for known in record.pod_identities.values():
            if all(known[key] == params[key] for key in ("namespace", "serviceAccount")):
                raise in_use(
                    f"Association already exists: {known['associationId']} for "
                    f"{params['namespace']}/{params['serviceAccount']}"
                )
        identifier = f"a-{uuid4().hex[:17]}"
        association = {
            "associationId": identifier,
            "associationArn": self.account.arn(
                "eks", f"podidentityassociation/{params['clusterName']}/{identifier}"
            ),
            "createdAt": now(),
            "modifiedAt": now(),
            **given(params, "clusterName", "namespace", "serviceAccount", "roleArn", "targetRoleArn", "tags"),
        }
        record.pod_identities[identifier] = association
        return {"association": association}

    @operation
    def describe_pod_identity_association(self, params: Mapping[str, Any]) -> Record:
        """A pod identity association."""
        return {"association": self._identity(params)}

    @operation
    def list_pod_identity_associations(self, params: Mapping[str, Any]) -> Record:
        """A cluster's pod identity associations."""
        wanted = given(params, "namespace", "serviceAccount")
        rows = self.record(params["clusterName"]).pod_identities.values()
        return {"associations": [row for row in rows if all(row[key] == wanted[key] for key in wanted)]}

    @operation
    def update_pod_identity_association(self, params: Mapping[str, Any]) -> Record:
        """Give the pods another role."""
        association = self._identity(params)
        association.update(given(params, "roleArn", "targetRoleArn"))
        association["modifiedAt"] = now()
        return {"association": association}

    @operation
    def delete_pod_identity_association(self, params: Mapping[str, Any]) -> Record:
        """Take the role away."""
        association = self._identity(params)
        del self.record(params["clusterName"]).pod_identities[params["associationId"]]
        return {"association": association}

    def _addon(self, params: Mapping[str, Any]) -> Record:
        addons, name = self.record(params["clusterName"]).addons, params["addonName"]
        if name not in addons:
            raise not_found(f"No addon: {name} found in cluster: {params['clusterName']}")
        return addons[name]

    def _identity(self, params: Mapping[str, Any]) -> Record:
        identities, identifier = self.record(params["clusterName"]).pod_identities, params["associationId"]
        if identifier not in identities:
            raise not_found(f"No pod identity association found: {identifier}")
        return identities[identifier]

    def _addon_identities(self, params: Mapping[str, Any]) -> list[str]:
        """Make the associations that an add-on asks for; returns their ARNs."""
        made = []
        for asked in params.get("podIdentityAssociations") or []:
            full = {**asked, "clusterName": params["clusterName"], "namespace": "kube-system"}
            made.append(self.create_pod_identity_association(full)["association"]["associationArn"])
        return made

    def _forget_identities(self, addon: Record) -> None:
        identities = self.record(addon["clusterName"]).pod_identities
        for arn in addon["podIdentityAssociations"]:
            identities.pop(arn.rpartition("/")[2], None)


def _check_configuration(params: Mapping[str, Any]) -> None:
    """An add-on's configuration has to be JSON here; EKS takes YAML too, which our templates do not use."""
    try:
        json.loads(params.get("configurationValues") or "{}")
    except ValueError as error:
        refuse([f"ConfigurationValue provided in request is not valid: {error}"])

"""EKS: who may use a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from clusterwright.localcloud.errors import refuse
from clusterwright.localcloud.rules.lookup import refuse_unknown_role
from clusterwright.localcloud.service import operation
from clusterwright.localcloud.services.eks_state import (
    EksState,
    Record,
    given,
    in_use,
    not_found,
    now,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

POLICY_PREFIX = "arn:aws:eks::aws:cluster-access-policy/"
KNOWN_POLICIES = frozenset(
    {
        "AmazonEKSAdminPolicy",
        "AmazonEKSAdminViewPolicy",
        "AmazonEKSAutoNodePolicy",
        "AmazonEKSClusterAdminPolicy",
        "AmazonEKSEditPolicy",
        "AmazonEKSViewPolicy",
        "AmazonSagemakerHyperpodClusterPolicy",
    }
)
"""Access policies of EKS (EKS user guide, "Review access policy permissions", read 2026-11-20)."""


class EksAccess(EksState):
    """Access entries and their policies."""

    @operation
    def create_access_entry(self, params: Mapping[str, Any]) -> Record:
        """Let a principal in."""
        record, principal = self.record(params["clusterName"]), params["principalArn"]
        if principal in record.access_entries:
            raise in_use(
                f"The specified access entry resource is already in use on this cluster: {principal}"
            )
        if f"::{self.account.id}:role/" in principal:
            refuse_unknown_role(self.account, principal)
        name = principal.rpartition("/")[2]
        entry = {
            "clusterName": params["clusterName"],
            "principalArn": principal,
            "kubernetesGroups": params.get("kubernetesGroups") or [],
            "accessEntryArn": self.account.arn(
                "eks", f"access-entry/{params['clusterName']}/role/{self.account.id}/{name}/{uuid4()}"
            ),
            "username": params.get("username") or principal,
            "type": params.get("type") or "STANDARD",
            "createdAt": now(),
            "modifiedAt": now(),
            "tags": params.get("tags") or {},
        }
        record.access_entries[principal] = entry
        record.access_policies[principal] = {}
        return {"accessEntry": entry}

    @operation
    def describe_access_entry(self, params: Mapping[str, Any]) -> Record:
        """An access entry."""
        return {"accessEntry": self._entry(params)}

    @operation
    def list_access_entries(self, params: Mapping[str, Any]) -> Record:
        """The principals that a cluster lets in."""
        return {"accessEntries": sorted(self.record(params["clusterName"]).access_entries)}

    @operation
    def update_access_entry(self, params: Mapping[str, Any]) -> Record:
        """Change a principal's groups or user name."""
        entry = self._entry(params)
        entry.update(given(params, "kubernetesGroups", "username"))
        entry["modifiedAt"] = now()
        return {"accessEntry": entry}

    @operation
    def delete_access_entry(self, params: Mapping[str, Any]) -> None:
        """Shut a principal out."""
        self._entry(params)
        record = self.record(params["clusterName"])
        del record.access_entries[params["principalArn"]], record.access_policies[params["principalArn"]]

    @operation
    def associate_access_policy(self, params: Mapping[str, Any]) -> Record:
        """Give a principal an access policy."""
        self._entry(params)
        arn, principal = params["policyArn"], params["principalArn"]
        if arn.removeprefix(POLICY_PREFIX) not in KNOWN_POLICIES:
            refuse([f"The policyArn parameter format is not valid: {arn}"])
        policy = {
            "policyArn": arn,
            "accessScope": params["accessScope"],
            "associatedAt": now(),
            "modifiedAt": now(),
        }
        self.record(params["clusterName"]).access_policies[principal][arn] = policy
        return {
            "clusterName": params["clusterName"],
            "principalArn": principal,
            "associatedAccessPolicy": policy,
        }

    @operation
    def disassociate_access_policy(self, params: Mapping[str, Any]) -> None:
        """Take an access policy away."""
        self._entry(params)
        policies = self.record(params["clusterName"]).access_policies[params["principalArn"]]
        if policies.pop(params["policyArn"], None) is None:
            raise not_found(f"No policy {params['policyArn']} is associated with {params['principalArn']}")

    @operation
    def list_associated_access_policies(self, params: Mapping[str, Any]) -> Record:
        """The access policies of a principal."""
        self._entry(params)
        policies = self.record(params["clusterName"]).access_policies[params["principalArn"]]
        return {
            "clusterName": params["clusterName"],
            "principalArn": params["principalArn"],
            "associatedAccessPolicies": list(policies.values()),
        }

    def _entry(self, params: Mapping[str, Any]) -> Record:
        entries, principal = self.record(params["clusterName"]).access_entries, params["principalArn"]
        if principal not in entries:
            raise not_found(f"The specified principalArn could not be found: {principal}")
        return entries[principal]

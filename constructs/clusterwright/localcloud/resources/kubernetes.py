"""Manifests of Kubernetes, which the CDK's function would apply with kubectl."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from botocore.exceptions import ClientError

from clusterwright.localcloud.errors import ResourceRefusedError
from clusterwright.localcloud.kubernetes.schemas import manifest_problems
from clusterwright.localcloud.resources.custom import CustomResource, describe_function
from clusterwright.localcloud.resources.resource_type import Made, ResourceType
from clusterwright.localcloud.rules.mounting import mounting_problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.kubernetes.api import KubernetesApi, Manifest
    from clusterwright.localcloud.resources.resource_type import Request

HANDLER_VARIABLE = "USER_ON_EVENT_FUNCTION_ARN"
"""Where the CDK's provider framework keeps the function that runs kubectl."""

ADMIN_POLICY = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"


class KubernetesResource(CustomResource):
    """Manifests in a cluster."""

    name = "Custom::AWSCDK-EKS-KubernetesResource"
    required = frozenset({"ClusterName", "Manifest", "ServiceToken"})
    optional = frozenset({"Overwrite", "PruneLabel", "RoleArn", "SkipValidation"})

    def create(self, request: Request) -> Made:
        """Apply the manifests; without ``Overwrite`` they must be new."""
        api, manifests = self._checked(request)
        if _is_true(request.properties.get("Overwrite")):
            api.apply(manifests)
        else:
            api.create(manifests)
        return Made(str(uuid4()))

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Apply the manifests; what they no longer hold stays, unless a label says what to prune."""
        del changed
        api, manifests = self._checked(request)
        api.apply(manifests)
        if "PruneLabel" in request.properties:
            api.prune(request.properties["PruneLabel"], manifests)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete what the manifests hold."""
        cluster = current.properties["ClusterName"]
        account.client("eks").describe_cluster(name=cluster)
        account.kubernetes[cluster].delete(json.loads(current.properties["Manifest"]))

    def _checked(self, request: Request) -> tuple[KubernetesApi, list[Manifest]]:
        """The cluster's API and the manifests.

        Raises:
            ResourceRefusedError: kubectl would not be let in, or a manifest is wrong.
        """
        self.check(request)
        cluster = request.client("eks").describe_cluster(name=request.properties["ClusterName"])["cluster"]
        _refuse_stranger(request, cluster["name"])
        try:
            manifests: list[Manifest] = json.loads(request.properties["Manifest"])
        except ValueError as error:
            raise ResourceRefusedError(f"the manifest is not JSON: {error}") from error
        is_strict = not _is_true(request.properties.get("SkipValidation"))
        problems = [
            problem
            for manifest in manifests
            for problem in _problems(request.account, cluster, manifest, is_strict=is_strict)
        ]
        if problems:
            raise ResourceRefusedError("Invalid: " + "; ".join(problems))
        return request.account.kubernetes[cluster["name"]], manifests


def _problems(
    account: Account, cluster: Mapping[str, Any], manifest: Manifest, *, is_strict: bool
) -> Iterator[str]:
    name = (manifest.get("metadata") or {}).get("name")
    label = f'{manifest.get("kind")} "{name}"'
    problems = manifest_problems(cluster["version"], manifest, is_strict=is_strict)
    if not name:
        problems.append("metadata.name: Required value")
    if not problems and manifest["kind"] == "PersistentVolume":
        problems += mounting_problems(account, cluster["name"], manifest)
    yield from (f"{label}: {problem}" for problem in problems)


def _refuse_stranger(request: Request, cluster: str) -> None:
    """Refuse a function whose role is no admin of the cluster.

    Raises:
        ResourceRefusedError: It has no access entry, or too weak a one.
    """
    framework = describe_function(request.account, request.properties["ServiceToken"])
    handler = framework.get("Environment", {}).get("Variables", {}).get(HANDLER_VARIABLE)
    role = describe_function(request.account, handler or request.properties["ServiceToken"])["Role"]
    try:
        policies = request.client("eks").list_associated_access_policies(
            clusterName=cluster, principalArn=role
        )["associatedAccessPolicies"]
    except ClientError as error:
        raise ResourceRefusedError(
            f"Unauthorized: {role}, which runs kubectl, has no access entry in the cluster {cluster}"
        ) from error
    if not any(
        item["policyArn"] == ADMIN_POLICY and item["accessScope"]["type"] == "cluster" for item in policies
    ):
        raise ResourceRefusedError(
            f"Forbidden: {role}, which runs kubectl, is no admin of the cluster {cluster}"
        )


def _is_true(value: object) -> bool:
    """Whether a flag is set: CloudFormation hands every property to a function as a string."""
    return str(value).lower() == "true"


TYPES: tuple[ResourceType, ...] = (KubernetesResource(),)

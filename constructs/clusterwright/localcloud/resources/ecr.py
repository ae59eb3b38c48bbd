"""ECR: repositories of container images."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.resource_type import Made, ResourceType, tag_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request


class Repository(ResourceType):
    """A repository."""

    name = "AWS::ECR::Repository"

    def create(self, request: Request) -> Made:
        """Make it with its policies."""
        ecr, properties = request.client("ecr"), request.properties
        repository_name = properties.get("RepositoryName", request.generated_name(256).lower())
        options = {}
        if "ImageTagMutability" in properties:
            options["imageTagMutability"] = properties["ImageTagMutability"]
        repository = ecr.create_repository(
            repositoryName=repository_name, tags=tag_pairs(properties), **options
        )["repository"]
        self._put_policies(request, repository_name)
        attributes = {"Arn": repository["repositoryArn"], "RepositoryUri": repository["repositoryUri"]}
        return Made(repository_name, attributes)

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the policies."""
        if not changed <= {"LifecyclePolicy", "RepositoryPolicyText"}:
            return super().update(request, current, changed)
        self._put_policies(request, current.physical_id)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; refused while it holds images, unless the template says to empty it."""
        force = str(current.properties.get("EmptyOnDelete", False)).lower() == "true"
        account.client("ecr").delete_repository(repositoryName=current.physical_id, force=force)

    @staticmethod
    def _put_policies(request: Request, repository_name: str) -> None:
        ecr, properties = request.client("ecr"), request.properties
        if "LifecyclePolicy" in properties:
            text = properties["LifecyclePolicy"]["LifecyclePolicyText"]
            ecr.put_lifecycle_policy(repositoryName=repository_name, lifecyclePolicyText=text)
        if "RepositoryPolicyText" in properties:
            policy = json.dumps(properties["RepositoryPolicyText"])
            ecr.set_repository_policy(repositoryName=repository_name, policyText=policy)


TYPES: tuple[ResourceType, ...] = (Repository(),)

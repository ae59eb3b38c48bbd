"""The shape of a resource type: how CloudFormation makes, changes and deletes one, by API calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

from clusterwright.localcloud.errors import ResourceRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource


@dataclass(frozen=True)
class Request:
    """What a template asks for, with everything resolved.

    Attributes:
        account: Where to make it.
        stack_name: The stack that it belongs to.
        logical_id: Its name in the template.
        properties: As in the template.
    """

    account: Account
    stack_name: str
    logical_id: str
    properties: Mapping[str, Any]

    def client(self, service: str) -> Any:  # noqa: ANN401  boto3 makes clients at run time
        """The boto3 client of a service."""
        return self.account.client(service)

    def generated_name(self, longest: int = 64) -> str:
        """A name as CloudFormation makes one where the template gives none; unique by its last part."""
        suffix = uuid4().hex[:12].upper()
        return f"{self.stack_name}-{self.logical_id}"[: longest - len(suffix) - 1] + f"-{suffix}"

    def picked(self, *names: str) -> dict[str, Any]:
        """The named properties that the template gives."""
        return {name: self.properties[name] for name in names if name in self.properties}


@dataclass(frozen=True)
class Made:
    """What exists now.

    Attributes:
        physical_id: What Ref gives.
        attributes: What Fn::GetAtt gives, by attribute.
    """

    physical_id: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


class ResourceType(ABC):
    """One type of resource.

    Subclasses are stateless: all state is in the services.
    """

    name: ClassVar[str]
    """The type, such as ``AWS::EC2::VPC``."""

    replaced_by: ClassVar[frozenset[str]] = frozenset()
    """Properties whose change replaces a custom resource; for AWS's own, CloudFormation's schema says it."""

    @abstractmethod
    def create(self, request: Request) -> Made:
        """Make the resource."""

    @abstractmethod
    def delete(self, account: Account, current: StackResource) -> None:
        """Delete the resource."""

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the resource in place.

        Args:
            request: The new properties.
            current: The resource as it is.
            changed: Names of the top-level properties that differ.

        Returns:
            The attributes after the change.

        Raises:
            ResourceRefusedError: This type cannot make the change.
        """
        del request
        names = ", ".join(sorted(changed))
        raise ResourceRefusedError(f"the embedded AWS cannot change {names} of {current.type} in place")


def tag_pairs(properties: Mapping[str, Any]) -> list[dict[str, str]]:
    """The tags of a resource, as pairs of ``Key`` and ``Value``."""
    return [{"Key": str(tag["Key"]), "Value": str(tag["Value"])} for tag in properties.get("Tags", [])]


def tag_map(properties: Mapping[str, Any]) -> dict[str, str]:
    """The tags of a resource, as a mapping; some properties are one already."""
    tags = properties.get("Tags", [])
    if isinstance(tags, dict):
        return {str(key): str(value) for key, value in tags.items()}
    return {tag["Key"]: tag["Value"] for tag in tag_pairs(properties)}


def removed_tags(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Keys of the tags that an update drops."""
    return sorted(set(tag_map(old)) - set(tag_map(new)))

"""What EC2's resource types share: tags at creation, and changing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from clusterwright.localcloud.resources.resource_type import ResourceType, removed_tags, tag_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request


class Ec2Type(ResourceType):
    """A resource type of EC2 whose tags can change in place."""

    tag_type: ClassVar[str]
    """What EC2 calls the type in a tag specification, such as ``natgateway``."""

    def tag_specifications(self, request: Request) -> dict[str, Any]:
        """The keyword that tags a resource at creation; empty where there are no tags."""
        tags = tag_pairs(request.properties)
        if not tags:
            return {}
        return {"TagSpecifications": [{"ResourceType": self.tag_type, "Tags": tags}]}

    def tagged_id(self, current: StackResource) -> str:
        """The id that EC2 keeps the tags under."""
        return current.physical_id

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change tags here, and the rest in `change`."""
        rest = changed - {"Tags"}
        attributes = self.change(request, current, rest) if rest else current.attributes
        if "Tags" in changed:
            self._retag(request, current)
        return attributes

    def change(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change what is not a tag; returns the attributes."""
        return super().update(request, current, changed)

    def _retag(self, request: Request, current: StackResource) -> None:
        ec2, resources = request.client("ec2"), [self.tagged_id(current)]
        dropped = removed_tags(current.properties, request.properties)
        if dropped:
            ec2.delete_tags(Resources=resources, Tags=[{"Key": key} for key in dropped])
        if tag_pairs(request.properties):
            ec2.create_tags(Resources=resources, Tags=tag_pairs(request.properties))

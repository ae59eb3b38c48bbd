"""CloudWatch Logs: log groups."""

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


class LogGroup(ResourceType):
    """A log group."""

    name = "AWS::Logs::LogGroup"

    def create(self, request: Request) -> Made:
        """Make it, with its retention."""
        logs, properties = request.client("logs"), request.properties
        group_name = properties.get("LogGroupName", request.generated_name(512))
        options = {"kmsKeyId": properties["KmsKeyId"]} if "KmsKeyId" in properties else {}
        logs.create_log_group(logGroupName=group_name, tags=tag_map(properties), **options)
        self._set_retention(request, group_name)
        return Made(group_name, {"Arn": request.account.arn("logs", f"log-group:{group_name}:*")})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the retention or the tags."""
        if not changed <= {"RetentionInDays", "Tags"}:
            return super().update(request, current, changed)
        self._set_retention(request, current.physical_id)
        arn = str(current.attributes["Arn"]).removesuffix(":*")
        logs = request.client("logs")
        dropped = removed_tags(current.properties, request.properties)
        if dropped:
            logs.untag_resource(resourceArn=arn, tagKeys=dropped)
        if "Tags" in changed:
            logs.tag_resource(resourceArn=arn, tags=tag_map(request.properties))
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it with its logs."""
        account.client("logs").delete_log_group(logGroupName=current.physical_id)

    @staticmethod
    def _set_retention(request: Request, group_name: str) -> None:
        logs = request.client("logs")
        if "RetentionInDays" in request.properties:
            days = int(request.properties["RetentionInDays"])
            logs.put_retention_policy(logGroupName=group_name, retentionInDays=days)
        else:
            logs.delete_retention_policy(logGroupName=group_name)


TYPES: tuple[ResourceType, ...] = (LogGroup(),)

"""EventBridge Scheduler: schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.resource_type import Made, ResourceType
from clusterwright.localcloud.rules.lookup import refuse_unknown_role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

DEFAULT_GROUP = "default"


class Schedule(ResourceType):
    """A schedule; it never fires."""

    name = "AWS::Scheduler::Schedule"

    def create(self, request: Request) -> Made:
        """Make it."""
        refuse_unknown_role(request.account, request.properties["Target"]["RoleArn"])
        name = request.properties.get("Name", request.generated_name())
        made = request.client("scheduler").create_schedule(**{**request.properties, "Name": name})
        return Made(name, {"Arn": made["ScheduleArn"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Write it anew, as UpdateSchedule does with all that it is not given."""
        if "GroupName" in changed:
            return super().update(request, current, changed)
        refuse_unknown_role(request.account, request.properties["Target"]["RoleArn"])
        request.client("scheduler").update_schedule(**{**request.properties, "Name": current.physical_id})
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        group = current.properties.get("GroupName", DEFAULT_GROUP)
        account.client("scheduler").delete_schedule(Name=current.physical_id, GroupName=group)


TYPES: tuple[ResourceType, ...] = (Schedule(),)

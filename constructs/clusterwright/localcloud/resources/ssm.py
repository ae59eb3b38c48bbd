"""Systems Manager: parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.resource_type import Made, ResourceType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request


class Parameter(ResourceType):
    """A parameter of Parameter Store."""

    name = "AWS::SSM::Parameter"

    def create(self, request: Request) -> Made:
        """Make it."""
        parameter_name = request.properties.get("Name", request.generated_name())
        self._put(request, parameter_name)
        return Made(parameter_name, self._attributes(request))

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Write a new value."""
        del changed
        self._put(request, current.physical_id)
        return self._attributes(request)

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("ssm").delete_parameter(Name=current.physical_id)

    @staticmethod
    def _put(request: Request, parameter_name: str) -> None:
        options = request.picked("Type", "Value", "Description", "Tier", "AllowedPattern")
        request.client("ssm").put_parameter(Name=parameter_name, Overwrite=True, **options)

    @staticmethod
    def _attributes(request: Request) -> dict[str, Any]:
        return request.picked("Type", "Value")


TYPES: tuple[ResourceType, ...] = (Parameter(),)

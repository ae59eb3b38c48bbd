"""EC2: launch templates and placement groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.errors import refuse
from clusterwright.localcloud.resources.ec2_type import Ec2Type
from clusterwright.localcloud.resources.resource_type import Made, ResourceType, tag_pairs
from clusterwright.localcloud.rules.interfaces import interface_problems
from clusterwright.localcloud.rules.lookup import network_cards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request


class LaunchTemplate(ResourceType):
    """A launch template; each change makes a new version."""

    name = "AWS::EC2::LaunchTemplate"

    def create(self, request: Request) -> Made:
        """Make it with its first version."""
        data = self._checked_data(request)
        template = request.client("ec2").create_launch_template(
            LaunchTemplateName=request.properties.get("LaunchTemplateName", request.generated_name(128)),
            LaunchTemplateData=data,
            **request.picked("VersionDescription", "TagSpecifications"),
        )["LaunchTemplate"]
        return Made(template["LaunchTemplateId"], self._attributes(template))

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Make a new version; the default version stays, as in AWS."""
        del changed
        ec2 = request.client("ec2")
        ec2.create_launch_template_version(
            LaunchTemplateId=current.physical_id,
            LaunchTemplateData=self._checked_data(request),
            **request.picked("VersionDescription"),
        )
        templates = ec2.describe_launch_templates(LaunchTemplateIds=[current.physical_id])
        return self._attributes(templates["LaunchTemplates"][0])

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it with all its versions."""
        account.client("ec2").delete_launch_template(LaunchTemplateId=current.physical_id)

    @staticmethod
    def _checked_data(request: Request) -> dict[str, Any]:
        data = dict(request.properties["LaunchTemplateData"])
        interfaces = data.get("NetworkInterfaces", [])
        instance_type = data.get("InstanceType")
        if instance_type and interfaces:
            refuse(
                interface_problems(instance_type, network_cards(request.account, instance_type), interfaces)
            )
        return data

    @staticmethod
    def _attributes(template: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "LaunchTemplateId": template["LaunchTemplateId"],
            "LatestVersionNumber": str(template["LatestVersionNumber"]),
            "DefaultVersionNumber": str(template["DefaultVersionNumber"]),
        }


class PlacementGroup(Ec2Type):
    """A placement group; CloudFormation names it."""

    name = "AWS::EC2::PlacementGroup"
    tag_type = "placement-group"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = request.picked("Strategy", "SpreadLevel", "PartitionCount")
        tags = tag_pairs(request.properties)
        if tags:
            options["TagSpecifications"] = [{"ResourceType": self.tag_type, "Tags": tags}]
        group_name = request.generated_name(255)
        group = request.client("ec2").create_placement_group(GroupName=group_name, **options)
        group_id = group["PlacementGroup"]["GroupId"]
        return Made(group_name, {"GroupName": group_name, "GroupId": group_id})

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it."""
        account.client("ec2").delete_placement_group(GroupName=current.physical_id)


TYPES: tuple[ResourceType, ...] = (LaunchTemplate(), PlacementGroup())

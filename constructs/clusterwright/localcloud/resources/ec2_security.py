"""EC2: security groups and their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.ec2_type import Ec2Type
from clusterwright.localcloud.resources.resource_type import Made, ResourceType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

PEER_PREFIXES = {"SecurityGroupIngress": "Source", "SecurityGroupEgress": "Destination"}
"""How a rule's properties begin that name the other side, by direction."""

ANYWHERE = {"IpProtocol": "-1", "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
"""The egress rule that EC2 gives a new group; CloudFormation takes it away where a template has its own."""


class SecurityGroup(Ec2Type):
    """A security group, with the rules that are written in it."""

    name = "AWS::EC2::SecurityGroup"
    tag_type = "security-group"

    def create(self, request: Request) -> Made:
        """Make it and its rules."""
        ec2, properties = request.client("ec2"), request.properties
        group_id = ec2.create_security_group(
            GroupName=properties.get("GroupName", request.generated_name(255)),
            Description=properties["GroupDescription"],
            **request.picked("VpcId"),
            **self.tag_specifications(request),
        )["GroupId"]
        if "SecurityGroupEgress" in properties:
            ec2.revoke_security_group_egress(GroupId=group_id, IpPermissions=[ANYWHERE])
        for direction in PEER_PREFIXES:
            for rule in properties.get(direction, []):
                _authorize(ec2, direction, group_id, rule)
        attributes = {"Id": group_id, "GroupId": group_id, **request.picked("VpcId")}
        return Made(group_id, attributes)

    def change(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Take away the rules that are gone and add those that are new."""
        if not changed <= PEER_PREFIXES.keys():
            return super().change(request, current, changed)
        ec2 = request.client("ec2")
        for direction in sorted(changed):
            old, new = current.properties.get(direction, []), request.properties.get(direction, [])
            for rule in old:
                if rule not in new:
                    _revoke(ec2, direction, current.physical_id, rule)
            for rule in new:
                if rule not in old:
                    _authorize(ec2, direction, current.physical_id, rule)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; refused while an interface or another group uses it."""
        account.client("ec2").delete_security_group(GroupId=current.physical_id)


class SecurityGroupRule(ResourceType):
    """A rule of a security group, as a resource of its own.

    Args:
        direction: ``SecurityGroupIngress`` or ``SecurityGroupEgress``.
    """

    def __init__(self, direction: str) -> None:
        self.name = f"AWS::EC2::{direction}"  # type: ignore[misc]  # one class, two types
        self._direction = direction

    def create(self, request: Request) -> Made:
        """Add the rule."""
        rule_id = _authorize(
            request.client("ec2"), self._direction, request.properties["GroupId"], request.properties
        )
        return Made(rule_id, {"Id": rule_id})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the description, the only part that can change: the rule is added anew."""
        if changed != {"Description"}:
            return super().update(request, current, changed)
        self.delete(request.account, current)
        _authorize(request.client("ec2"), self._direction, request.properties["GroupId"], request.properties)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Take the rule away."""
        _revoke(account.client("ec2"), self._direction, current.properties["GroupId"], current.properties)


def _authorize(ec2: Any, direction: str, group_id: str, rule: Mapping[str, Any]) -> str:  # noqa: ANN401  boto3 makes clients at run time
    call: Callable[..., Any] = (
        ec2.authorize_security_group_ingress
        if direction == "SecurityGroupIngress"
        else ec2.authorize_security_group_egress
    )
    answer = call(GroupId=group_id, IpPermissions=[_permission(direction, rule)])
    return str(answer["SecurityGroupRules"][0]["SecurityGroupRuleId"])


def _revoke(ec2: Any, direction: str, group_id: str, rule: Mapping[str, Any]) -> None:  # noqa: ANN401  boto3 makes clients at run time
    call: Callable[..., Any] = (
        ec2.revoke_security_group_ingress
        if direction == "SecurityGroupIngress"
        else ec2.revoke_security_group_egress
    )
    call(GroupId=group_id, IpPermissions=[_permission(direction, rule)])


def _permission(direction: str, rule: Mapping[str, Any]) -> dict[str, Any]:
    """A rule of CloudFormation as an IpPermission of EC2's API."""
    described = {"Description": rule["Description"]} if "Description" in rule else {}
    permission: dict[str, Any] = {"IpProtocol": str(rule["IpProtocol"])}
    if permission["IpProtocol"] != "-1":
        permission |= {name: int(rule[name]) for name in ("FromPort", "ToPort") if name in rule}
    prefix = PEER_PREFIXES[direction]
    if f"{prefix}SecurityGroupId" in rule:
        permission["UserIdGroupPairs"] = [{"GroupId": rule[f"{prefix}SecurityGroupId"], **described}]
    elif f"{prefix}PrefixListId" in rule:
        permission["PrefixListIds"] = [{"PrefixListId": rule[f"{prefix}PrefixListId"], **described}]
    elif "CidrIpv6" in rule:
        permission["Ipv6Ranges"] = [{"CidrIpv6": rule["CidrIpv6"], **described}]
    else:
        permission["IpRanges"] = [{"CidrIp": rule["CidrIp"], **described}]
    return permission


TYPES: tuple[ResourceType, ...] = (
    SecurityGroup(),
    SecurityGroupRule("SecurityGroupIngress"),
    SecurityGroupRule("SecurityGroupEgress"),
)

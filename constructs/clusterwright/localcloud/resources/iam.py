"""IAM: roles, policies and instance profiles."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.resources.resource_type import (
    Made,
    ResourceType,
    removed_tags,
    tag_pairs,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request


class Role(ResourceType):
    """A role with its policies."""

    name = "AWS::IAM::Role"

    def create(self, request: Request) -> Made:
        """Make it, attach its managed policies and write its own."""
        iam, properties = request.client("iam"), request.properties
        role = iam.create_role(
            RoleName=properties.get("RoleName", request.generated_name(64)),
            AssumeRolePolicyDocument=json.dumps(properties["AssumeRolePolicyDocument"]),
            Tags=tag_pairs(properties),
            **request.picked("Path", "Description", "MaxSessionDuration", "PermissionsBoundary"),
        )["Role"]
        _attach(iam, role["RoleName"], properties.get("ManagedPolicyArns", []))
        for policy in properties.get("Policies", []):
            _put_policy(iam, role["RoleName"], policy)
        return Made(role["RoleName"], {"Arn": role["Arn"], "RoleId": role["RoleId"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change who may take the role, its policies, or its tags."""
        changeable = {
            "AssumeRolePolicyDocument",
            "Description",
            "MaxSessionDuration",
            "ManagedPolicyArns",
            "Policies",
            "Tags",
        }
        if not changed <= changeable:
            return super().update(request, current, changed)
        iam, role, properties = request.client("iam"), current.physical_id, request.properties
        if "AssumeRolePolicyDocument" in changed:
            document = json.dumps(properties["AssumeRolePolicyDocument"])
            iam.update_assume_role_policy(RoleName=role, PolicyDocument=document)
        if changed & {"Description", "MaxSessionDuration"}:
            iam.update_role(RoleName=role, **request.picked("Description", "MaxSessionDuration"))
        self._change_policies(iam, role, current.properties, properties)
        self._change_tags(iam, role, current.properties, properties)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it with its policies."""
        iam, role = account.client("iam"), current.physical_id
        for policy in iam.list_attached_role_policies(RoleName=role)["AttachedPolicies"]:
            iam.detach_role_policy(RoleName=role, PolicyArn=policy["PolicyArn"])
        for policy_name in iam.list_role_policies(RoleName=role)["PolicyNames"]:
            iam.delete_role_policy(RoleName=role, PolicyName=policy_name)
        iam.delete_role(RoleName=role)

    @staticmethod
    def _change_policies(iam: Any, role: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:  # noqa: ANN401  boto3 makes clients at run time
        attached, wanted = old.get("ManagedPolicyArns", []), new.get("ManagedPolicyArns", [])
        for arn in attached:
            if arn not in wanted:
                iam.detach_role_policy(RoleName=role, PolicyArn=arn)
        _attach(iam, role, [arn for arn in wanted if arn not in attached])
        kept = {policy["PolicyName"] for policy in new.get("Policies", [])}
        for policy in old.get("Policies", []):
            if policy["PolicyName"] not in kept:
                iam.delete_role_policy(RoleName=role, PolicyName=policy["PolicyName"])
        for policy in new.get("Policies", []):
            _put_policy(iam, role, policy)

    @staticmethod
    def _change_tags(iam: Any, role: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:  # noqa: ANN401  boto3 makes clients at run time
        if removed_tags(old, new):
            iam.untag_role(RoleName=role, TagKeys=removed_tags(old, new))
        iam.tag_role(RoleName=role, Tags=tag_pairs(new))


class Policy(ResourceType):
    """A policy written into roles."""

    name = "AWS::IAM::Policy"

    def create(self, request: Request) -> Made:
        """Write it into each role."""
        self._put(request)
        policy_id = request.generated_name()
        return Made(policy_id, {"Id": policy_id})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Write it anew, and take it out of roles that are gone or under a name that is."""
        del changed
        self._put(request)
        kept = set(self._places(request.properties))
        for role, policy_name in self._places(current.properties):
            if (role, policy_name) not in kept:
                request.client("iam").delete_role_policy(RoleName=role, PolicyName=policy_name)
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Take it out of each role."""
        for role, policy_name in self._places(current.properties):
            account.client("iam").delete_role_policy(RoleName=role, PolicyName=policy_name)

    def _put(self, request: Request) -> None:
        for role, _ in self._places(request.properties):
            _put_policy(request.client("iam"), role, request.properties)

    @staticmethod
    def _places(properties: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
        return [(role, properties["PolicyName"]) for role in properties.get("Roles", [])]


class ManagedPolicy(ResourceType):
    """A policy of its own, attached to roles."""

    name = "AWS::IAM::ManagedPolicy"

    def create(self, request: Request) -> Made:
        """Make and attach it."""
        iam, properties = request.client("iam"), request.properties
        policy = iam.create_policy(
            PolicyName=properties.get("ManagedPolicyName", request.generated_name(128)),
            PolicyDocument=json.dumps(properties["PolicyDocument"]),
            **request.picked("Path", "Description"),
        )["Policy"]
        for role in properties.get("Roles", []):
            _attach(iam, role, [policy["Arn"]])
        return Made(policy["Arn"], {"PolicyArn": policy["Arn"], "PolicyId": policy["PolicyId"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Make a new version of the document, and attach where it is now wanted."""
        iam, arn = request.client("iam"), current.physical_id
        if "PolicyDocument" in changed:
            document = json.dumps(request.properties["PolicyDocument"])
            iam.create_policy_version(PolicyArn=arn, PolicyDocument=document, SetAsDefault=True)
        old, new = set(current.properties.get("Roles", [])), set(request.properties.get("Roles", []))
        for role in sorted(old - new):
            iam.detach_role_policy(RoleName=role, PolicyArn=arn)
        for role in sorted(new - old):
            _attach(iam, role, [arn])
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Detach and delete it, with its versions."""
        iam, arn = account.client("iam"), current.physical_id
        for role in iam.list_entities_for_policy(PolicyArn=arn)["PolicyRoles"]:
            iam.detach_role_policy(RoleName=role["RoleName"], PolicyArn=arn)
        for version in iam.list_policy_versions(PolicyArn=arn)["Versions"]:
            if not version["IsDefaultVersion"]:
                iam.delete_policy_version(PolicyArn=arn, VersionId=version["VersionId"])
        iam.delete_policy(PolicyArn=arn)


class InstanceProfile(ResourceType):
    """A role for EC2 instances."""

    name = "AWS::IAM::InstanceProfile"

    def create(self, request: Request) -> Made:
        """Make it and put the role in."""
        iam = request.client("iam")
        profile_name = request.properties.get("InstanceProfileName", request.generated_name(128))
        profile = iam.create_instance_profile(InstanceProfileName=profile_name, **request.picked("Path"))
        for role in request.properties["Roles"]:
            iam.add_role_to_instance_profile(InstanceProfileName=profile_name, RoleName=role)
        return Made(profile_name, {"Arn": profile["InstanceProfile"]["Arn"]})

    def delete(self, account: Account, current: StackResource) -> None:
        """Take the role out and delete it."""
        iam = account.client("iam")
        for role in current.properties["Roles"]:
            iam.remove_role_from_instance_profile(InstanceProfileName=current.physical_id, RoleName=role)
        iam.delete_instance_profile(InstanceProfileName=current.physical_id)


def _attach(iam: Any, role: str, arns: Iterable[str]) -> None:  # noqa: ANN401  a boto3 client
    for arn in arns:
        iam.attach_role_policy(RoleName=role, PolicyArn=arn)


def _put_policy(iam: Any, role: str, policy: Mapping[str, Any]) -> None:  # noqa: ANN401  a boto3 client
    document = json.dumps(policy["PolicyDocument"])
    iam.put_role_policy(RoleName=role, PolicyName=policy["PolicyName"], PolicyDocument=document)


TYPES: tuple[ResourceType, ...] = (Role(), Policy(), ManagedPolicy(), InstanceProfile())

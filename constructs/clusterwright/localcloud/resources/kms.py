"""KMS: keys and their aliases."""

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
    from collections.abc import Mapping

    from clusterwright.localcloud.account import Account
    from clusterwright.localcloud.cloudformation.stack import StackResource
    from clusterwright.localcloud.resources.resource_type import Request

DEFAULT_WINDOW_DAYS = 30


class Key(ResourceType):
    """A key."""

    name = "AWS::KMS::Key"

    def create(self, request: Request) -> Made:
        """Make it, with rotation as asked."""
        kms = request.client("kms")
        options = request.picked("Description", "KeySpec", "KeyUsage", "MultiRegion")
        if "KeyPolicy" in request.properties:
            options["Policy"] = json.dumps(request.properties["KeyPolicy"])
        key = kms.create_key(Tags=self._tags(request.properties), **options)["KeyMetadata"]
        self._set_rotation(request, key["KeyId"])
        return Made(key["KeyId"], {"Arn": key["Arn"], "KeyId": key["KeyId"]})

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Change the policy, the rotation, the description or the tags."""
        known = {
            "KeyPolicy",
            "EnableKeyRotation",
            "RotationPeriodInDays",
            "Description",
            "PendingWindowInDays",
            "Tags",
        }
        if not changed <= known:
            return super().update(request, current, changed)
        kms, key_id, properties = request.client("kms"), current.physical_id, request.properties
        if "KeyPolicy" in changed:
            policy = json.dumps(properties["KeyPolicy"])
            kms.put_key_policy(KeyId=key_id, PolicyName="default", Policy=policy)
        if "Description" in changed:
            kms.update_key_description(KeyId=key_id, Description=properties.get("Description", ""))
        self._set_rotation(request, key_id)
        if "Tags" in changed:
            kms.untag_resource(KeyId=key_id, TagKeys=removed_tags(current.properties, properties))
            kms.tag_resource(KeyId=key_id, Tags=self._tags(properties))
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Schedule its deletion, which is all that KMS does at once."""
        days = int(current.properties.get("PendingWindowInDays", DEFAULT_WINDOW_DAYS))
        account.client("kms").schedule_key_deletion(KeyId=current.physical_id, PendingWindowInDays=days)

    @staticmethod
    def _set_rotation(request: Request, key_id: str) -> None:
        kms = request.client("kms")
        if str(request.properties.get("EnableKeyRotation", False)).lower() == "true":
            kms.enable_key_rotation(KeyId=key_id, **request.picked("RotationPeriodInDays"))
        else:
            kms.disable_key_rotation(KeyId=key_id)

    @staticmethod
    def _tags(properties: Mapping[str, Any]) -> list[dict[str, str]]:
        return [{"TagKey": tag["Key"], "TagValue": tag["Value"]} for tag in tag_pairs(properties)]


class Alias(ResourceType):
    """A name for a key."""

    name = "AWS::KMS::Alias"

    def create(self, request: Request) -> Made:
        """Make it."""
        options = request.picked("AliasName", "TargetKeyId")
        request.client("kms").create_alias(**options)
        return Made(options["AliasName"])

    def update(self, request: Request, current: StackResource, changed: frozenset[str]) -> Mapping[str, Any]:
        """Point it at another key."""
        del changed
        request.client("kms").update_alias(**request.picked("AliasName", "TargetKeyId"))
        return current.attributes

    def delete(self, account: Account, current: StackResource) -> None:
        """Delete it; the key stays."""
        account.client("kms").delete_alias(AliasName=current.physical_id)


TYPES: tuple[ResourceType, ...] = (Key(), Alias())

"""EC2 and EKS: what makes instances of a launch template fail to launch or to join.

Sources, read 2026-11-20: EKS user guide, "Customize managed nodes with launch templates", for user data; EC2
API reference, "InstanceNetworkInterfaceSpecification", for public addresses; EC2 user guide, "Tag your Amazon
EC2 resources", for tags in the metadata; VPC user guide, "Amazon VPC quotas", for security groups.
"""

from __future__ import annotations

import base64
import binascii
import re
from email import message_from_bytes
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

MOST_GROUPS = 5
"""Security groups of one interface, by the default quota."""

METADATA_TAG_KEY = re.compile(r"(?!(\.|\.\.|_index)$)[0-9a-zA-Z_+=,.@:-]{1,255}")

EKS_TAG_KEYS = ("k8s.io/cluster-autoscaler/enabled",)
"""A tag that EKS gives the nodes of every node group, for the Cluster Autoscaler (aws-cli issue 8825)."""


def user_data_problems(data: Mapping[str, Any], ami_type: str) -> Iterator[str]:
    """Whether EKS can merge its own user data with that of a launch template.

    Args:
        data: The launch template's data; one with an image of its own is not merged.
        ami_type: The node group's; only Amazon Linux takes a MIME archive.
    """
    encoded = data.get("UserData")
    if not encoded or data.get("ImageId") or not ami_type.startswith("AL2"):
        return
    try:
        content = base64.b64decode(encoded)
    except binascii.Error:
        yield "Invalid BASE64 encoding of user data."
        return
    if not message_from_bytes(content).is_multipart():
        yield "User data was not in the MIME multipart format."


def public_address_problems(data: Mapping[str, Any]) -> Iterator[str]:
    """Whether a public address is asked for where EC2 gives none."""
    interfaces = data.get("NetworkInterfaces", [])
    if len(interfaces) > 1 and any(interface.get("AssociatePublicIpAddress") for interface in interfaces):
        yield (
            "The associatePublicIPAddress parameter cannot be specified when launching with multiple network "
            "interfaces."
        )


def security_group_problems(data: Mapping[str, Any]) -> Iterator[str]:
    """Whether an interface has more security groups than the quota lets it."""
    per_interface = [interface.get("Groups", []) for interface in data.get("NetworkInterfaces", [])]
    for groups in (data.get("SecurityGroupIds", []), *per_interface):
        if len(groups) > MOST_GROUPS:
            yield f"An interface has {len(groups)} security groups; at most {MOST_GROUPS} are allowed."


def metadata_tag_problems(
    data: Mapping[str, Any], added_keys: Collection[str] = EKS_TAG_KEYS
) -> Iterator[str]:
    """Whether the instance metadata can show the tags that it is told to show.

    Args:
        data: The launch template's data.
        added_keys: Keys of tags that the instances get beside those of the launch template.
    """
    if data.get("MetadataOptions", {}).get("InstanceMetadataTags") != "enabled":
        return
    own_keys = {
        tag["Key"]
        for specification in data.get("TagSpecifications", [])
        if specification.get("ResourceType") == "instance"
        for tag in specification.get("Tags", [])
    }
    for key in sorted(own_keys.union(added_keys)):
        if not METADATA_TAG_KEY.fullmatch(key):
            yield f"'{key}' is not a valid tag key while InstanceMetadataTags is enabled."

"""Rules on node groups: each where it refuses, beside it where it does not, and once through a stack."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from small_templates import BLOCK_ID, block_template, interfaces, node_group, ref, resource

from clusterwright.localcloud import CapacityReservation
from clusterwright.localcloud.rules.capacity import instance_count_problems, placement_problems
from clusterwright.localcloud.rules.launch_templates import (
    METADATA_TAG_KEY,
    metadata_tag_problems,
    public_address_problems,
    security_group_problems,
    user_data_problems,
)
from clusterwright.localcloud.rules.node_groups import (
    ami_type_problems,
    scaling_problems,
    version_problems,
)
from clusterwright.localcloud.rules.node_labels import label_problems, taint_problems

if TYPE_CHECKING:
    from small_templates import Deployer

RESERVATION_ID = "cr-0000000000000000a"
SCRIPT = "#!/bin/bash\necho hello\n"
ARCHIVE = (
    'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n'
    "--//\nContent-Type: text/x-shellscript\n\n#!/bin/bash\n--//--\n"
)
BLOCK = {"CapacityReservationId": BLOCK_ID, "TotalInstanceCount": 4}
GROUP_ARN = "arn:aws:ec2:us-east-2:123456789012:placement-group/spine"
GROUP = {"GroupName": "spine", "GroupArn": GROUP_ARN, "Strategy": "cluster"}


def encoded(text: str) -> str:
    """User data as a launch template has it."""
    return b64encode(text.encode()).decode()


def on_reservation(**changes: Any) -> dict[str, Any]:
    """The data of a launch template for nodes of the plain reservation."""
    target = {"CapacityReservationTarget": {"CapacityReservationId": RESERVATION_ID}}
    return block_template(
        **{"InstanceMarketOptions": None, "CapacityReservationSpecification": target, **changes}
    )


@pytest.mark.parametrize(
    ("least", "desired", "most", "reason"),
    [
        (0, 0, 1, None),
        (2, 3, 4, None),
        (4, 4, 4, None),
        (2, None, 4, None),
        (3, 2, 4, "Minimum capacity 3 can't be greater than desired size 2."),
        (0, 5, 4, "Desired capacity 5 can't be greater than maximum size 4."),
        (5, None, 4, "Minimum capacity 5 can't be greater than maximum size 4."),
        (0, 0, 0, "Maximum capacity 0 must be at least 1."),
    ],
)
def test_sizes_are_in_order(least: int, desired: int | None, most: int, reason: str | None) -> None:
    sizes = {"minSize": least, "maxSize": most} | ({} if desired is None else {"desiredSize": desired})
    assert list(scaling_problems(sizes)) == ([] if reason is None else [reason])


@pytest.mark.parametrize(
    ("nodes", "is_refused"), [("1.35", True), ("1.34", False), ("1.31", False), ("1.30", True)]
)
def test_nodes_are_at_most_three_minor_versions_behind(nodes: str, is_refused: bool) -> None:
    assert bool(list(version_problems(nodes, "1.34"))) is is_refused


@pytest.mark.parametrize(
    ("ami_type", "architectures", "is_refused"),
    [
        ("AL2023_x86_64_NVIDIA", ["x86_64"], False),
        ("AL2023_x86_64_STANDARD", ["x86_64"], False),
        ("AL2023_ARM_64_NVIDIA", ["arm64"], False),
        ("BOTTLEROCKET_ARM_64_FIPS", ["x86_64"], True),
        ("AL2023_x86_64_NEURON", ["arm64"], True),
        ("WINDOWS_CORE_2025_x86_64", ["arm64"], True),
        ("CUSTOM", ["arm64"], False),
        ("AL2023_ARM_64_NVIDIA", None, False),
    ],
)
def test_an_image_is_for_the_processor(
    ami_type: str,
    architectures: list[str] | None,
    is_refused: bool,
) -> None:
    assert bool(list(ami_type_problems(ami_type, "x.large", architectures))) is is_refused


@pytest.mark.parametrize(
    ("data", "ami_type", "reason"),
    [
        ({"UserData": encoded(ARCHIVE)}, "AL2023_x86_64_NVIDIA", None),
        ({}, "AL2023_x86_64_NVIDIA", None),
        ({"UserData": encoded(SCRIPT), "ImageId": "ami-1"}, "CUSTOM", None),
        ({"UserData": encoded("[settings]")}, "BOTTLEROCKET_x86_64", None),
        ({"UserData": encoded(SCRIPT)}, "AL2023_x86_64_NVIDIA", "not in the MIME multipart format"),
        ({"UserData": encoded(ARCHIVE.replace("--//", "--"))}, "AL2_x86_64", "not in the MIME multipart"),
        ({"UserData": "#!/bin/bash a"}, "AL2023_x86_64_NVIDIA", "Invalid BASE64 encoding"),
    ],
)
def test_user_data_can_be_merged(data: dict[str, Any], ami_type: str, reason: str | None) -> None:
    told = list(user_data_problems(data, ami_type))
    assert told == [] if reason is None else reason in told[0]


def test_a_public_address_needs_a_single_interface() -> None:
    public = {**interfaces()[0], "AssociatePublicIpAddress": True}
    assert list(public_address_problems({"NetworkInterfaces": [public]})) == []
    assert list(public_address_problems({"NetworkInterfaces": interfaces()})) == []
    assert len(list(public_address_problems({"NetworkInterfaces": [public, interfaces()[1]]}))) == 1


def test_an_interface_has_five_security_groups() -> None:
    five, six = [f"sg-{index}" for index in range(5)], [f"sg-{index}" for index in range(6)]
    assert list(security_group_problems({"NetworkInterfaces": [{"Groups": five}]})) == []
    assert list(security_group_problems({"SecurityGroupIds": five})) == []
    assert len(list(security_group_problems({"NetworkInterfaces": [{"Groups": five}, {"Groups": six}]}))) == 1
    assert len(list(security_group_problems({"SecurityGroupIds": six}))) == 1


@pytest.mark.parametrize(
    ("key", "is_valid"),
    [
        ("clusterwright:pool", True),
        ("a+b=c,d.e@f_g-h", True),
        ("..a", True),
        ("Patch Group", False),
        ("kubernetes.io/cluster/atlas", False),
        (".", False),
        ("..", False),
        ("_index", False),
        ("a" * 256, False),
    ],
)
def test_tags_in_the_metadata_have_plain_keys(key: str, is_valid: bool) -> None:
    assert bool(METADATA_TAG_KEY.fullmatch(key)) is is_valid
    data = {
        "MetadataOptions": {"InstanceMetadataTags": "enabled"},
        "TagSpecifications": [{"ResourceType": "instance", "Tags": [{"Key": key, "Value": ""}]}],
    }
    assert bool(list(metadata_tag_problems(data, added_keys=()))) is not is_valid
    data["MetadataOptions"] = {"InstanceMetadataTags": "disabled"}
    assert list(metadata_tag_problems(data)) == []


def test_tags_of_volumes_are_not_in_the_metadata() -> None:
    data = {
        "MetadataOptions": {"InstanceMetadataTags": "enabled"},
        "TagSpecifications": [{"ResourceType": "volume", "Tags": [{"Key": "a b", "Value": ""}]}],
    }
    assert list(metadata_tag_problems(data, added_keys=())) == []


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("clusterwright.dev/pool", "train", None),
        ("Team_Name", "a.B-c", None),
        ("node.kubernetes.io/stage", "test", None),
        ("spot.node.kubernetes.io/stage", "test", None),
        ("kubernetes.io/arch", "arm64", None),
        ("notkubernetes.io/arch", "arm64", None),
        ("example.com/" + "a" * 51, "x", None),
        ("node-role.kubernetes.io/worker", "true", "reserved prefixes"),
        ("kubernetes.io/role", "gpu", "reserved prefixes"),
        ("sub.k8s.io/role", "gpu", "reserved prefixes"),
        ("eks.amazonaws.com/nodegroup", "train", "reserved prefixes"),
        ("example.com/" + "a" * 52, "x", "key"),
        ("Example.com/a", "x", "key"),
        ("a/b/c", "x", "key"),
        ("/a", "x", "key"),
        ("example.com/", "x", "key"),
        ("-a", "x", "key"),
        ("a", "", "invalid value"),
        ("a", "b c", "invalid value"),
        ("a", "-b", "invalid value"),
        ("a", "b" * 64, "invalid value"),
    ],
)
def test_labels_are_such_that_a_kubelet_may_set_them(key: str, value: str, reason: str | None) -> None:
    told = list(label_problems({key: value}))
    assert told == [] if reason is None else len(told) == 1
    assert (reason or "") in "".join(told)


@pytest.mark.parametrize(
    ("taint", "is_refused"),
    [
        ({"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}, False),
        ({"key": "nvidia.com/gpu", "value": "", "effect": "NO_SCHEDULE"}, False),
        ({"key": "node-role.kubernetes.io/gpu", "effect": "NO_EXECUTE"}, False),
        ({"key": "nvidia.com/gpu!", "effect": "NO_SCHEDULE"}, True),
        ({"key": "nvidia.com/gpu", "value": "a b", "effect": "NO_SCHEDULE"}, True),
    ],
)
def test_taints_follow_the_syntax(taint: dict[str, str], is_refused: bool) -> None:
    assert bool(list(taint_problems([taint]))) is is_refused


def test_a_node_group_has_fifty_taints() -> None:
    taints = [{"key": f"key-{index}", "effect": "NO_SCHEDULE"} for index in range(51)]
    assert list(taint_problems(taints[:50])) == []
    assert list(taint_problems(taints)) == ["A node group has at most 50 taints, not 51."]


def test_node_groups_share_what_a_reservation_has() -> None:
    assert list(instance_count_problems(BLOCK, wanted=3, elsewhere=1)) == []
    assert list(instance_count_problems(BLOCK, wanted=3, elsewhere=2)) == [
        f"The capacity reservation {BLOCK_ID} has 4 instances; the node group wants 3, and others want 2."
    ]


def test_a_reservation_is_used_in_the_placement_group_in_which_it_was_made() -> None:
    assert list(placement_problems(BLOCK, None)) == []
    assert list(placement_problems({**BLOCK, "PlacementGroupArn": GROUP_ARN}, GROUP)) == []
    assert list(placement_problems(BLOCK, {**GROUP, "Strategy": "partition"})) == []
    assert len(list(placement_problems(BLOCK, GROUP))) == 1
    assert len(list(placement_problems({**BLOCK, "PlacementGroupArn": f"{GROUP_ARN}-2"}, GROUP))) == 1


@pytest.mark.parametrize(
    ("changes", "properties", "reason"),
    [
        (
            {},
            {"ScalingConfig": {"MinSize": 2, "MaxSize": 4, "DesiredSize": 1}},
            "greater than desired size 1",
        ),
        ({}, {"Version": "1.35"}, "Nodes of Kubernetes 1.35 are newer than the cluster"),
        ({}, {"AmiType": "AL2023_ARM_64_NVIDIA"}, "[p5en.48xlarge] is not a valid instance type"),
        ({}, {"Labels": {"node-role.kubernetes.io/worker": "true"}}, "cannot contain reserved prefixes"),
        ({}, {"Taints": [{"Key": "a b", "Effect": "NO_SCHEDULE"}]}, "Taint key 'a b' is invalid"),
        ({}, {"ScalingConfig": {"MinSize": 0, "MaxSize": 5, "DesiredSize": 5}}, "has 4 instances"),
        ({"UserData": encoded(SCRIPT)}, {}, "User data was not in the MIME multipart format"),
        (
            {"NetworkInterfaces": [{**interfaces()[0], "AssociatePublicIpAddress": True}, *interfaces()[1:]]},
            {},
            "associatePublicIPAddress parameter cannot be specified",
        ),
        (
            {"NetworkInterfaces": [{**interfaces()[0], "Groups": [f"sg-{index}" for index in range(6)]}]},
            {},
            "An interface has 6 security groups",
        ),
        (
            {"MetadataOptions": {"InstanceMetadataTags": "enabled"}},
            {},
            "'k8s.io/cluster-autoscaler/enabled' is not a valid tag key",
        ),
        ({"Placement": {"GroupName": ref("Spine")}}, {}, "was not created in the cluster placement group"),
    ],
)
def test_a_stack_is_told_why(
    deployer: Deployer, changes: dict[str, Any], properties: dict[str, Any], reason: str
) -> None:
    spine = {"Spine": resource("EC2::PlacementGroup", Strategy="cluster")}
    resources = {**node_group(block_template(**changes), **properties), **spine}
    assert deployer.create(resources)["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


def test_a_careful_node_group_is_made(deployer: Deployer) -> None:
    data = block_template(
        UserData=encoded(ARCHIVE),
        MetadataOptions={"InstanceMetadataTags": "disabled"},
        Placement={"Tenancy": "default"},
    )
    settings = {"Version": "1.33", "Labels": {"example.com/team": "research"}}
    stack = deployer.create(node_group(data, **settings))
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()


def test_a_plain_reservation_is_used_in_its_own_placement_group(deployer: Deployer) -> None:
    deployer.cloud.client("ec2").create_placement_group(GroupName="spine", Strategy="cluster")
    deployer.cloud.add_reservation(
        CapacityReservation(RESERVATION_ID, "p5en.48xlarge", "use2-az3", count=4, placement_group="spine")
    )
    data = on_reservation(Placement={"GroupName": "spine"})
    stack = deployer.create(node_group(data, CapacityType="ON_DEMAND"))
    assert stack["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()


def test_two_node_groups_share_a_reservation(deployer: Deployer) -> None:
    def two(first: int, second: int) -> dict[str, Any]:
        resources = node_group(ScalingConfig={"MinSize": 0, "MaxSize": 4, "DesiredSize": first})
        properties = {
            **resources["Nodes"]["Properties"],
            "NodegroupName": "evaluate",
            "ScalingConfig": {"MinSize": 0, "MaxSize": 4, "DesiredSize": second},
        }
        return {**resources, "More": resource("EKS::Nodegroup", depends_on="Nodes", **properties)}

    assert deployer.create(two(3, 2))["StackStatus"] == "ROLLBACK_COMPLETE"
    assert "the node group wants 2, and others want 3" in deployer.reasons()
    deployer.delete()
    assert deployer.create(two(3, 1))["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()
    assert deployer.update(two(2, 2))["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert deployer.update(two(3, 1))["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()


def test_a_refused_change_leaves_a_node_group_as_it_was(deployer: Deployer) -> None:
    deployer.create(node_group())
    eks = deployer.cloud.client("eks")
    group = {"clusterName": "atlas", "nodegroupName": "train"}
    before = eks.describe_nodegroup(**group)["nodegroup"]
    with pytest.raises(eks.exceptions.InvalidParameterException, match="reserved prefixes"):
        eks.update_nodegroup_config(**group, labels={"addOrUpdateLabels": {"k8s.io/a": "b"}})
    with pytest.raises(eks.exceptions.InvalidParameterException, match="has 4 instances"):
        eks.update_nodegroup_config(**group, scalingConfig={"maxSize": 9, "desiredSize": 9})
    with pytest.raises(eks.exceptions.InvalidParameterException, match="newer than the cluster"):
        eks.update_nodegroup_version(**group, version="1.35")
    assert eks.describe_nodegroup(**group)["nodegroup"] == before


def test_sizes_that_are_not_given_stay(deployer: Deployer) -> None:
    deployer.create(node_group())
    eks = deployer.cloud.client("eks")
    group = {"clusterName": "atlas", "nodegroupName": "train"}
    eks.update_nodegroup_config(**group, scalingConfig={"desiredSize": 2})
    found = eks.describe_nodegroup(**group)["nodegroup"]["scalingConfig"]
    assert found == {"minSize": 0, "maxSize": 4, "desiredSize": 2}


def test_a_cluster_does_not_leave_its_nodes_behind(deployer: Deployer) -> None:
    deployer.create(node_group(Version="1.32"))
    eks = deployer.cloud.client("eks")
    eks.update_cluster_version(name="atlas", version="1.35")
    with pytest.raises(eks.exceptions.InvalidParameterException, match="4 minor versions behind"):
        eks.update_cluster_version(name="atlas", version="1.36")
    assert eks.describe_cluster(name="atlas")["cluster"]["version"] == "1.35"


def test_a_new_launch_template_may_not_target_a_smaller_reservation(deployer: Deployer) -> None:
    small = CapacityReservation(RESERVATION_ID, "p5en.48xlarge", "use2-az3", count=3, is_block=True)
    deployer.cloud.add_reservation(small)
    deployer.create(node_group())
    target = {"CapacityReservationTarget": {"CapacityReservationId": RESERVATION_ID}}
    changed = node_group(block_template(CapacityReservationSpecification=target))
    assert deployer.update(changed)["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert f"{RESERVATION_ID} has 3 instances; the node group wants 4" in deployer.reasons()

"""Pools: interfaces, capacity, images, labels, sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Match, Template
from synthesis import BLOCK, ULTRASERVER_BLOCK, Templates, make_cluster

from clusterwright import lifecycle
from clusterwright.hardware import find_instance_type, instance_types
from clusterwright.orchestrators.images import pick_ami_type, refer_to_release
from clusterwright.orchestrators.node_pool import NodePool, parse_taint, pick_repair_config
from clusterwright.resolution import resolve
from clusterwright.software import DEFAULT_SET, select
from clusterwright_stacks.app import build_app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RESERVATION = {
    "kind": "reservation",
    "id": "cr-0fedcba9876543210",
    "instance_type": "p5en.48xlarge",
    "count": 8,
    "zone": "use2-az3",
}


def interfaces(templates: Templates, pool: str) -> list[tuple[int, int, str]]:
    return [
        (each["NetworkCardIndex"], each["DeviceIndex"], each["InterfaceType"])
        for each in templates.launch_template(pool)["NetworkInterfaces"]
    ]


def test_gpu_nodes_have_one_primary_and_an_efa_a_card(h200: Templates) -> None:
    assert interfaces(h200, "train") == [
        (0, 0, "interface"),
        (0, 1, "efa-only"),
        *((card, 0, "efa-only") for card in range(1, 16)),
    ]


def test_every_interface_is_in_the_cluster_group_and_the_efa_group(h200: Templates) -> None:
    for each in h200.launch_template("train")["NetworkInterfaces"]:
        cluster, efa = each["Groups"]
        assert "ClusterSecurityGroupId" in cluster["Fn::ImportValue"]
        assert "EfaGroup" in efa["Fn::ImportValue"]


def test_system_nodes_have_no_efa(h200: Templates) -> None:
    data = h200.launch_template("system")
    assert "NetworkInterfaces" not in data
    assert len(data["SecurityGroupIds"]) == 1


def test_capacity_block_is_targeted_in_template_and_node_group(h200: Templates) -> None:
    data = h200.launch_template("train")
    assert data["InstanceMarketOptions"] == {"MarketType": "capacity-block"}
    assert data["CapacityReservationSpecification"] == {
        "CapacityReservationTarget": {"CapacityReservationId": "cr-0123456789abcdef0"}
    }
    assert data["InstanceType"] == "p5en.48xlarge"
    group = h200.one("pool-train", "AWS::EKS::Nodegroup")
    assert group["CapacityType"] == "CAPACITY_BLOCK"
    assert "InstanceTypes" not in group
    assert group["UpdateConfig"]["UpdateStrategy"] == "MINIMAL"
    assert "Placement" not in data
    assert not h200.resources("pool-train", "AWS::EC2::PlacementGroup")


def test_reservation_is_targeted_and_not_forced_into_a_group(synthesize: Callable[..., Templates]) -> None:
    pool = {"instance_type": "p5en.48xlarge", "count": 8, "capacity": "mine"}
    templates = synthesize(capacity={"mine": RESERVATION}, pools={"train": pool})
    data = templates.launch_template("train")
    assert "InstanceMarketOptions" not in data
    target = data["CapacityReservationSpecification"]["CapacityReservationTarget"]
    assert target == {"CapacityReservationId": "cr-0fedcba9876543210"}
    assert "Placement" not in data
    assert templates.one("pool-train", "AWS::EKS::Nodegroup")["CapacityType"] == "ON_DEMAND"


def test_reservation_in_a_group_is_launched_into_it(synthesize: Callable[..., Templates]) -> None:
    pool = {"instance_type": "p5en.48xlarge", "count": 8, "capacity": "mine"}
    capacity = {"mine": {**RESERVATION, "placement_group": "spine-1"}}
    templates = synthesize(capacity=capacity, pools={"train": pool})
    assert templates.launch_template("train")["Placement"] == {"GroupName": "spine-1"}
    assert not templates.resources("pool-train", "AWS::EC2::PlacementGroup")


@pytest.mark.parametrize("kind", ["on-demand", "spot"])
def test_nodes_that_aws_places_get_a_cluster_group(synthesize: Callable[..., Templates], kind: str) -> None:
    pool = {"instance_type": "p5en.48xlarge", "count": 8, "capacity": "some"}
    templates = synthesize(capacity={"some": {"kind": kind}}, pools={"train": pool})
    (group,) = templates.resources("pool-train", "AWS::EC2::PlacementGroup")
    assert templates.one("pool-train", "AWS::EC2::PlacementGroup")["Strategy"] == "cluster"
    assert templates.launch_template("train")["Placement"] == {"GroupName": {"Ref": group}}
    expected = "SPOT" if kind == "spot" else "ON_DEMAND"
    assert templates.one("pool-train", "AWS::EKS::Nodegroup")["CapacityType"] == expected
    assert "InstanceMarketOptions" not in templates.launch_template("train")


@pytest.mark.parametrize("purpose", ["realtime", "interactive"])
def test_replicas_that_do_not_talk_get_no_group(synthesize: Callable[..., Templates], purpose: str) -> None:
    pool = {"instance_type": "p5en.48xlarge", "count": 8, "purpose": purpose}
    templates = synthesize(pools={"serve": pool})
    assert not templates.resources("pool-serve", "AWS::EC2::PlacementGroup")


def test_instances_are_hardened(h200: Templates) -> None:
    for pool in ("system", "train"):
        data = h200.launch_template(pool)
        assert data["MetadataOptions"]["HttpTokens"] == "required"
        assert data["MetadataOptions"]["HttpPutResponseHopLimit"] == 1
        # Enabled, it refuses the tags that EKS gives to nodes (terraform-aws-eks #1785).
        assert data["MetadataOptions"]["InstanceMetadataTags"] == "disabled"
        assert all(each["Ebs"]["Encrypted"] for each in data["BlockDeviceMappings"])


def test_local_nvme_is_striped_where_there_is_some(h200: Templates) -> None:
    assert "strategy: RAID0" in user_data(h200, "train")
    assert "localStorage" not in user_data(h200, "system")


def user_data(templates: Templates, pool: str) -> str:
    """A pool's user data, with a word in place of what is known at deployment."""
    value = templates.launch_template(pool)["UserData"]["Fn::Base64"]
    _, pieces = value["Fn::Join"]
    return "".join(each if isinstance(each, str) else each["Fn::Sub"] for each in pieces)


def test_kubelet_waits_for_scripts_that_are_these_bytes(h200: Templates) -> None:
    text = user_data(h200, "train")
    (line,) = [line for line in text.splitlines() if line.startswith("ExecStartPre=")]
    _, url, sha256, region = line.split()
    assert url.startswith("s3://cdk-hnb659fds-assets-${AWS::AccountId}-us-east-2/")
    assert url.endswith(".tar")
    assert len(sha256) == 64
    assert region == "us-east-2"
    assert "CW_POOL=train" in text
    assert sha256 in user_data(h200, "system"), "all pools share one archive"


def keys_of_scripts(templates: Templates) -> str:
    """What the nodes' role may fetch, with a word in place of what is known at deployment."""
    statements = [
        statement
        for policy in templates.resources("cluster", "AWS::IAM::Policy").values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Action"] == "s3:GetObject"
    ]
    (resource,) = [statement["Resource"] for statement in statements]
    _, pieces = resource["Fn::Join"]
    return "".join(each if isinstance(each, str) else next(iter(each.values())) for each in pieces)


def test_nodes_may_fetch_their_scripts_and_no_other_asset(h200: Templates) -> None:
    key = user_data(h200, "train").split("-us-east-2/")[1].split()[0]
    bucket, _, pattern = keys_of_scripts(h200).partition("-us-east-2/")
    assert bucket == "arn:AWS::Partition:s3:::cdk-hnb659fds-assets-${AWS::AccountId}"
    assert pattern == "clusterwright/atlas/node-scripts/*"
    assert key.startswith(pattern.removesuffix("*"))


def test_nodes_of_an_update_that_is_not_there_yet_still_find_their_scripts(
    h200: Templates, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The cluster's stack is updated before those of the pools, and stays so when one is rolled back."""
    original = lifecycle.pack
    monkeypatch.setattr(lifecycle, "pack", lambda files: original({**files, "more": "of another version"}))
    app = build_app(make_cluster(), outdir=str(tmp_path))
    app.synth()
    after = Templates(tmp_path, "atlas")
    assert keys_of_scripts(after) == keys_of_scripts(h200)
    assert user_data(after, "system") != user_data(h200, "system")


def test_image_is_the_release_of_the_version_set(h200: Templates) -> None:
    release = h200.one("pool-train", "AWS::EKS::Nodegroup")["ReleaseVersion"]
    name = "amazon-eks-node-al2023-x86_64-nvidia-1.34-v20260714"
    path = f"/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/nvidia/{name}/release_version"
    assert release == f"{{{{resolve:ssm:{path}}}}}"


@pytest.mark.parametrize(
    ("instance_type", "words"),
    [
        ("m7i.large", "x86_64/standard/amazon-eks-node-al2023-x86_64-standard-1.36-v20260714"),
        ("p6e-gb200.36xlarge", "arm64/nvidia/amazon-eks-node-al2023-arm64-nvidia-1.36-v20260714"),
        ("trn2.48xlarge", "x86_64/neuron/amazon-eks-node-al2023-x86_64-neuron-1.36-v20260714"),
    ],
)
def test_image_fits_the_hardware(instance_type: str, words: str) -> None:
    spec = find_instance_type(instance_type)
    assert words in refer_to_release(spec, kubernetes_version="1.36", release="v20260714")


def test_nodes_tell_what_they_are(h200: Templates) -> None:
    group = h200.one("pool-train", "AWS::EKS::Nodegroup")
    assert group["Labels"] == {
        "clusterwright.dev/accelerator": "h200",
        "clusterwright.dev/capacity-type": "capacity-block",
        "clusterwright.dev/pool": "train",
        "clusterwright.dev/purpose": "batch",
    }
    assert group["Taints"] == [{"Key": "nvidia.com/gpu", "Value": "true", "Effect": "NO_SCHEDULE"}]
    assert group["Version"] == "1.34"


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ({"count": 4}, {"MinSize": 4, "DesiredSize": 4, "MaxSize": 4}),
        ({"min": 0, "max": 32}, {"MinSize": 0, "DesiredSize": 0, "MaxSize": 32}),
        ({"min": 2, "max": 8}, {"MinSize": 2, "DesiredSize": 2, "MaxSize": 8}),
        # EKS takes no maximum of zero.
        ({"count": 0}, {"MinSize": 0, "DesiredSize": 0, "MaxSize": 1}),
    ],
)
def test_sizes(synthesize: Callable[..., Templates], size: dict[str, int], expected: dict[str, int]) -> None:
    templates = synthesize(pools={"burst": {"instance_type": "g6e.12xlarge", **size}})
    assert templates.one("pool-burst", "AWS::EKS::Nodegroup")["ScalingConfig"] == expected


@pytest.mark.parametrize(
    ("instance_type", "ami_type"),
    [
        ("m7i.2xlarge", "AL2023_x86_64_STANDARD"),
        ("p5en.48xlarge", "AL2023_x86_64_NVIDIA"),
        ("p6e-gb200.36xlarge", "AL2023_ARM_64_NVIDIA"),
        ("trn2.48xlarge", "AL2023_x86_64_NEURON"),
    ],
)
def test_image_fits_architecture_and_accelerator(instance_type: str, ami_type: str) -> None:
    assert pick_ami_type(find_instance_type(instance_type)) == ami_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("team=research:NoSchedule", {"key": "team", "value": "research", "effect": "NO_SCHEDULE"}),
        ("spare:NoExecute", {"key": "spare", "effect": "NO_EXECUTE"}),
        ("a.b/c=:PreferNoSchedule", {"key": "a.b/c", "effect": "PREFER_NO_SCHEDULE"}),
    ],
)
def test_taints(text: str, expected: dict[str, str]) -> None:
    assert parse_taint(text) == expected


@pytest.mark.parametrize(
    ("size", "parallel", "threshold"), [(1, 1, 1), (3, 1, 1), (32, 1, 6), (1000, 50, 200)]
)
def test_repair_never_stops_at_the_first_bad_node(size: int, parallel: int, threshold: int) -> None:
    config = pick_repair_config(size)
    assert (config["maxParallelNodesRepairedCount"], config["maxUnhealthyNodeThresholdCount"]) == (
        parallel,
        threshold,
    )


def test_tags_reach_instances_volumes_and_interfaces(h200: Templates) -> None:
    for each in h200.launch_template("train")["TagSpecifications"]:
        tags = {tag["Key"]: tag["Value"] for tag in each["Tags"]}
        assert tags == {
            "Name": "atlas-train",
            "clusterwright:cluster": "atlas",
            "clusterwright:pool": "train",
            "clusterwright:software": select(DEFAULT_SET).content_hash,
            "team": "research",
            "cost-center": "4711",
        }


def test_ultraserver_nodes_target_their_block(synthesize: Callable[..., Templates]) -> None:
    pool = {
        "instance_type": "p6e-gb200.36xlarge",
        "count": 18,
        "ultraserver": "u-p6e-gb200x72",
        "capacity": "nvl72",
    }
    templates = synthesize(
        region="us-east-1",
        zone="use1-dfw2-az1",
        capacity={"nvl72": ULTRASERVER_BLOCK},
        pools={"train": pool},
    )
    assert [card for card, _, kind in interfaces(templates, "train") if kind == "efa-only"] == [1, 5, 9, 13]
    assert templates.one("pool-train", "AWS::EKS::Nodegroup")["AmiType"] == "AL2023_ARM_64_NVIDIA"


def test_logical_ids_do_not_depend_on_the_order_of_pools(synthesize: Callable[..., Templates]) -> None:
    one = {
        "a": {"instance_type": "g6e.12xlarge", "count": 1},
        "b": {"instance_type": "g5.12xlarge", "count": 1},
    }
    other = dict(reversed(one.items()))

    def ids(pools: dict[str, Any]) -> dict[str, set[str]]:
        templates = synthesize(pools=pools)
        return {part: set(templates[part]["Resources"]) for part in templates}

    assert ids(one) == ids(other)


def test_pool_brings_its_own_role_key_and_groups() -> None:
    cluster = make_cluster(
        capacity={"block": BLOCK},
        pools={"train": {"instance_type": "p5en.48xlarge", "count": 16, "capacity": "block"}},
    )
    pool = next(each for each in resolve(cluster).pools if each.name == "train")
    stack = cdk.Stack(cdk.App(), "Mine")
    NodePool(
        stack,
        "Pool",
        pool=pool,
        cluster_name="theirs",
        subnet_ids=["subnet-12345678"],
        security_group_ids=["sg-12345678"],
        node_role=iam.Role.from_role_arn(stack, "Role", "arn:aws:iam::111122223333:role/nodes"),
        key=kms.Key.from_key_arn(stack, "Key", "arn:aws:kms:us-east-2:111122223333:key/mine"),
    )
    template = Template.from_stack(stack)
    template.has_resource_properties(
        "AWS::EKS::Nodegroup",
        {"ClusterName": "theirs", "NodeRole": "arn:aws:iam::111122223333:role/nodes"},
    )
    volume = {"Ebs": Match.object_like({"KmsKeyId": "arn:aws:kms:us-east-2:111122223333:key/mine"})}
    template.has_resource_properties(
        "AWS::EC2::LaunchTemplate",
        {"LaunchTemplateData": Match.object_like({"BlockDeviceMappings": [Match.object_like(volume)]})},
    )


def test_what_eks_cannot_change_is_in_the_name(synthesize: Callable[..., Templates]) -> None:
    """CloudFormation makes a new node group before it deletes the old one."""

    def name(**changes: Any) -> str:
        pool = {"instance_type": "p5en.48xlarge", "count": 8, "capacity": "some"} | changes
        templates = synthesize(capacity={"some": {"kind": "spot"}, "block": BLOCK}, pools={"train": pool})
        found: str = templates.one("pool-train", "AWS::EKS::Nodegroup")["NodegroupName"]
        return found

    same = {"count": 9, "labels": {"a": "b"}, "root_volume_gib": 300, "instance_type": "p5.48xlarge"}
    assert all(name(**{field: value}) == name() for field, value in same.items())
    other = [{"capacity": "block"}, {"instance_type": "trn2.48xlarge"}]
    assert len({name(), *(name(**change) for change in other)}) == 3
    assert name().startswith("train-")


def test_every_type_of_the_catalogue_can_be_a_pool(synthesize: Callable[..., Templates]) -> None:
    pools = {
        f"pool{number}": {"instance_type": name, "count": 1, "purpose": "batch"}
        for number, name in enumerate(instance_types())
    }
    templates = synthesize(pools=pools)
    for pool, settings in pools.items():
        data = templates.launch_template(pool)
        spec = find_instance_type(settings["instance_type"])
        found = data.get("NetworkInterfaces", [])
        assert bool(found) == spec.is_efa_capable
        assert sum(each["InterfaceType"] != "interface" for each in found) <= spec.max_efa_interfaces

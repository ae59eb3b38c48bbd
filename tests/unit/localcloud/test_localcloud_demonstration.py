"""The demonstration's own logic, with a CDK CLI that is played; tests/e2e has the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from small_templates import Deployer, node_group

from clusterwright.config.loading import load_cluster
from clusterwright.errors import LocalCloudError, ToolError
from clusterwright.localcloud import LocalCloud
from clusterwright.localcloud.demonstration import Demonstration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


POOL = {"clusterwright.dev/pool": "train"}
EDITED = {**POOL, "clusterwright.dev/demo": "edited"}


class PlayedCdk:
    """Answers as the CDK CLI would, without one.

    Attributes:
        answers: Exit code and printed lines, by command.
        calls: The arguments of each call.
    """

    def __init__(self, **answers: tuple[int, list[str]]) -> None:
        self.answers = answers
        self.calls: list[tuple[str, ...]] = []

    def run(self, args: Sequence[str], *, on_line: Callable[[str], None], **_: Any) -> int:
        """Print the lines of an answer, and return its exit code."""
        self.calls.append(tuple(args))
        code, lines = self.answers.get(args[0], (0, []))
        for line in lines:
            on_line(line)
        return code


def demonstrate(cloud: LocalCloud, file: Path, cdk: PlayedCdk) -> Demonstration:
    """A demonstration of a file with a played CDK CLI."""
    return Demonstration(cloud, cdk, file, load_cluster(file), on_line=lambda _: None)


@pytest.fixture
def h200(root: Path) -> Path:
    """The main example."""
    return root / "docs" / "examples" / "eks-h200.yaml"


def test_what_a_cluster_takes_for_granted_is_there(root: Path) -> None:
    file = root / "docs" / "examples" / "eks-existing-vpc.yaml"
    cluster = load_cluster(file)
    assert cluster.network.existing is not None
    with LocalCloud(region=cluster.region) as cloud:
        demonstrate(cloud, file, PlayedCdk())
        ec2 = cloud.client("ec2")
        subnets = ec2.describe_subnets(Filters=[{"Name": "vpc-id", "Values": [cluster.network.existing.vpc]}])
        found = {subnet["AvailabilityZoneId"]: subnet["SubnetId"] for subnet in subnets["Subnets"]}
    assert found == cluster.network.existing.subnets


def test_ultraservers_count_as_their_instances(root: Path) -> None:
    file = root / "docs" / "examples" / "eks-gb200.yaml"
    with LocalCloud(region="us-east-1") as cloud:
        demonstrate(cloud, file, PlayedCdk())
        found = cloud.client("ec2").describe_capacity_reservations()["CapacityReservations"][0]
    assert found["InstanceType"] == "p6e-gb200.36xlarge"
    assert found["TotalInstanceCount"] == 18


def test_roles_of_the_account_are_there(tmp_path: Path) -> None:
    file = tmp_path / "cluster.yaml"
    file.write_text(
        "version: 1\nname: atlas\nregion: us-east-2\nzone: use2-az3\naccount: '123456789012'\n"
        "orchestrator: {kind: eks, admins: ['arn:aws:iam::123456789012:role/team/Admin']}\n"
        "pools: {system: {instance_type: m7i.2xlarge, count: 1, purpose: system}}\n"
    )
    with LocalCloud() as cloud:
        demonstrate(cloud, file, PlayedCdk())
        role = cloud.client("iam").get_role(RoleName="Admin")["Role"]
    assert role["Arn"] == "arn:aws:iam::123456789012:role/team/Admin"


def test_a_failing_cdk_tells_what_it_printed(cloud: LocalCloud, h200: Path) -> None:
    cdk = PlayedCdk(bootstrap=(1, ["the account is on fire"]))
    with pytest.raises(ToolError, match="cdk bootstrap failed with exit code 1:\nthe account is on fire"):
        demonstrate(cloud, h200, cdk).bootstrap()


def test_a_deployment_without_stacks_is_no_success(cloud: LocalCloud, h200: Path) -> None:
    with pytest.raises(LocalCloudError, match="stacks are not CREATE_COMPLETE: there are none"):
        demonstrate(cloud, h200, PlayedCdk()).deploy()


def test_a_stack_that_changes_again_is_no_success(cloud: LocalCloud, h200: Path) -> None:
    body = '{"Resources": {"Gateway": {"Type": "AWS::EC2::InternetGateway"}}}'
    cloud.client("cloudformation").create_stack(StackName="atlas-network", TemplateBody=body)
    demonstration = demonstrate(cloud, h200, PlayedCdk(deploy=(0, [" ✅  atlas-network"])))
    with pytest.raises(LocalCloudError, match="1 of 1 stacks changed without a cause"):
        demonstration.deploy_again()
    same = demonstrate(cloud, h200, PlayedCdk(deploy=(0, [" ✅  atlas-network (no changes)"])))
    assert same.deploy_again() == "no changes"


def test_the_edit_is_a_valid_cluster_with_one_label_more(
    cloud: LocalCloud, h200: Path, tmp_path: Path
) -> None:
    edited = tmp_path / "edited.yaml"
    pool = demonstrate(cloud, h200, PlayedCdk()).write_edit(edited)
    before, after = yaml.safe_load(h200.read_text()), yaml.safe_load(edited.read_text())
    assert after["pools"][pool].pop("labels") == {"clusterwright.dev/demo": "edited"}
    assert after == before
    assert load_cluster(edited).pools[pool].labels


def test_a_diff_without_the_edit_is_no_success(cloud: LocalCloud, h200: Path) -> None:
    with pytest.raises(LocalCloudError, match="cdk diff does not show the change"):
        demonstrate(cloud, h200, PlayedCdk(diff=(0, ["There were no differences"]))).diff(h200)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"Labels": EDITED}, None),
        ({"Labels": {**POOL, "a": "b"}}, "without clusterwright.dev/demo"),
        ({"Labels": EDITED, "NodegroupName": "other"}, "node group train was replaced, not updated in place"),
    ],
)
def test_an_update_is_in_place(
    deployer: Deployer, h200: Path, change: dict[str, Any], reason: str | None
) -> None:
    small = {"ScalingConfig": {"MinSize": 0, "MaxSize": 4, "DesiredSize": 1}}

    class UpdatingCdk(PlayedCdk):
        def run(self, args: Sequence[str], **options: Any) -> int:
            deployer.update(node_group(**{**small, **change}))
            return super().run(args, **options)

    deployer.create(node_group(**small, Labels=POOL))
    demonstration = demonstrate(deployer.cloud, h200, UpdatingCdk())
    if reason is None:
        assert demonstration.update(h200, "train") == "node group train updated in place"
    else:
        with pytest.raises(LocalCloudError, match=reason):
            demonstration.update(h200, "train")


def test_what_is_left_behind_is_named(cloud: LocalCloud, h200: Path) -> None:
    demonstration = demonstrate(cloud, h200, PlayedCdk())
    demonstration.bootstrap()
    cloud.client("logs").create_log_group(logGroupName="/forgotten")
    with pytest.raises(LocalCloudError, match="destroy left behind: log group /forgotten"):
        demonstration.destroy()

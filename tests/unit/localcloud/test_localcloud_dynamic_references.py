"""CloudFormation's dynamic references to parameters, EKS's own among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_templates import resource

from clusterwright.localcloud.public_parameters import find_public_parameter
from clusterwright.localcloud.rules.node_groups import release_problems

if TYPE_CHECKING:
    from small_templates import Deployer

AMI = "/aws/service/eks/optimized-ami"


def make_path(minor: str, release: str, architecture: str = "x86_64", variant: str = "nvidia") -> str:
    name = f"amazon-eks-node-al2023-{architecture}-{variant}-{minor}-{release}"
    return f"{AMI}/{minor}/amazon-linux-2023/{architecture}/{variant}/{name}/release_version"


def copy(reference: str) -> dict[str, object]:
    """A template that puts what a reference stands for, with words around it, into a parameter."""
    return {"Copy": resource("SSM::Parameter", Name="copy", Type="String", Value=f"it is {reference}.")}


def stored(deployer: Deployer) -> str:
    return str(deployer.cloud.client("ssm").get_parameter(Name="copy")["Parameter"]["Value"])


def test_releases_of_eks_are_resolved(deployer: Deployer) -> None:
    deployer.create(copy(f"{{{{resolve:ssm:{make_path('1.34', 'v20260714')}}}}}"))
    assert stored(deployer) == "it is 1.34.0-20260714."


def test_parameters_of_the_account_are_resolved(deployer: Deployer) -> None:
    deployer.cloud.client("ssm").put_parameter(Name="mine", Type="String", Value="here")
    deployer.create(copy("{{resolve:ssm:mine}}"))
    assert stored(deployer) == "it is here."


@pytest.mark.parametrize("reference", ["ssm:nowhere", f"ssm:{make_path('1.36', 'v20251120')}"])
def test_a_parameter_that_is_not_there_fails_the_resource(deployer: Deployer, reference: str) -> None:
    stack = deployer.create(copy(f"{{{{resolve:{reference}}}}}"))
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reference in deployer.reasons()


def test_a_service_that_is_not_embedded_is_refused_by_name(deployer: Deployer) -> None:
    deployer.create(copy("{{resolve:secretsmanager:mine}}"))
    assert "not secretsmanager" in deployer.reasons()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (make_path("1.34", "v20260714"), "1.34.0-20260714"),
        (make_path("1.31", "v20260714", "arm64", "standard"), "1.31.0-20260714"),
        (make_path("1.34", "v20991231"), None),
        (make_path("1.36", "v20251120"), None),
        (make_path("1.34", "v20260714").replace("x86_64/", "arm64/"), None),
        (f"{AMI}/1.34/amazon-linux-2023/x86_64/nvidia/recommended/image_id", None),
    ],
)
def test_public_parameters(path: str, value: str | None) -> None:
    assert find_public_parameter(path) == value


@pytest.mark.parametrize(
    ("release", "version", "is_right"),
    [
        ("1.34.9-20260801", "1.34", True),
        (None, "1.34", True),
        ("1.33.9-20260801", "1.34", False),
        ("1.34.9", "1.34", False),
        ("1.34-20260801", "1.34", False),
    ],
)
def test_a_release_is_one_for_the_version_of_the_nodes(
    release: str | None, version: str, *, is_right: bool
) -> None:
    assert (not list(release_problems(release, version))) == is_right

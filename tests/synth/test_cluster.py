"""The EKS control plane and its add-ons."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Template

from clusterwright.orchestrators.eks import KubernetesCluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from synthesis import Templates


def addons(templates: Templates, part: str) -> dict[str, dict[str, Any]]:
    found = templates.resources(part, "AWS::EKS::Addon").values()
    return {each["Properties"]["AddonName"]: each["Properties"] for each in found}


def configuration(addon: dict[str, Any]) -> dict[str, Any]:
    """Configuration values, the references in them replaced by their names."""
    value = addon["ConfigurationValues"]
    if isinstance(value, dict):
        parts = value["Fn::Join"][1]
        value = "".join(each if isinstance(each, str) else "REFERENCE" for each in parts)
    parsed: dict[str, Any] = json.loads(value)
    return parsed


def test_control_plane_is_private_encrypted_logged_and_protected(h200: Templates) -> None:
    cluster = h200.one("cluster", "AWS::EKS::Cluster")
    access = cluster["ResourcesVpcConfig"]
    assert access["EndpointPrivateAccess"] is True
    assert access["EndpointPublicAccess"] is False
    assert len(access["SubnetIds"]) == 2
    assert cluster["EncryptionConfig"][0]["Resources"] == ["secrets"]
    assert {each["Type"] for each in cluster["Logging"]["ClusterLogging"]["EnabledTypes"]} == {
        "api",
        "audit",
        "authenticator",
        "controllerManager",
        "scheduler",
    }
    assert cluster["DeletionProtection"] is True
    assert cluster["Version"] == "1.34"
    assert cluster["KubernetesNetworkConfig"]["ServiceIpv4Cidr"] == "172.20.0.0/16"


def test_key_of_the_secrets_rotates(h200: Templates) -> None:
    assert h200.one("cluster", "AWS::KMS::Key")["EnableKeyRotation"] is True


def test_only_the_named_admins_get_in(h200: Templates) -> None:
    cluster = h200.one("cluster", "AWS::EKS::Cluster")
    assert cluster["AccessConfig"] == {
        "AuthenticationMode": "API",
        "BootstrapClusterCreatorAdminPermissions": False,
    }
    entry = h200.one("cluster", "AWS::EKS::AccessEntry")
    assert entry["PrincipalArn"] == "arn:aws:iam::111122223333:role/Admin"
    assert "AmazonEKSClusterAdminPolicy" in str(entry["AccessPolicies"])


def test_admins_keep_their_logical_ids_in_any_order(synthesize: Callable[..., Templates]) -> None:
    arns = [f"arn:aws:iam::111122223333:role/{name}" for name in ("One", "Two")]

    def entries(order: list[str]) -> dict[str, str]:
        templates = synthesize(orchestrator={"kind": "eks", "admins": order})
        found = templates.resources("cluster", "AWS::EKS::AccessEntry")
        return {key: value["Properties"]["PrincipalArn"] for key, value in found.items()}

    assert entries(arns) == entries(arns[::-1])


@pytest.mark.parametrize(
    ("endpoint", "private", "public"),
    [("private", True, False), ("public", False, True), ("both", True, True)],
)
def test_endpoint_opens_as_told(
    synthesize: Callable[..., Templates], endpoint: str, private: bool, public: bool
) -> None:
    cidrs = ["203.0.113.0/24"] if public else []
    templates = synthesize(orchestrator={"kind": "eks", "endpoint": endpoint, "public_access_cidrs": cidrs})
    access = templates.one("cluster", "AWS::EKS::Cluster")["ResourcesVpcConfig"]
    assert (access["EndpointPrivateAccess"], access["EndpointPublicAccess"]) == (private, public)
    assert access.get("PublicAccessCidrs", []) == cidrs


def test_pods_get_their_own_subnet_by_zone_id(h200: Templates) -> None:
    values = configuration(addons(h200, "cluster")["vpc-cni"])
    assert values["env"]["ENABLE_PREFIX_DELEGATION"] == "true"
    assert values["env"]["AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG"] == "true"
    assert values["env"]["ENI_CONFIG_LABEL_DEF"] == "topology.k8s.aws/zone-id"
    assert values["eniConfig"]["region"] == "us-east-2"
    assert values["eniConfig"]["subnets"] == {
        "use2-az3": {"id": "REFERENCE", "securityGroups": ["REFERENCE"]}
    }


def test_without_a_pod_block_pods_share_the_nodes_subnet(synthesize: Callable[..., Templates]) -> None:
    values = configuration(addons(synthesize(), "cluster")["vpc-cni"])
    assert "eniConfig" not in values
    assert "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG" not in values["env"]


def test_addons_that_need_nodes_wait_for_the_system_pool(h200: Templates) -> None:
    assert set(addons(h200, "cluster")) == {"eks-pod-identity-agent", "vpc-cni", "kube-proxy"}
    assert set(addons(h200, "platform")) == {"coredns", "eks-node-monitoring-agent", "aws-ebs-csi-driver"}
    assert h200.dependencies("platform") >= {"atlas-pool-system"}
    assert "atlas-pool-train" not in h200.dependencies("platform")


def test_addons_call_aws_through_pod_identity(h200: Templates) -> None:
    everything = addons(h200, "cluster") | addons(h200, "platform")
    accounts = {
        name: each["PodIdentityAssociations"][0]["ServiceAccount"]
        for name, each in everything.items()
        if "PodIdentityAssociations" in each
    }
    assert accounts == {"vpc-cni": "aws-node", "aws-ebs-csi-driver": "ebs-csi-controller-sa"}
    trusts = [
        each["Properties"]["AssumeRolePolicyDocument"]["Statement"][0]
        for part in ("cluster", "platform")
        for key, each in h200.resources(part, "AWS::IAM::Role").items()
        if "Cni" in key or "Csi" in key
    ]
    assert [trust["Principal"]["Service"] for trust in trusts] == ["pods.eks.amazonaws.com"] * 2
    assert not h200.resources("cluster", "AWS::IAM::OIDCProvider")


def test_a_person_is_told_how_to_reach_the_cluster(h200: Templates) -> None:
    outputs = h200["cluster"]["Outputs"]
    assert (
        outputs["KubeconfigCommand"]["Value"] == "aws eks update-kubeconfig --name atlas --region us-east-2"
    )


def test_cluster_brings_its_own_vpc_key_and_roles() -> None:
    stack = cdk.Stack(cdk.App(), "Mine")
    KubernetesCluster(
        stack,
        "Cluster",
        cluster_name="mine",
        version="1.34",
        vpc=ec2.Vpc(stack, "Vpc", availability_zones=["us-east-2a", "us-east-2b"]),
        key=kms.Key.from_key_arn(stack, "Key", "arn:aws:kms:us-east-2:111122223333:key/mine"),
        role=iam.Role.from_role_arn(stack, "Role", "arn:aws:iam::111122223333:role/mine"),
        node_role=iam.Role.from_role_arn(stack, "NodeRole", "arn:aws:iam::111122223333:role/nodes"),
    )
    template = Template.from_stack(stack)
    template.resource_count_is("AWS::KMS::Key", 0)
    template.has_resource_properties("AWS::EKS::Cluster", {"RoleArn": "arn:aws:iam::111122223333:role/mine"})
    (cluster,) = template.find_resources("AWS::EKS::Cluster").values()
    assert len(cluster["Properties"]["ResourcesVpcConfig"]["SubnetIds"]) == 2
    assert not any("NodeRole" in key for key in template.find_resources("AWS::IAM::Role"))

"""The bucket of HyperPod's lifecycle scripts."""

from __future__ import annotations

import json
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Match, Template

from clusterwright.hyperpod_scripts import HyperPodScripts
from clusterwright_lifecycle.bundles import Bundle

SHARED = {"on_create.sh": "#!/usr/bin/env bash\n", "lib/log.sh": "# shellcheck shell=bash\n"}


def synthesize(*, setting: str = "CW_POOL=train\n", key: bool = False) -> tuple[HyperPodScripts, Template]:
    stack = cdk.Stack(cdk.App(), "atlas-cluster", env=cdk.Environment(region="us-east-2"))
    bundles = {
        "train": Bundle(shared=SHARED, own={"node.env": setting}),
        "login": Bundle(shared=SHARED, own={"node.env": "CW_POOL=login\n"}),
    }
    scripts = HyperPodScripts(
        stack,
        "Scripts",
        cluster_name="atlas",
        bundles=bundles,
        key=kms.Key(stack, "Key") if key else None,
    )
    role = iam.Role(stack, "Role", assumed_by=iam.ServicePrincipal("sagemaker.amazonaws.com"))
    scripts.grant_read(role, "train")
    cdk.CfnOutput(stack, "Uri", value=scripts.source_uri("train"))
    return scripts, Template.from_stack(stack)


@pytest.fixture(scope="module")
def template() -> Template:
    return synthesize()[1]


def uri_of(template: Template) -> str:
    """The train pool's folder."""
    _, pieces = template.find_outputs("Uri")["Uri"]["Value"]["Fn::Join"]
    return str(pieces[-1])


def test_hyperpod_takes_the_buckets_name(template: Template) -> None:
    (bucket,) = template.find_resources("AWS::S3::Bucket").values()
    _, pieces = bucket["Properties"]["BucketName"]["Fn::Join"]
    assert pieces[0] == "sagemaker-atlas-"
    assert bucket["Properties"]["PublicAccessBlockConfiguration"]["RestrictPublicBuckets"] is True


def test_a_folder_is_named_after_what_is_in_it(template: Template) -> None:
    assert uri_of(template).startswith("/train/")
    assert uri_of(synthesize()[1]) == uri_of(template)
    assert uri_of(synthesize(setting="CW_POOL=other\n")[1]) != uri_of(template)


def test_names_known_at_deployment_may_be_in_files() -> None:
    stack = cdk.Stack(cdk.App(), "atlas-cluster")
    text = f"CW_MOUNTS='lustre|{cdk.Fn.import_value('storage-dns')}'\n"
    HyperPodScripts(stack, "Scripts", cluster_name="a", bundles={"train": Bundle(SHARED, {"node.env": text})})
    (deployment,) = Template.from_stack(stack).find_resources("Custom::CDKBucketDeployment").values()
    assert {"Fn::ImportValue": "storage-dns"} in find_values(deployment["Properties"]["SourceMarkers"])
    assert len(deployment["Properties"]["SourceObjectKeys"]) == 2


def test_all_that_is_known_is_one_archive(template: Template) -> None:
    (deployment,) = template.find_resources("Custom::CDKBucketDeployment").values()
    assert len(deployment["Properties"]["SourceObjectKeys"]) == 1


def find_values(markers: list[dict[str, Any]]) -> list[Any]:
    return [value for marker in markers for value in marker.values()]


def test_the_uri_waits_for_the_files(template: Template) -> None:
    _, pieces = template.find_outputs("Uri")["Uri"]["Value"]["Fn::Join"]
    assert any("ScriptsFiles" in json.dumps(piece) for piece in pieces)


def test_a_pool_reads_its_own_folder(template: Template) -> None:
    policies = template.find_resources(
        "AWS::IAM::Policy", {"Properties": {"PolicyName": Match.string_like_regexp("^RoleDefault")}}
    )
    (policy,) = policies.values()
    text = json.dumps(policy)
    assert "/train/*" in text
    assert "/login/" not in text


def test_former_versions_stay(template: Template) -> None:
    template.has_resource_properties("Custom::CDKBucketDeployment", {"Prune": False})


def test_a_key_of_ones_own_encrypts_the_bucket() -> None:
    _, template = synthesize(key=True)
    (bucket,) = template.find_resources("AWS::S3::Bucket").values()
    (rule,) = bucket["Properties"]["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "aws:kms"

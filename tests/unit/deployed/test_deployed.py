"""What stands in the account, asked of the embedded AWS with the real clients."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from clusterwright.config.loading import load_cluster, parse_cluster
from clusterwright.deployed import DeployedCluster, stack_names
from clusterwright.localcloud import LocalCloud
from clusterwright_stacks.app import build_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clusterwright.config.cluster import ClusterConfig

TEXT = """
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: eks}
pools:
  system: {instance_type: m7i.2xlarge, count: 3}
"""


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    with LocalCloud(region="us-east-2") as running:
        yield running


@pytest.fixture
def cluster() -> ClusterConfig:
    found = parse_cluster(TEXT).cluster
    assert found is not None
    return found


@pytest.fixture
def deployed(cloud: LocalCloud, cluster: ClusterConfig) -> DeployedCluster:
    return DeployedCluster(cluster, cloud.client)


def make_stack(cloud: LocalCloud, name: str, **tags: str) -> None:
    template: dict[str, Any] = {"Resources": {"Logs": {"Type": "AWS::Logs::LogGroup", "Properties": {}}}}
    cloud.client("cloudformation").create_stack(
        StackName=name,
        TemplateBody=json.dumps(template),
        Tags=[{"Key": key.replace("_", ":"), "Value": value} for key, value in tags.items()],
    )


def test_a_files_stacks_are_those_that_the_app_makes(example: Path, tmp_path: Path) -> None:
    cluster = load_cluster(example)
    build_app(cluster, outdir=str(tmp_path)).synth()
    made = {path.name.removesuffix(".template.json") for path in tmp_path.glob("*.template.json")}
    assert set(stack_names(cluster)) == made


def test_orphans_are_this_clusters_and_not_in_the_file(cloud: LocalCloud, deployed: DeployedCluster) -> None:
    make_stack(cloud, "atlas-network", clusterwright_cluster="atlas")
    make_stack(cloud, "atlas-pool-old", clusterwright_cluster="atlas")
    make_stack(cloud, "atlas-pool-other", clusterwright_cluster="atlas-pool")
    make_stack(cloud, "somebody-elses")
    assert deployed.find_stacks() == ("atlas-network", "atlas-pool-old")
    assert deployed.find_orphans() == ("atlas-pool-old",)
    deployed.delete_stacks(deployed.find_orphans())
    assert deployed.find_stacks() == ("atlas-network",)


def test_where_there_is_no_cluster_nothing_is_made(cloud: LocalCloud, deployed: DeployedCluster) -> None:
    assert deployed.allow_deletion() is False
    assert cloud.client("eks").list_clusters()["clusters"] == []

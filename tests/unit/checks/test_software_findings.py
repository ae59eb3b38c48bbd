"""Where findings on versions point, and when the rules on them are loaded at all."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clusterwright.checks.engine import check_reading, check_software
from clusterwright.config.loading import parse_cluster

CLUSTER = """\
version: 1
name: atlas
region: us-east-1
zone: use1-az2
orchestrator: {{kind: eks, version: "{kubernetes}", admins: ["arn:aws:iam::111122223333:role/Admin"]}}
software: {software}
pools:
  system: {{instance_type: m7i.2xlarge, count: 2}}
  train: {{instance_type: {type}, count: 2}}
"""


def find(software: str, instance_type: str = "p5.48xlarge", kubernetes: str = "1.34") -> set[tuple[str, str]]:
    """Code and path of every finding on the versions."""
    text = CLUSTER.format(software=software, type=instance_type, kubernetes=kubernetes)
    findings = check_reading(parse_cluster(text)).findings
    return {(each.code, each.path) for each in findings if each.code.startswith("SOF")}


@pytest.mark.parametrize(
    ("software", "instance_type", "expected"),
    [
        ("{}", "p5.48xlarge", set()),
        ("{}", "g7.2xlarge", {("SOF106", "pools.train.instance_type")}),
        ('{set: "2026.11"}', "g7.2xlarge", {("SOF106", "software.set")}),
        ('{set: "2026.06"}', "p5.48xlarge", {("SOF303", "software.set")}),
        ('{overrides: {nccl: "2.30.7"}}', "p5.48xlarge", {("SOF326", "software.overrides.nccl")}),
        ("{environment: {NCCL_DEBUG: WARN}}", "p5.48xlarge", set()),
        (
            "{environment: {RDMAV_FORK_SAFE: '1'}}",
            "p5.48xlarge",
            {("SOF603", "software.environment.RDMAV_FORK_SAFE")},
        ),
        ("{environment: {RDMAV_FORK_SAFE: '1'}}", "g5.xlarge", set()),
    ],
)
def test_place(software: str, instance_type: str, expected: set[tuple[str, str]]) -> None:
    assert find(software, instance_type) == expected


def test_a_set_that_is_older_than_the_kubernetes_version() -> None:
    assert ("SOF401", "software.set") in find('{set: "2025.11"}', kubernetes="1.36")


def test_pools_of_like_nodes_are_named_together() -> None:
    text = CLUSTER.format(software='{set: "2026.06"}', type="p5.48xlarge", kubernetes="1.34")
    text += (
        "  more: {instance_type: p5.48xlarge, count: 2}\n  render: {instance_type: g6e.48xlarge, count: 1}\n"
    )
    cluster = parse_cluster(text).cluster
    assert cluster is not None
    (leak,) = check_software(cluster)
    assert leak.message.endswith("It concerns the pools train, more, render.")


def test_system_pools_have_no_efa_that_could_be_broken() -> None:
    text = CLUSTER.format(software='{set: "2026.06"}', type="p5.48xlarge", kubernetes="1.34")
    cluster = parse_cluster(text.replace("count: 2}\n", "count: 2, purpose: system}\n")).cluster
    assert cluster is not None
    assert check_software(cluster) == ()


def test_a_cluster_without_the_section_loads_no_version_sets() -> None:
    text = CLUSTER.format(software="", type="p5.48xlarge", kubernetes="1.34").replace("software: \n", "")
    script = (
        "import sys; from clusterwright.checks.engine import check_reading\n"
        "from clusterwright.config.loading import parse_cluster\n"
        f"assert check_reading(parse_cluster({text!r})).findings == ()\n"
        "print(*(each for each in sys.modules if 'software' in each))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["clusterwright.config.software"]

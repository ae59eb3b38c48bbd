"""The clusters that run in the tests: as cluster.yaml, and as AWS would tell of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.config.loading import parse_cluster
from clusterwright.resolution import resolve

if TYPE_CHECKING:
    from clusterwright.resolution import ResolvedCluster

HEAD = """\
version: 1
name: atlas
region: {region}
orchestrator: {{kind: hyperpod-slurm, controller: head, users: {{alice: {{uid: 2001}}}}}}
capacity:
  block: {{kind: capacity-block, id: cr-0123456789abcdef0, {block}, zone: {zone},
          starts: 2026-12-01T11:30:00Z, ends: 2026-12-15T11:30:00Z}}
pools:
  head: {{instance_type: m7i.4xlarge, count: 1}}
"""

H100 = HEAD.format(region="us-east-2", zone="use2-az3", block="instance_type: p5.48xlarge, count: 8") + (
    "  train: {instance_type: p5.48xlarge, count: 8, capacity: block}\n"
    "  prepare: {instance_type: m7i.4xlarge, min: 0, max: 4}\n"
)
GB200 = HEAD.format(
    region="us-east-1", zone="use1-dfw2-az1", block="ultraserver_type: u-p6e-gb200x72, count: 2"
) + (
    "  train: {instance_type: p6e-gb200.36xlarge, count: 36, capacity: block, ultraserver: u-p6e-gb200x72}\n"
    "  prepare: {instance_type: m7i.4xlarge, count: 2}\n"
)

PREPARE = ("ip-10-1-1-40", "ip-10-1-1-41")
"""The nodes of the pool `prepare` beside UltraServers."""


def resolve_text(text: str) -> ResolvedCluster:
    """A cluster of which the text has no mistakes."""
    reading = parse_cluster(text)
    assert reading.cluster is not None, reading.findings
    return resolve(reading.cluster)


def node_names(count: int) -> list[str]:
    """The nodes of the pool `train`."""
    return [f"ip-10-1-1-{number}" for number in range(count)]


def list_resources(count: int, others: tuple[str, ...] = ()) -> dict[str, Any]:
    """HyperPod's list of the instances: the controller, the pool `train`, and nodes of `prepare`."""
    head = {"InstanceName": "head-1", "InstanceId": "i-head", "CustomerIpAddress": "10.1.0.1"}
    train = [
        {"InstanceName": f"train-{at}", "InstanceId": f"i-{at:017x}", "CustomerIpAddress": f"10.1.1.{at}"}
        for at in range(count)
    ]
    prepare = [
        {"InstanceId": f"i-{name}", "CustomerIpAddress": name.removeprefix("ip-").replace("-", ".")}
        for name in others
    ]
    return {
        "ClusterConfig": {"ClusterName": "atlas"},
        "InstanceGroups": [
            {"Name": "head", "InstanceType": "ml.m7i.4xlarge", "Instances": [head]},
            {"Name": "train", "InstanceType": "ml.p5.48xlarge", "Instances": train},
            {"Name": "prepare", "InstanceType": "ml.m7i.4xlarge", "Instances": prepare},
        ],
    }


def tell_topology(count: int, leaf: int, *, has_ultraservers: bool) -> dict[str, Any]:
    """EC2's answer: `leaf` instances under each of its lowest switches, one after another."""
    instances = []
    for at in range(count):
        switches = ["nn-0000", f"nn-1{at // leaf:03}", f"nn-2{at // leaf:03}"]
        instance = {"InstanceId": f"i-{at:017x}", "NetworkNodes": switches}
        instances.append(
            instance | ({"CapacityBlockId": f"cb-{at // leaf:017x}"} if has_ultraservers else {})
        )
    return {"Instances": instances}

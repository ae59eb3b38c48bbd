"""Synthesis of small clusters, written as changes to one base, and a view of their templates."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import yaml

from clusterwright.config.loading import parse_cluster
from clusterwright_stacks.app import build_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clusterwright.config.cluster import ClusterConfig

BASE = """
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: eks, version: "1.34"}
pools:
  system: {instance_type: m7i.2xlarge, count: 3, purpose: system}
"""

BLOCK = {
    "kind": "capacity-block",
    "id": "cr-0123456789abcdef0",
    "instance_type": "p5en.48xlarge",
    "count": 16,
    "zone": "use2-az3",
    "starts": datetime(2026, 12, 1, 11, 30, tzinfo=UTC),
    "ends": datetime(2026, 12, 15, 11, 30, tzinfo=UTC),
}
"""A capacity block as the section of a cluster.yaml."""

ULTRASERVER_BLOCK = {
    **{key: value for key, value in BLOCK.items() if key != "instance_type"},
    "ultraserver_type": "u-p6e-gb200x72",
    "count": 1,
    "zone": "use1-dfw2-az1",
}
"""One UltraServer in the Dallas local zone."""


class Templates:
    """The templates of one cluster, by the part of the stack's name behind the cluster's."""

    def __init__(self, folder: Path, cluster_name: str) -> None:
        self._templates = {
            path.name.removeprefix(f"{cluster_name}-").removesuffix(".template.json"): json.loads(
                path.read_text()
            )
            for path in sorted(folder.glob("*.template.json"))
        }

        manifest = json.loads((folder / "manifest.json").read_text())
        self._artifacts: dict[str, dict[str, Any]] = manifest["artifacts"]
        self._cluster_name = cluster_name

    def dependencies(self, part: str) -> set[str]:
        """The stacks that one stack waits for."""
        dependencies = self._artifacts[f"{self._cluster_name}-{part}"]["dependencies"]
        return {name for name in dependencies if not name.endswith(".assets")}

    def __iter__(self) -> Iterator[str]:
        return iter(self._templates)

    def __getitem__(self, part: str) -> dict[str, Any]:
        return self._templates[part]

    def resources(self, part: str, kind: str) -> dict[str, dict[str, Any]]:
        """The resources of one type in one stack, by logical id."""
        found: dict[str, dict[str, Any]] = self._templates[part].get("Resources", {})
        return {key: value for key, value in found.items() if value["Type"] == kind}

    def one(self, part: str, kind: str) -> dict[str, Any]:
        """The properties of the only resource of a type in a stack."""
        (resource,) = self.resources(part, kind).values()
        properties: dict[str, Any] = resource["Properties"]
        return properties

    def launch_template(self, pool: str) -> dict[str, Any]:
        """The launch template data of a pool."""
        data: dict[str, Any] = self.one(f"pool-{pool}", "AWS::EC2::LaunchTemplate")["LaunchTemplateData"]
        return data


def synthesize_cluster(cluster: ClusterConfig, folder: Path, **options: Any) -> Templates:
    """Synthesize a cluster into a folder."""
    build_app(cluster, outdir=str(folder), **options).synth()
    return Templates(folder, cluster.name)


def make_cluster(**sections: Any) -> ClusterConfig:
    """The base cluster with some sections replaced; pools are added to the base's."""
    data = yaml.safe_load(BASE)
    data["pools"] |= sections.pop("pools", {})
    data |= sections
    reading = parse_cluster(yaml.safe_dump(data, sort_keys=False))
    assert reading.cluster is not None, reading.findings
    return reading.cluster

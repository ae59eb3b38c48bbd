"""The engine: findings in the order of the file, and nothing that passes the checks fails later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from clusterwright.checkpointing import plan_checkpoints
from clusterwright.checks import check_cluster, check_file
from clusterwright.config.cluster import ClusterConfig
from clusterwright.config.loading import load_cluster
from clusterwright.hardware import instance_types, zones_of
from clusterwright.resolution import resolve
from clusterwright.summary import summarize

if TYPE_CHECKING:
    from pathlib import Path

REGION = "us-east-1"
ZONES = [zone.id for zone in zones_of(REGION)]


def test_examples_have_no_finding(example: Path) -> None:
    reading = check_file(example)
    assert reading.findings == ()
    assert reading.cluster is not None


def test_findings_come_in_the_order_of_the_file(tmp_path: Path, root: Path) -> None:
    text = (root / "docs/examples/eks-h200.yaml").read_text()
    path = tmp_path / "cluster.yaml"
    path.write_text(text.replace("capacity: h200", "capacity: h2oo").replace("us-east-2", "us-east-3"))
    reading = check_file(path)
    places = [(finding.line, finding.column) for finding in reading.findings]
    assert len(places) > 1
    assert places == sorted(places)
    assert reading.cluster is None
    assert {finding.file for finding in reading.findings} == {str(path)}


def test_warnings_leave_the_cluster_usable(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "cluster.yaml"
    text = (root / "docs/examples/eks-starter.yaml").read_text()
    path.write_text(
        text.replace("- arn:aws:iam::111122223333:role/Admin", "").replace("admins:", "admins: []")
    )
    reading = check_file(path)
    assert [(finding.code, finding.severity) for finding in reading.findings] == [("EKS006", "warning")]
    assert reading.cluster is not None


def test_cluster_built_in_code_has_findings_without_places(root: Path) -> None:
    cluster = load_cluster(root / "docs/examples/eks-h200.yaml").model_copy(update={"region": "us-east-9"})
    (finding, *_) = check_cluster(cluster)
    assert (finding.code, finding.path, finding.line, finding.column) == ("ZON001", "region", 0, 0)


@st.composite
def clusters(draw: st.DrawFn) -> ClusterConfig:
    """Clusters whose sections are right one by one, drawn so that they often fit together too."""
    zone = draw(st.sampled_from([None, *ZONES]))
    held = {
        "kind": "reservation",
        "id": "cr-0123456789abcdef0",
        "instance_type": draw(st.sampled_from(instance_types())),
        "count": draw(st.integers(1, 40)),
        "zone": draw(st.sampled_from([*ZONES, "use2-az3"])),
    }
    pool = st.fixed_dictionaries(
        {"instance_type": st.sampled_from(instance_types()), "count": st.integers(0, 300)},
        optional={"capacity": st.sampled_from(["held", "spot", "none"])},
    )
    network = st.sampled_from(
        [
            {},
            {"cidr": "10.0.0.0/22", "pod_cidr": "100.64.0.0/24"},
            {"existing": {"vpc": "vpc-12345678", "subnets": dict.fromkeys(ZONES[1:3], "subnet-12345678")}},
        ]
    )
    lustre = st.fixed_dictionaries(
        {"capacity_gib": st.sampled_from([1200, 4800, 38_400])},
        optional={"efa": st.booleans(), "pools": st.lists(st.sampled_from("abcde"), max_size=2)},
    )
    storage = st.fixed_dictionaries(
        {},
        optional={
            "lustre": st.dictionaries(st.sampled_from(["fast", "deep"]), lustre),
            "home": st.just({"kind": "openzfs", "capacity_gib": 64, "throughput_mbps": 160}),
            "local_nvme": st.just({}),
        },
    )
    data = {
        "version": 1,
        "name": "atlas",
        "region": REGION,
        "zone": zone,
        "storage": draw(storage),
        "orchestrator": {"kind": "eks"},
        "network": draw(network),
        "capacity": {"held": held, "spot": {"kind": "spot"}},
        "pools": draw(st.dictionaries(st.sampled_from("abcd"), pool, min_size=1)),
    }
    return ClusterConfig.model_validate(data)


@given(clusters())
@settings(max_examples=200, deadline=None)
def test_what_passes_the_checks_resolves(cluster: ClusterConfig) -> None:
    if any(finding.is_error for finding in check_cluster(cluster)):
        return
    resolved = resolve(cluster)
    assert len(resolved.pools) == len(cluster.pools)
    for users in resolved.storage_pools.values():
        assert set(users) <= cluster.pools.keys()
    summary = summarize(resolved)
    assert summary.storage.metadata_iops == sum(each.metadata_iops for each in summary.storage.lustre)
    assert all(row.write_seconds > 0 for row in plan_checkpoints(resolved, parameters=70e9).rows)

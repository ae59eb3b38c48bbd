"""The kinds of orchestrators: their own fields, and models that are loaded once a file names them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clusterwright.checks import check_cluster
from clusterwright.config.cluster import ClusterConfig
from clusterwright.config.loading import parse_cluster
from clusterwright.config.orchestrator import KINDS, AnyOrchestrator, EksConfig
from clusterwright.config.slurm_orchestrators import PCS_VERSIONS, HyperPodSlurmConfig, PcsConfig
from clusterwright.config.structure import literals
from clusterwright.errors import ClusterwrightError
from clusterwright.resolution import require_eks, resolve
from clusterwright.summary import summarize

TEXT = """\
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {}
pools:
  head: {{instance_type: m7i.4xlarge, count: 1}}
  work: {{instance_type: m7i.8xlarge, count: 4}}
"""

SECTIONS = {
    "eks": "{kind: eks}",
    "hyperpod-eks": "{kind: hyperpod-eks, node_recovery: none, deep_health_checks: [instance-stress]}",
    "hyperpod-slurm": "{kind: hyperpod-slurm, controller: head, users: {alice: {uid: 10001}}}",
    "pcs": '{kind: pcs, version: "25.05", login: head, accounting: {kind: managed}}',
}


def read(section: str) -> ClusterConfig:
    reading = parse_cluster(TEXT.format(section))
    assert reading.cluster is not None, reading.findings
    return reading.cluster


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_read_checked_and_shown(kind: str) -> None:
    cluster = read(SECTIONS[kind])
    assert cluster.orchestrator.kind == kind
    assert [each for each in check_cluster(cluster) if each.is_error] == []
    summary = summarize(resolve(cluster))
    assert summary.orchestrator.startswith(kind)
    has_pods = [pool.max_pods_per_node > 0 for pool in summary.pools]
    assert all(has_pods) if kind.endswith("eks") else not any(has_pods)


def test_kinds_are_those_of_the_sections() -> None:
    sections = AnyOrchestrator.alternatives()
    assert tuple(literals(section.model_fields["kind"].annotation)[0] for section in sections) == KINDS


def test_a_section_made_in_code_is_taken_as_it_is() -> None:
    data = read(SECTIONS["pcs"]).model_dump()
    for section in (PcsConfig(kind="pcs"), EksConfig(kind="eks")):
        assert ClusterConfig.model_validate(data | {"orchestrator": section}).orchestrator is section


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_out_is_read_again(kind: str) -> None:
    cluster = read(SECTIONS[kind])
    assert ClusterConfig.model_validate(cluster.model_dump()) == cluster


def test_versions_of_pcs_are_those_that_it_takes() -> None:
    assert literals(PcsConfig.model_fields["version"].annotation) == PCS_VERSIONS
    assert PcsConfig(kind="pcs").version == PCS_VERSIONS[-1]


def test_a_controller_is_a_role_where_it_is_ours() -> None:
    hyperpod = HyperPodSlurmConfig(kind="hyperpod-slurm", controller="head", login="work")
    assert hyperpod.roles == {"controller": "head", "login": "work"}
    assert PcsConfig(kind="pcs").roles == {}


@pytest.mark.parametrize("kind", KINDS[1:])
def test_stacks_are_made_of_eks_alone(kind: str) -> None:
    with pytest.raises(
        ClusterwrightError, match=f"^not yet: clusterwright synthesizes eks; {kind} can be checked"
    ):
        require_eks(read(SECTIONS[kind]))


def test_slurm_needs_no_second_zone_and_no_control_plane() -> None:
    names = {subnet.name for subnet in resolve(read(SECTIONS["pcs"])).subnets}
    assert names == {"Nodes", "Public"}


def test_a_file_with_eks_loads_no_other_model() -> None:
    probe = (
        "import sys\nfrom clusterwright.checks import check_file\n"
        "check_file('docs/examples/eks-starter.yaml')\n"
        "loaded = {'clusterwright.config.hyperpod', 'clusterwright.checks.slurm_rules'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", probe], check=True)

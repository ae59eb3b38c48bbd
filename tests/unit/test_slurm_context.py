"""From a cluster to Slurm's partitions, topology and the settings of PCS."""

from __future__ import annotations

import json

import pytest

from clusterwright.config.loading import parse_cluster
from clusterwright.errors import ClusterwrightError
from clusterwright.hardware import find_instance_type
from clusterwright.resolution import ResolvedCluster, resolve
from clusterwright.slurm_context import make_slurm_context, threads_per_core
from clusterwright_lifecycle.slurm_rendering import render_slurm

TEXT = """\
version: 1
name: atlas
region: {region}
zone: {zone}
orchestrator: {orchestrator}
pools:
  head: {{instance_type: m7i.4xlarge, count: 1}}
  {pool}
"""
HYPERPOD = "{kind: hyperpod-slurm, controller: head}"


def resolve_text(
    pool: str, *, orchestrator: str = HYPERPOD, region: str = "us-east-2", zone: str = "use2-az3"
) -> ResolvedCluster:
    text = TEXT.format(pool=pool, orchestrator=orchestrator, region=region, zone=zone)
    reading = parse_cluster(text)
    assert reading.cluster is not None, reading.findings
    return resolve(reading.cluster)


def test_a_partition_is_a_pool_without_a_role() -> None:
    slurm = make_slurm_context(resolve_text("train: {instance_type: p5.48xlarge, count: 8}"))
    (train,) = slurm.partitions
    assert (train.name, train.sockets, train.cores_per_socket, train.threads_per_core) == ("train", 2, 48, 2)
    assert train.gres is not None
    assert (train.gres.type, train.gres.count, train.is_default) == ("h100", 8, True)
    assert train.memory_mib < find_instance_type("p5.48xlarge").memory_mib
    assert train.defaults == "DefMemPerCPU=10376 DefCpuPerGPU=24 DefMemPerGPU=249036"


@pytest.mark.parametrize(
    ("pool", "topology"),
    [
        ("work: {instance_type: m7i.8xlarge, count: 4}", "flat"),
        ("train: {instance_type: p5.48xlarge, count: 8}", "tree"),
        ("train: {instance_type: trn2.48xlarge, count: 4}", "tree"),
    ],
)
def test_topology_follows_the_network(pool: str, topology: str) -> None:
    assert make_slurm_context(resolve_text(pool)).topology == topology


def test_ultraservers_are_blocks() -> None:
    pool = "train: {instance_type: p6e-gb200.36xlarge, count: 36, ultraserver: u-p6e-gb200x72}"
    slurm = make_slurm_context(resolve_text(pool, region="us-east-1", zone="use1-dfw2-az1"))
    assert (slurm.topology, slurm.block_size, slurm.partitions[0].threads_per_core) == ("block", 18, 1)


def test_neuron_devices_are_their_own_gres() -> None:
    slurm = make_slurm_context(resolve_text("train: {instance_type: trn2.48xlarge, count: 4}"))
    conf = render_slurm(slurm)["slurm/slurm.conf"]
    assert "GresTypes=neuron\n" in conf
    assert "DefMemPerCPU=" in conf


@pytest.mark.parametrize(("name", "threads"), [("m7i.8xlarge", 2), ("p6e-gb200.36xlarge", 1)])
def test_threads_of_a_core(name: str, threads: int) -> None:
    assert threads_per_core(find_instance_type(name)) == threads


@pytest.mark.parametrize(
    ("orchestrator", "words"),
    [("{kind: eks}", "eks runs no Slurm"), ("{kind: pcs, login: train}", "no pool is left")],
)
def test_no_slurm_or_no_pool_for_jobs(orchestrator: str, words: str) -> None:
    cluster = resolve_text("train: {instance_type: p5.48xlarge, count: 1}", orchestrator=orchestrator)
    if "pcs" in orchestrator:
        config = cluster.config.model_copy(update={"pools": {"train": cluster.config.pools["train"]}})
        cluster = resolve(config)
    with pytest.raises(ClusterwrightError, match=words):
        make_slurm_context(cluster)


def test_pcs_gets_pairs_that_its_api_takes_and_no_slurm_conf() -> None:
    pool = "train: {instance_type: p5.48xlarge, count: 8}"
    orchestrator = "{kind: pcs, login: head, accounting: {kind: managed}}"
    files = render_slurm(make_slurm_context(resolve_text(pool, orchestrator=orchestrator)))
    assert "slurm/slurm.conf" not in files
    settings = json.loads(files["slurm/pcs_settings.json"])
    names = {pair["ParameterName"] for pair in settings["cluster"]}
    assert names == {"Prolog", "Epilog", "SelectTypeParameters"}
    # PCS takes no default of memory, and without one a job gets all of a node's where memory is shared out.
    assert {"ParameterName": "SelectTypeParameters", "ParameterValue": "CR_Core"} in settings["cluster"]
    assert settings["accounting"] == "STANDARD"
    assert list(settings["compute_node_groups"]) == ["train"]


def test_the_database_of_accounting_is_named_and_its_password_is_not() -> None:
    rds = (
        "{kind: hyperpod-slurm, controller: head, accounting: {kind: rds, endpoint: db.example.com, "
        "secret_arn: 'arn:aws:secretsmanager:us-east-2:111122223333:secret:db-AbCdEf'}}"
    )
    pool = "train: {instance_type: p5.48xlarge, count: 8}"
    files = render_slurm(make_slurm_context(resolve_text(pool, orchestrator=rds)))
    assert "StorageHost=db.example.com\n" in files["slurm/slurmdbd.conf"]
    assert "StoragePass=CLUSTERWRIGHT_PASSWORD\n" in files["slurm/slurmdbd.conf"]
    assert "AccountingStorageTRES=gres/gpu\n" in files["slurm/slurm.conf"]
    # No environments of jobs: they hold tokens.
    assert "AccountingStoreFlags=job_comment\n" in files["slurm/slurm.conf"]


@pytest.mark.parametrize(("count", "names"), [(1, "train\n"), (2, "")])
def test_a_pool_of_one_ultraserver_is_told_to_its_nodes(count: int, names: str) -> None:
    """They need no answer of AWS to know who shares their NVLink."""
    block = (
        "capacity: {block: {kind: capacity-block, id: cr-0123456789abcdef0, zone: use1-dfw2-az1, "
        f"count: {count}, "
        "ultraserver_type: u-p6e-gb200x72, starts: 2026-12-01T11:30:00Z, ends: 2026-12-15T11:30:00Z}}\n"
    )
    pool = (
        "train: {instance_type: p6e-gb200.36xlarge, count: 18, ultraserver: u-p6e-gb200x72, capacity: block}"
    )
    for orchestrator in (HYPERPOD, "{kind: pcs, login: head}"):
        cluster = resolve_text(
            pool, orchestrator=f"{orchestrator}\n{block}", region="us-east-1", zone="use1-dfw2-az1"
        )
        assert render_slurm(make_slurm_context(cluster))["slurm/one_ultraserver"] == names

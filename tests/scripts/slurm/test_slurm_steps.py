"""The steps of a controller bring up Slurm and its accounting, and do nothing the second time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from slurm_clusters import H100, list_resources, node_names, resolve_text
from slurm_machine import ETC, PLUGINS, SlurmMachine, replace_settings

from clusterwright.scripts import render_bundles

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slurm, pytest.mark.xdist_group("slurm")]

ACCOUNTED = H100.replace("controller: head,", "controller: head, accounting: {kind: local},")


@pytest.fixture(scope="module")
def head(slurm_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlurmMachine]:
    """A controller before its first boot, with the bundle of its pool."""
    has_database = (slurm_root / "usr/sbin/mariadbd").exists()
    bundle = render_bundles(resolve_text(ACCOUNTED if has_database else H100))["head"]
    machine = SlurmMachine(slurm_root, tmp_path_factory.mktemp("head"))
    try:
        machine.install({}, bundle.own["node.env"], list_resources(8))
        for name, text in bundle.files.items():
            changed = replace_settings(name.removeprefix("slurm/"), text)
            machine.write(f"/opt/clusterwright/{name}", changed, 0o755 if text.startswith("#!") else 0o644)
        yield machine
    finally:
        machine.stop()


@pytest.fixture(scope="module")
def compute(slurm_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlurmMachine]:
    """A node for jobs before its first boot, whose controller is not there yet."""
    bundle = render_bundles(resolve_text(H100))["train"]
    machine = SlurmMachine(slurm_root, tmp_path_factory.mktemp("compute"))
    try:
        machine.install({}, bundle.own["node.env"], list_resources(8))
        for name, text in bundle.files.items():
            machine.write(f"/opt/clusterwright/{name}", text, 0o755 if text.startswith("#!") else 0o644)
        yield machine
    finally:
        machine.stop()


def run_step(machine: SlurmMachine, name: str) -> list[str]:
    """Run one step of the plan, and return what it had systemd do."""
    log = machine.seen / "fake/systemctl.log"
    log.unlink(missing_ok=True)
    variables = {"CW_SLURM_PLUGINS": PLUGINS, "CW_RETRY_SECONDS": "1", "CW_RESOURCES_ATTEMPTS": "1"}
    machine.run("/opt/clusterwright/run.sh", "--only", name, variables=variables, seconds=60)
    calls = log.read_text().splitlines() if log.exists() else []
    return [call for call in calls if not call.startswith("is-")]


def test_controller_comes_up_and_stays(head: SlurmMachine) -> None:
    head.write(f"{ETC}/slurm.conf", "ClusterName=hyperpods-own\n")
    run_step(head, "slurm-accounting")
    assert "restart slurmctld" in run_step(head, "slurm-controller")
    assert head.read(f"{ETC}/slurm.conf.hyperpod") == "ClusterName=hyperpods-own\n"
    assert run_step(head, "slurm-accounting") == []
    assert run_step(head, "slurm-controller") == []


def test_jobs_are_accounted_for(head: SlurmMachine) -> None:
    if not head.exists("/usr/sbin/mariadbd"):
        pytest.skip("this root file system has no MariaDB")
    assert head.run("stat", "--format", "%a %U", f"{ETC}/slurmdbd.conf") == "600 slurm\n"
    assert "CLUSTERWRIGHT" not in head.read(f"{ETC}/slurmdbd.conf")
    shown = head.wait_for(
        "the cluster", lambda: head.run("sacctmgr", "-nP", "show", "cluster", "format=cluster")
    )
    assert shown == "atlas\n"
    head.start_nodes(node_names(8))
    job = head.submit("-N2", "--gres=gpu:8")
    columns = ("sacct", "-nPX", "-j", job, "-o", "State,AllocTRES")
    line = head.wait_for(
        "the record", lambda: next(iter(head.run(*columns).split()), "").startswith("COMPLETED")
    )
    assert line
    assert "gres/gpu=16" in head.run(*columns)


def test_a_node_does_not_wait_for_its_controller(compute: SlurmMachine) -> None:
    """HyperPod makes all nodes at once: slurmd is asked for, and tries until the controller is there."""
    assert run_step(compute, "slurm-compute")[-1] == "restart --no-block slurmd"
    unit = compute.read("/etc/systemd/system/slurmd.service.d/clusterwright.conf")
    assert "--conf-server 10.1.0.1:6817" in unit
    assert {"Restart=on-failure", "StartLimitIntervalSec=0"} <= set(unit.splitlines())
    expected = json.loads(compute.read("/opt/clusterwright/expected.json"))
    assert "slurmd" not in expected["services"]


def test_missing_list_of_instances_is_the_reason(head: SlurmMachine) -> None:
    path = "/opt/ml/config/resource_config.json"
    before = head.read(path)
    head.write(path, "")
    with pytest.raises(
        AssertionError, match=r"HyperPod has not written /opt/ml/config/resource_config\.json"
    ):
        run_step(head, "slurm-controller")
    head.write(path, before)

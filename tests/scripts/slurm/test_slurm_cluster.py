"""The rendered configuration runs a real Slurm: GPUs, topology, and nodes that break."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from slurm_clusters import PREPARE, node_names, tell_topology
from slurm_machine import ETC, OUTPUT, PLUGINS, SCRIPTS, find_roots, is_required

if TYPE_CHECKING:
    from slurm_machine import SlurmMachine

pytestmark = [pytest.mark.slurm, pytest.mark.xdist_group("slurm")]

NODE = "ip-10-1-1-2"
SHOW = "echo $SLURMD_NODENAME $CUDA_VISIBLE_DEVICES $FI_EFA_USE_HUGE_PAGE"


def run_job(machine: SlurmMachine, *options: str, script: str = "echo $SLURMD_NODENAME") -> list[str]:
    """Run a job on the spot, and return the lines that its tasks print, sorted."""
    text = machine.run("srun", "--immediate=20", *options, "sh", "-c", script, seconds=40)
    return sorted(line.strip() for line in text.splitlines() if line.strip())


@pytest.mark.skipif(not is_required(), reason="CLUSTERWRIGHT_REQUIRE_SLURM is not 1")
def test_a_slurm_that_is_required_knows_blocks_and_has_a_database() -> None:
    roots = find_roots().values()
    assert any((root / PLUGINS.lstrip("/") / "topology_block.so").exists() for root in roots)
    assert any(
        (root / "usr/sbin/mariadbd").exists() and (root / "usr/sbin/slurmdbd").exists() for root in roots
    )


def test_all_gpus_of_all_nodes_are_given_to_a_job(h100: SlurmMachine) -> None:
    lines = run_job(h100, "-N8", "--gres=gpu:8", script=SHOW)
    assert lines == [f"{node} 0,1,2,3,4,5,6,7 0" for node in node_names(8)]


def test_a_job_gets_the_share_of_its_gpus(h100: SlurmMachine) -> None:
    (line,) = run_job(h100, "-N1", "--gres=gpu:h100:2", script="scontrol -o show job $SLURM_JOB_ID")
    assert "cpu=48,mem=498072M" in line


def test_a_setting_of_the_user_is_stronger_than_the_task_prolog(h100: SlurmMachine) -> None:
    script = "echo $FI_EFA_USE_HUGE_PAGE $NCCL_SOCKET_IFNAME"
    lines = run_job(h100, "-N1", "--export=ALL,FI_EFA_USE_HUGE_PAGE=1", script=script)
    assert lines == ["1 ^docker,lo,veth"]


def test_the_tree_is_that_of_ec2(h100: SlurmMachine) -> None:
    shown = h100.run("scontrol", "show", "topology")
    for leaf, nodes in (("nn-2000", node_names(8)[:4]), ("nn-2001", node_names(8)[4:])):
        (line,) = [line for line in shown.splitlines() if f"SwitchName={leaf} " in line]
        assert set(nodes) == set(line.partition("Nodes=")[2].split()[0].split(",")), line


def test_a_job_stays_under_one_switch(h100: SlurmMachine) -> None:
    # Two nodes of the first leaf are taken, so only the second has four.
    taken = h100.submit("-N2", "-w", "ip-10-1-1-[0-1]", "--exclusive", script="sleep 60")
    h100.wait_for("a running job", lambda: h100.describe("job", taken)["JobState"] == "RUNNING")
    assert run_job(h100, "-N4", "--switches=1", "--gres=gpu:8") == node_names(8)[4:]


def test_a_broken_node_is_drained_and_its_job_runs_elsewhere(h100: SlurmMachine) -> None:
    h100.break_gpu(NODE, "lost")
    job = h100.submit("-N7", "--gres=gpu:8", "--exclude=ip-10-1-1-7")
    h100.wait_for("a job that was queued again", lambda: h100.describe("job", job)["Restarts"] == "1")
    h100.wait_for("a job that waits", lambda: h100.describe("job", job)["JobState"] == "PENDING")
    assert h100.reason(NODE) == "clusterwright: 7 of 8 GPUs answer"
    assert "DRAIN" in h100.describe("node", NODE)["State"]
    # Slurm waits two minutes before it tries again, so that no node takes the new start for the old; two
    # seconds do.
    h100.run("scontrol", "update", f"JobId={job}", "StartTime=now+2", "ExcNodeList=")
    h100.wait_for("the end of the job", lambda: h100.describe("job", job)["JobState"] == "COMPLETED")
    assert set(h100.read(OUTPUT.format(job)).split()) == set(node_names(8)) - {NODE}
    assert h100.count("drain") == 1


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("remap", "a GPU waits for a reset to remap a row of its memory, or failed to"),
        ("xid 79", "the driver told of Xid 79 since the node started"),
        ("xid 31", ""),  # the application's own mistake
        ("hangs", "nvidia-smi does not answer"),
    ],
)
def test_a_node_says_what_is_wrong(h100: SlurmMachine, how: str, reason: str) -> None:
    h100.break_gpu(NODE, how)
    variables = {"SLURMD_NODENAME": NODE, "CW_CHECK_SECONDS": "1"}
    assert (
        h100.run(f"{SCRIPTS}/check_node.sh", check=False, variables=variables, seconds=10).strip() == reason
    )


def test_a_gpu_lost_during_a_job_is_seen_after_it(h100: SlurmMachine) -> None:
    job = h100.submit("-N1", "-w", NODE, script=f"echo lost >/fake/broken/{NODE}")
    h100.wait_for("the end of the job", lambda: h100.describe("job", job)["JobState"] == "COMPLETED")
    h100.wait_for("a drained node", lambda: h100.count("drain") == 1)
    assert h100.reason(NODE) == "clusterwright: 7 of 8 GPUs answer"


def test_health_check_drains_and_respects_others(h100: SlurmMachine) -> None:
    h100.break_gpu(NODE, "lost")
    check = (f"{SCRIPTS}/health_check.sh",)
    h100.run(*check, variables={"SLURMD_NODENAME": NODE})
    assert h100.reason(NODE) == "clusterwright: 7 of 8 GPUs answer"
    h100.run("scontrol", "update", f"NodeName={NODE}", "State=DRAIN", "Reason=mine")
    h100.run(*check, variables={"SLURMD_NODENAME": NODE})
    assert h100.reason(NODE) == "mine"
    h100.run(*check, variables={"SLURMD_NODENAME": "ip-10-1-1-3"})
    assert h100.count("drain") == 1


def test_what_a_job_leaves_running_is_ended(h100: SlurmMachine) -> None:
    h100.run("sh", "-c", "setpriv --reuid=2001 --clear-groups setsid --fork sleep 3599 >/dev/null 2>&1")
    assert h100.run("pgrep", "-U", "2001") != ""
    variables = {"SLURMD_NODENAME": NODE, "SLURM_JOB_ID": "1", "SLURM_JOB_UID": "2001"}
    h100.run(f"{SCRIPTS}/epilog.sh", variables=variables)
    assert h100.run("pgrep", "-U", "2001", check=False) == ""


def test_a_job_without_gpus_leaves_a_node_to_those_with(h100: SlurmMachine) -> None:
    small = h100.submit("-n1", "-w", NODE, script="sleep 60")
    h100.wait_for("a running job", lambda: h100.describe("job", small)["JobState"] == "RUNNING")
    assert run_job(h100, "-N1", "-w", NODE, "--gres=gpu:7") == [NODE]


def test_the_epilog_leaves_the_reason_of_others(h100: SlurmMachine) -> None:
    """HyperPod replaces a node whose reason is Action:Replace."""
    drain = f"scontrol update NodeName={NODE} State=DRAIN Reason=Action:Replace"
    job = h100.submit("-N1", "-w", NODE, script=f"echo lost >/fake/broken/{NODE}; {drain}")
    h100.wait_for("the end of the job", lambda: h100.describe("job", job)["JobState"] == "COMPLETED")
    h100.wait_for(
        "the end of the epilog", lambda: "drained" in h100.run("sinfo", "-hN", "-n", NODE, "-o", "%T")
    )
    assert h100.reason(NODE) == "Action:Replace"


def test_an_xid_drains_a_node_once(h100: SlurmMachine) -> None:
    check = (f"{SCRIPTS}/health_check.sh",)
    variables = {"SLURMD_NODENAME": NODE}
    h100.break_gpu(NODE, "xid 79 3.500000")
    h100.run(*check, variables=variables)
    assert h100.reason(NODE) == "clusterwright: the driver told of Xid 79 since the node started"
    h100.run("scontrol", "update", f"NodeName={NODE}", "State=RESUME")
    h100.run(*check, variables=variables)
    assert h100.count("drain") == 0
    assert run_job(h100, "-N1", "-w", NODE) == [NODE]
    h100.break_gpu(NODE, "xid 79 4.500000")
    h100.run(*check, variables=variables)
    assert h100.count("drain") == 1


def test_pool_without_nodes_is_a_partition(h100: SlurmMachine) -> None:
    assert h100.run("sinfo", "--noheader", "--partition", "prepare", "--format", "%P %D") == "prepare 0\n"


def test_nothing_is_done_where_nothing_changed(h100: SlurmMachine) -> None:
    assert "changed" not in h100.update_nodes()


def test_unknown_switches_make_a_flat_topology_that_says_so(h100: SlurmMachine) -> None:
    h100.answer_aws("describe-instance-topology", tell_topology(7, 4, has_ultraservers=False))
    said = h100.update_nodes()
    assert "the topology is flat: AWS does not tell the switches of ip-10-1-1-7" in said
    assert "# Flat: AWS does not tell" in h100.read(f"{ETC}/topology.conf")
    assert len(run_job(h100, "-N8", "--switches=1", "--gres=gpu:8")) == 8
    h100.answer_aws("describe-instance-topology", tell_topology(8, 4, has_ultraservers=False))
    assert "topology.conf" in h100.update_nodes()


def test_a_replaced_node_takes_its_place(h100: SlurmMachine) -> None:
    path = "/opt/ml/config/resource_config.json"
    resources = json.loads(h100.read(path))
    before = h100.read(path)
    train = resources["InstanceGroups"][1]["Instances"]
    train[3] |= {"InstanceId": "i-00000000000000033", "CustomerIpAddress": "10.1.1.33"}
    h100.write(path, json.dumps(resources))
    h100.update_nodes()
    h100.start_node("ip-10-1-1-33")
    h100.wait_for(
        "the new node", lambda: "idle" in h100.run("sinfo", "-hN", "-n", "ip-10-1-1-33", "-o", "%T")
    )
    assert run_job(h100, "-N1", "-w", "ip-10-1-1-33", "--gres=gpu:8") == ["ip-10-1-1-33"]
    h100.write(path, before)
    h100.update_nodes()
    h100.wait_for("eight nodes", lambda: h100.count("idle") == 8)


def test_all_gpus_of_both_ultraservers_are_given_to_a_job(gb200: SlurmMachine) -> None:
    assert run_job(gb200, "-N36", "--gres=gpu:4", script=SHOW) == sorted(
        f"{node} 0,1,2,3 0" for node in node_names(36)
    )


def test_a_job_of_an_ultraservers_size_stays_in_one(gb200: SlurmMachine) -> None:
    ultraservers = [set(node_names(36)[:18]), set(node_names(36)[18:])]
    # One node of the first is taken, so only the second has eighteen.
    taken = gb200.submit("-N1", "-w", "ip-10-1-1-5", "--exclusive", script="sleep 60")
    gb200.wait_for("a running job", lambda: gb200.describe("job", taken)["JobState"] == "RUNNING")
    assert set(run_job(gb200, "-N18", "--gres=gpu:4", "--switches=1")) == ultraservers[1]


def imex_of(machine: SlurmMachine, node: str) -> list[str]:
    """The addresses that IMEX joins on a node; none where it does not run."""
    runs = machine.exists(f"/fake/imex-runs/{node}")
    return machine.read(f"/fake/imex/{node}/nodes_config.cfg").split() if runs else []


def find_peers(nodes: set[str]) -> dict[str, list[str]]:
    """Whom IMEX joins on each of a job's nodes: those in the same UltraServer, if there are others."""
    halves = [[each for each in node_names(36)[start : start + 18] if each in nodes] for start in (0, 18)]
    joined = {
        node: [each.removeprefix("ip-").replace("-", ".") for each in half]
        for half in halves
        for node in half
    }
    return {node: peers if len(peers) > 1 else [] for node, peers in joined.items()}


@pytest.mark.parametrize("count", [4, 19, 24])
def test_imex_joins_the_nodes_that_a_job_has_in_an_ultraserver(gb200: SlurmMachine, count: int) -> None:
    job = gb200.submit(f"-N{count}", "--gres=gpu:4", script="sleep 60")
    gb200.wait_for("a running job", lambda: gb200.describe("job", job)["JobState"] == "RUNNING")
    hosts = gb200.run("scontrol", "show", "hostnames", gb200.describe("job", job)["NodeList"]).split()
    peers = {node: [] for node in node_names(36)} | find_peers(set(hosts))
    assert len(hosts) == count
    gb200.wait_for("IMEX", lambda: {node: imex_of(gb200, node) for node in peers} == peers)
    gb200.run("scancel", job)
    gb200.wait_for("no IMEX", lambda: not any(imex_of(gb200, node) for node in peers))


def test_imex_of_a_job_stays_while_others_come_and_go(gb200: SlurmMachine) -> None:
    first = gb200.submit("-N2", "-w", "ip-10-1-1-[3-4]", "--gres=gpu:2", script="sleep 60")
    gb200.wait_for("IMEX", lambda: imex_of(gb200, "ip-10-1-1-3"))
    assert run_job(gb200, "-N1", "-w", "ip-10-1-1-3", "--gres=gpu:1") == ["ip-10-1-1-3"]
    assert run_job(gb200, "-N2", "-w", "ip-10-1-1-[3-4]", "--gres=gpu:1") == node_names(36)[3:5]
    gb200.wait_for("one job", lambda: gb200.run("squeue", "--noheader", "--format", "%A").split() == [first])
    assert imex_of(gb200, "ip-10-1-1-3") == ["10.1.1.3", "10.1.1.4"]


def test_a_job_on_one_node_needs_no_imex(gb200: SlurmMachine) -> None:
    assert run_job(gb200, "-N1", "--gres=gpu:4", script="ls /etc/nvidia-imex | wc -l") == ["0"]


def test_a_node_whose_imex_does_not_start_is_drained(gb200: SlurmMachine) -> None:
    gb200.write("/fake/broken/imex", "")
    gb200.submit("-N2", "-w", "ip-10-1-1-[3-4]", "--gres=gpu:4")
    gb200.wait_for("drained nodes", lambda: gb200.count("drain") == 2)
    assert gb200.reason("ip-10-1-1-3") == "clusterwright: nvidia-imex does not start"


def test_a_node_without_the_channel_runs_no_job(gb200: SlurmMachine) -> None:
    channel = "/dev/nvidia-caps-imex-channels/channel0"
    gb200.run("mv", channel, "/dev/away")
    reason = gb200.run(f"{SCRIPTS}/check_node.sh", check=False, variables={"SLURMD_NODENAME": "ip-10-1-1-3"})
    gb200.run("mv", "/dev/away", channel)
    assert reason.strip() == f"{channel} is not there, without which CUDA shares no memory"


def test_ultraservers_are_blocks_where_slurm_knows_blocks(gb200: SlurmMachine) -> None:
    shown = gb200.run("scontrol", "show", "topology")
    if gb200.has_blocks:
        assert "BlockName=block0" in shown
        assert "BlockSize=18" in shown
        assert gb200.read(f"{ETC}/topology_plugin.conf").endswith("TopologyPlugin=topology/block\n")
    else:
        assert shown.count("Level=0") == 3  # one is for the nodes beside them
        assert "# this Slurm has no topology/block" in gb200.read(f"{ETC}/topology.conf")


def test_nodes_beside_ultraservers_run_jobs_too(gb200: SlurmMachine) -> None:
    assert run_job(gb200, "-N2", "--partition=prepare") == sorted(PREPARE)

"""The files that the controller writes, from what AWS tells it: more, less, and nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from slurm_clusters import GB200, H100, PREPARE, list_resources, resolve_text, tell_topology

from clusterwright.slurm_context import make_slurm_context
from clusterwright_lifecycle.slurm_rendering import render_slurm

if TYPE_CHECKING:
    from pathlib import Path


class Controller:
    """A folder that stands for /opt/slurm/etc, beside the bundle's scripts."""

    def __init__(self, folder: Path, text: str) -> None:
        self.etc, self.scripts, self.plugins = folder / "etc", folder / "slurm", folder / "plugins"
        for each in (self.etc, self.scripts, self.plugins):
            each.mkdir()
        for name, content in render_slurm(make_slurm_context(resolve_text(text))).items():
            (folder / name).write_text(content)

    def run(self, script: str, **files: Any) -> subprocess.CompletedProcess[str]:
        """Run a script with JSON files as its options."""
        command = [sys.executable, str(self.scripts / script), "--pools", str(self.scripts / "pools.json")]
        for name, content in files.items():
            path = self.etc.parent / f"{name}.json"
            path.write_text(content if isinstance(content, str) else json.dumps(content))
            command += [f"--{name}", str(path)]
        command += ["--plugins", str(self.plugins), "--output", str(self.etc)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def topology(self, **files: Any) -> str:
        """Write the topology, and return it."""
        result = self.run("write_topology.py", **files)
        assert result.returncode == 0, result.stderr
        return (self.etc / "topology.conf").read_text()


@pytest.fixture
def trees(tmp_path: Path) -> Controller:
    controller = Controller(tmp_path, H100)
    controller.run("write_nodes.py", resources=list_resources(8, PREPARE))
    return controller


@pytest.fixture
def blocks(tmp_path: Path) -> Controller:
    controller = Controller(tmp_path, GB200)
    controller.run("write_nodes.py", resources=list_resources(36, PREPARE))
    (controller.plugins / "topology_block.so").touch()
    return controller


def test_nodes_that_aws_tells_nothing_of_stand_beside_the_tree(trees: Controller) -> None:
    text = trees.topology(instances=tell_topology(8, 4, has_ultraservers=False))
    assert "SwitchName=others Nodes=ip-10-1-1-40,ip-10-1-1-41" in text
    assert "SwitchName=root Switches=nn-0000,others" in text


@pytest.mark.parametrize("answer", ["", "{}", "[]", '{"Instances": []}', "<html>"])
def test_no_answer_makes_it_flat_and_never_empty(trees: Controller, answer: str) -> None:
    text = trees.topology(instances=answer)
    assert "# Flat: AWS does not tell the switches of ip-10-1-1-0 (10 nodes in all)." in text
    assert text.count("SwitchName=flat Nodes=ip-10-1-1-0,") == 1


def test_a_second_run_writes_nothing(trees: Controller) -> None:
    assert trees.run("write_topology.py").stdout.split() == ["topology.conf", "topology_plugin.conf"]
    assert trees.run("write_topology.py").stdout == ""
    assert trees.run("write_nodes.py", resources=list_resources(8, PREPARE)).stdout == ""


def test_hyperpod_names_ultraservers_where_ec2_does_not(blocks: Controller) -> None:
    summaries = [
        {"InstanceId": f"i-{at:017x}", "UltraServerInfo": {"Id": f"us-{at // 18}", "Type": "u-p6e-gb200x72"}}
        for at in range(36)
    ]
    blocks.run(
        "write_nodes.py",
        resources=list_resources(36, PREPARE),
        instances=tell_topology(36, 18, has_ultraservers=True),
        ultraservers={"ClusterNodeSummaries": summaries},
    )
    text = blocks.topology()
    assert "# us-1\nBlockName=block1 Nodes=ip-10-1-1-18," in text
    assert text.endswith("BlockSizes=18\n")
    assert PREPARE[0] not in text


def test_an_unknown_ultraserver_is_no_block(blocks: Controller) -> None:
    told = tell_topology(35, 18, has_ultraservers=True)
    blocks.run("write_nodes.py", resources=list_resources(36, PREPARE), instances=told)
    text = blocks.topology()
    assert "# Flat: AWS does not tell the UltraServer of ip-10-1-1-35 (1 nodes in all)." in text
    assert (blocks.etc / "topology_plugin.conf").read_text().endswith("TopologyPlugin=topology/tree\n")


def test_hyperpods_labels_come_before_ec2(trees: Controller) -> None:
    """EC2 does not know HyperPod's instances, or knows them as they were."""
    resources = label(list_resources(8, PREPARE), leaf=2)
    text = trees.topology(resources=resources, instances=tell_topology(8, 4, has_ultraservers=False))
    assert text.count("SwitchName=nn-3-") == 4
    assert "SwitchName=nn-3-1 Nodes=ip-10-1-1-2,ip-10-1-1-3" in text
    assert "SwitchName=nn-2-0 Switches=nn-3-0,nn-3-1" in text


def label(resources: dict[str, Any], leaf: int) -> dict[str, Any]:
    """HyperPod's list with labels of the network on the instances of the pool `train`."""
    for at, instance in enumerate(resources["InstanceGroups"][1]["Instances"]):
        layers = ("nn-1-0", f"nn-2-{at // leaf // 2}", f"nn-3-{at // leaf}")
        instance["InstanceLabel"] = {
            f"network-node-layer-{number}": switch for number, switch in enumerate(layers, 1)
        }
    return resources


LIMITED_AWS = """\
#!/bin/bash
# DescribeInstanceTopology as EC2 limits it, of instances that it knows: 4 under a switch.
echo "$*" >>"$CW_ROOT/calls"
[[ $* == *describe-instance-topology* ]] || exit 254
while [[ $1 != --instance-ids ]]; do shift; done
shift
(($# <= 100)) || { echo "InvalidParameterValue: too many instance ids" >&2; exit 254; }
[[ " $* " != *" i-head "* ]] || { echo "InvalidInstanceID.NotFound: i-head" >&2; exit 254; }
sep=
printf '{"Instances": ['
for id in "$@"; do
  number=$((16#${id#i-}))
  printf '%s{"InstanceId": "%s", "NetworkNodes": ["nn-1", "nn-2", "nn-3-%d"]}' "$sep" "$id" "$((number / 4))"
  sep=,
done
printf ']}'
"""


def update_nodes(controller: Controller, resources: dict[str, Any], aws: str = LIMITED_AWS) -> str:
    """Run update_nodes.sh in a folder, and return what it says."""
    root = controller.etc.parent / "root"
    program = root / "opt/slurm/bin/aws"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(aws)
    program.chmod(0o755)
    (root / "resources.json").write_text(json.dumps(resources))
    variables = {
        "CW_ROOT": str(root),
        "CW_SLURM_ETC": "/etc/slurm",
        "CW_RESOURCES": "/resources.json",
        "CW_SLURM_PLUGINS": str(controller.plugins),
    }
    command = ["bash", str(controller.scripts / "update_nodes.sh"), "--no-reconfigure"]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stderr


def test_more_instances_than_ec2_takes_at_once(trees: Controller) -> None:
    root = trees.etc.parent / "root"
    update_nodes(trees, list_resources(129))
    calls = (root / "calls").read_text().splitlines()
    assert [call.count(" i-") for call in calls if "describe-instance-topology" in call] == [100, 29]
    text = (root / "etc/slurm/topology.conf").read_text()
    assert text.count("SwitchName=nn-3-") == 33
    assert "SwitchName=nn-3-32 Nodes=ip-10-1-1-128\n" in text


def test_ec2_is_not_asked_about_what_hyperpod_tells(trees: Controller) -> None:
    root = trees.etc.parent / "root"
    update_nodes(trees, label(list_resources(129), leaf=16))
    assert "describe-instance-topology" not in (root / "calls").read_text()
    assert (root / "etc/slurm/topology.conf").read_text().count("SwitchName=nn-3-") == 9


def test_what_ec2_told_stays_where_a_batch_fails(trees: Controller) -> None:
    topology = trees.etc.parent / "root/etc/slurm/topology.conf"
    update_nodes(trees, list_resources(129))
    before = topology.read_text()
    said = update_nodes(trees, list_resources(129), LIMITED_AWS.replace("(($# <= 100))", "(($# == 100))"))
    assert "too many instance ids" in said
    assert topology.read_text() == before


G7E = H100.replace(
    "{instance_type: p5.48xlarge, count: 8, capacity: block}", "{instance_type: g7e.12xlarge, count: 8}"
).replace("region: us-east-2", "region: us-east-2\nzone: use2-az3")


def test_gpus_whose_names_nvml_has_otherwise_get_no_type(tmp_path: Path) -> None:
    """NVML says NVIDIA RTX PRO 6000 Blackwell Server Edition, of which EC2's name is no part."""
    controller = Controller(tmp_path, G7E)
    controller.run("write_nodes.py", resources=list_resources(2))
    assert " Gres=gpu:2 " in (controller.etc / "nodes.conf").read_text()
    assert "Name=gpu File=/dev/nvidia[0-1]" in (controller.etc / "gres.conf").read_text()
    (controller.plugins / "gpu_nvml.so").touch()
    controller.run("write_nodes.py", resources=list_resources(2))
    assert (controller.etc / "gres.conf").read_text().endswith("ip-10-1-1-1 AutoDetect=nvml\n")


def test_nvml_finds_gpus_where_slurm_knows_it(trees: Controller) -> None:
    (trees.plugins / "gpu_nvml.so").touch()
    assert trees.run("write_nodes.py", resources=list_resources(8)).stdout.split() == [
        "nodes.conf",
        "gres.conf",
    ]
    assert (trees.etc / "gres.conf").read_text().endswith("ip-10-1-1-7 AutoDetect=nvml\n")


@pytest.mark.parametrize(
    ("resources", "words"),
    [
        ("", "HyperPod's list of instances cannot be read"),
        ({"InstanceGroups": []}, "has 0 instances, and must"),
    ],
)
def test_a_list_without_a_controller_is_refused(trees: Controller, resources: object, words: str) -> None:
    result = trees.run("write_nodes.py", resources=resources)
    assert result.returncode == 1
    assert words in result.stderr
    assert "Traceback" not in result.stderr

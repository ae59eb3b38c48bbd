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
    text = blocks.topology(ultraservers={"ClusterNodeSummaries": summaries})
    assert "# us-1\nBlockName=block1 Nodes=ip-10-1-1-18," in text
    assert text.endswith("BlockSizes=18\n")
    assert PREPARE[0] not in text


def test_an_unknown_ultraserver_is_no_block(blocks: Controller) -> None:
    text = blocks.topology(instances=tell_topology(35, 18, has_ultraservers=True))
    assert "# Flat: AWS does not tell the UltraServer of ip-10-1-1-35 (1 nodes in all)." in text
    assert (blocks.etc / "topology_plugin.conf").read_text().endswith("TopologyPlugin=topology/tree\n")


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

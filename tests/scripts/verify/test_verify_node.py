"""The verify step as nodes run it: the assembled file, fake tools, a scratch root."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import FakeNode, slurm_node
from tool_outputs import A100, H100, L40S, nvidia_smi, nvlink_status, rows

from clusterwright.config.loading import load_cluster
from clusterwright.examples import example_path
from clusterwright.node_context import make_node_contexts
from clusterwright.resolution import resolve
from clusterwright_lifecycle.verify.assembly import assemble

if TYPE_CHECKING:
    from collections.abc import Callable


def wrong(report: dict[str, Any]) -> dict[str, str]:
    """What is wrong: state by check."""
    return {each["name"]: each["state"] for each in report["checks"] if each["name"] in report["wrong"]}


def found(report: dict[str, Any], name: str) -> str:
    return next(str(each["found"]) for each in report["checks"] if each["name"] == name)


def test_a_healthy_node_is_as_expected(h200: FakeNode) -> None:
    report = h200.report()
    assert wrong(report) == {}
    assert report["state"] == "ok"
    assert (report["pool"], report["instance_type"]) == ("train", "p5en.48xlarge")
    names = [each["name"] for each in report["checks"]]
    assert len(names) == len(set(names))
    assert {"nccl", "gpu-count", "nvlink", "efa-devices", "mount /fsx", "time-sync"} <= set(names)


def test_a_healthy_ultraserver_node_is_as_expected(gb200: FakeNode) -> None:
    report = gb200.report()
    assert wrong(report) == {}
    assert found(report, "nvlink") == "18 links up on each of 4 GPUs"
    assert found(report, "imex") == "580.159.03"


@pytest.mark.parametrize("gpus", [H100, A100], ids=lambda gpus: gpus.name)
def test_other_gpus_print_other_names(make_node: Callable[..., FakeNode], gpus: Any) -> None:
    product = gpus.name.split()[1].split("-")[0]
    node = slurm_node(gpu_product=product, accelerator_memory_mib=81920 if gpus is H100 else 40960)
    assert wrong(make_node(node, gpus).report()) == {}


def test_gpus_without_nvlink_are_not_asked_for_it(make_node: Callable[..., FakeNode]) -> None:
    node = make_node(slurm_node("eks-existing-vpc", "serve"), L40S)
    report = node.report()
    assert wrong(report) == {}
    assert not any("nvlink" in each["name"] for each in report["checks"])


def test_it_runs_on_python_3_9(h200: FakeNode) -> None:
    ast.parse(assemble(), feature_version=(3, 9))
    python = shutil.which("python3.9")
    if python is None or subprocess.run([python, "-V"], check=False, capture_output=True).returncode:
        pytest.skip("there is no Python 3.9 on this machine; the syntax was checked")
    assert h200.run(python=python).returncode == 0


def test_the_file_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse(assemble())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= set(sys.stdlib_module_names)
    defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert len(defined) == len(set(defined)), "two modules define the same name"


def test_assembly_is_the_same_every_time() -> None:
    assert assemble() == assemble.__wrapped__()
    assert assemble().startswith("#!/usr/bin/env python3\n")


VERSION_FAULTS = {
    "kernel": lambda node: node.write("/proc/sys/kernel/osrelease", "6.14.0-1011-aws"),
    "nvidia-driver": lambda node: node.write("/proc/driver/nvidia/version", "Kernel Module  570.172.08  Thu"),
    "fabric-manager": lambda node: node.tool("nv-fabricmanager", "Fabric Manager version is : 570.172.08"),
    "cuda": lambda node: node.write("/usr/local/cuda/version.json", '{"cuda": {"version": "12.9.1"}}'),
    "efa-installer": lambda node: node.write(
        "/opt/amazon/efa_installed_packages", "# EFA installer version: 1.47.0\nrdma-core-64.0-1"
    ),
    "efa-driver": lambda node: node.write("/sys/module/efa/version", "2.17.2g"),
    "libfabric": lambda node: node.tool("fi_info", "fi_info: 1.22.0\nlibfabric: 1.22.0amzn5.0\n"),
    "aws-ofi-nccl": lambda node: node.write(
        "/opt/amazon/ofi-nccl/lib/libnccl-net-ofi.so", "aws-ofi-nccl 1.18.0"
    ),
    "nccl": lambda node: node.set_nccl("2.28.3"),
    "gdrcopy": lambda node: node.write("/sys/module/gdrdrv/version", "2.4"),
    "dcgm": lambda node: node.tool("dcgmi", "dcgmi  version: 3.3.5"),
    "container-toolkit": lambda node: node.tool("nvidia-ctk", "NVIDIA Container Toolkit CLI version 1.17.1"),
    "enroot": lambda node: node.tool("enroot", "3.4.1"),
    "pyxis": lambda node: node.tool("dpkg-query", {"pyxis": "0.15.0-1"}),
    "slurm": lambda node: node.tool("slurmd", "slurm 23.11.10"),
    "lustre-client": lambda node: node.write("/sys/module/lustre/version", "2.12.9"),
    "node-exporter": lambda node: node.tool("node_exporter", "node_exporter, version 0.18.0 (branch: HEAD)"),
}
"""For each component: how to give the node another version of it."""


@pytest.mark.parametrize("component", VERSION_FAULTS)
def test_another_version_is_named(h200: FakeNode, component: str) -> None:
    VERSION_FAULTS[component](h200)  # type: ignore[no-untyped-call]  lambdas cannot be annotated
    report = h200.report()
    assert wrong(report)[component] == "differs"
    check = next(each for each in report["checks"] if each["name"] == component)
    origin = "the image hyperpod-image 2026-07-09" if component == "kernel" else "the set 2026.11"
    assert check["hint"] == f"{check['expected']} is expected, from {origin}"


def test_each_version_that_is_expected_has_its_fault(h200: FakeNode) -> None:
    assert set(h200.expected["versions"]) - {"rdma-core"} <= set(VERSION_FAULTS)


DAMAGE = {
    "gpu-count": lambda node: node.tool(
        "nvidia-smi",
        nvidia_smi(node.gpus) | {"--query-gpu=name,memory.total": rows(7, "NVIDIA H200, 143771")},
    ),
    "gpu-product": lambda node: node.tool(
        "nvidia-smi",
        nvidia_smi(node.gpus) | {"--query-gpu=name,memory.total": rows(8, "NVIDIA H100, 143771")},
    ),
    "gpu-memory": lambda node: node.tool(
        "nvidia-smi", nvidia_smi(node.gpus) | {"--query-gpu=name,memory.total": rows(8, "NVIDIA H200, 71885")}
    ),
    "gpu-ecc": lambda node: node.tool(
        "nvidia-smi", nvidia_smi(node.gpus) | {"--query-gpu=index,ecc": rows(7, "#, 0") + "7, 2\n"}
    ),
    "gpu-rows": lambda node: node.tool(
        "nvidia-smi", nvidia_smi(node.gpus) | {"--query-remapped-rows": rows(8, "00000000:5#:00.0, 1, 0")}
    ),
    "nvlink": lambda node: node.tool(
        "nvidia-smi", nvidia_smi(node.gpus) | {"nvlink --status": nvlink_status(node.gpus, (3, 11))}
    ),
    "nvlink-fabric": lambda node: node.tool(
        "nvidia-smi", nvidia_smi(node.gpus) | {"--query-gpu=fabric.state": rows(8, "In Progress, N/A")}
    ),
    "efa-devices": lambda node: shutil.rmtree(node.root / "sys/class/infiniband/rdmap3s0"),
    "efa-ports": lambda node: node.write("/sys/class/infiniband/rdmap3s0/ports/1/state", "1: DOWN"),
    "lustre-network": lambda node: node.tool("lnetctl", "net:\n    - net type: tcp\n"),
    "service nvidia-fabricmanager": lambda node: node.tool("systemctl", "failed", code=3),
    "time-sync": lambda node: node.tool("timedatectl", "no"),
    "mount /home": lambda node: node.write(
        "/proc/mounts",
        "/dev/md0 /scratch/0 xfs rw\nx@tcp:/abcdefgh /fsx lustre rw\nother:/other /home nfs4 rw\n",
    ),
}
"""For each check: how to damage the node so that it fails."""


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_found(h200: FakeNode, name: str) -> None:
    DAMAGE[name](h200)  # type: ignore[no-untyped-call]  lambdas cannot be annotated
    report = h200.report("--seconds", "2")
    assert wrong(report)[name] == "differs"
    check = next(each for each in report["checks"] if each["name"] == name)
    assert check["hint"]


def test_a_link_that_is_down_is_named(h200: FakeNode) -> None:
    DAMAGE["nvlink"](h200)  # type: ignore[no-untyped-call]  lambdas cannot be annotated
    assert found(h200.report(), "nvlink") == "GPU 3: 17"


def test_nothing_mounted_is_missing(h200: FakeNode) -> None:
    h200.write("/proc/mounts", "/dev/root / ext4 rw 0 0\n")
    states = wrong(h200.report())
    assert (states["local-nvme"], states["mount /fsx"], states["mount /home"]) == ("missing",) * 3


def test_infiniband_of_nvlink_is_no_efa(h200: FakeNode) -> None:
    h200.add_infiniband("ibp25s0", "0x15b3")
    assert found(h200.report(), "efa-devices") == "16"


def test_what_is_not_installed_is_missing(h200: FakeNode) -> None:
    shutil.rmtree(h200.bin)
    h200.bin.mkdir()
    shutil.rmtree(h200.root / "sys")
    shutil.rmtree(h200.root / "opt")
    (h200.library / "libnccl.so.2").unlink()
    report = h200.report()
    states = wrong(report)
    for name in ("libfabric", "efa-driver", "aws-ofi-nccl", "nccl", "gpus", "nvlink", "time-sync", "pyxis"):
        assert states[name] == "missing", name
    assert found(report, "efa-devices") == "0"


def test_a_tool_that_hangs_is_named_and_left_behind(h200: FakeNode) -> None:
    h200.script("nvidia-smi", "exec /bin/sleep 30\n")
    report = h200.report("--seconds", "0.3")
    assert wrong(report)["gpus"] == "differs"
    assert found(report, "gpus") == "nvidia-smi did not answer within 0.3 s"


def test_a_tool_that_cannot_be_run_is_a_difference(h200: FakeNode) -> None:
    (h200.bin / "dcgmi").write_bytes(b"\0garbage")
    assert wrong(h200.report())["dcgm"] == "differs"


def test_a_tool_that_fails_is_quoted(h200: FakeNode) -> None:
    h200.script("nvidia-smi", "echo 'NVIDIA-SMI has failed because it couldn'; exit 9\n")
    report = h200.report()
    assert found(report, "gpus") == "nvidia-smi failed with 9: NVIDIA-SMI has failed because it couldn"


def test_a_library_that_crashes_does_not_take_the_check_along(h200: FakeNode) -> None:
    (h200.library / "libnccl.so.2").write_bytes(b"\x7fELF" + os.urandom(4000))
    assert wrong(h200.report())["nccl"] == "differs"


def test_a_plugin_built_from_source_need_not_tell_its_version(h200: FakeNode) -> None:
    (h200.bin / "dpkg-query").unlink()
    assert wrong(h200.report())["pyxis"] == "missing"
    h200.write("/usr/local/lib/slurm/spank_pyxis.so", "ELF")
    report = h200.report()
    assert wrong(report) == {}
    assert next(each for each in report["checks"] if each["name"] == "pyxis")["state"] == "skipped"
    h200.write("/usr/local/lib/slurm/spank_pyxis.so", "pyxis: version v0.11.0")
    assert wrong(h200.report())["pyxis"] == "differs"


def test_a_clock_that_is_set_in_time_is_right(h200: FakeNode) -> None:
    mark = h200.root / "asked"
    h200.script("timedatectl", f"[ -e {mark} ] && echo yes || echo no\n: >{mark}\n")
    assert wrong(h200.report("--seconds", "5")) == {}


def add_slurm(node: FakeNode, version: str, folder: str) -> None:
    """Put a Slurm of this version into a folder of the node."""
    place = node.root / folder / "sbin"
    place.mkdir(parents=True)
    node.tool("slurmd", f"slurm {version}")
    (node.bin / "slurmd").rename(place / "slurmd")


def break_slurm(node: FakeNode) -> None:
    """Let the daemons on PATH fail; without them, this machine's own might be found."""
    for name in ("slurmd", "slurmctld"):
        node.script(name, "exit 1")


@pytest.mark.parametrize("folder", ["opt/aws/pcs/scheduler/slurm-25.11", "opt/slurm"])
def test_slurm_is_found_where_images_have_it(h200: FakeNode, folder: str) -> None:
    add_slurm(h200, h200.expected["versions"]["slurm"], folder)
    break_slurm(h200)
    assert wrong(h200.report()) == {}


def test_clients_of_slurm_are_not_asked_where_a_daemon_is(h200: FakeNode) -> None:
    h200.script("sinfo", "echo 'sinfo: fatal: Could not establish a configuration source' >&2; exit 1")
    assert wrong(h200.report()) == {}
    break_slurm(h200)
    report = h200.report()
    assert wrong(report) == {"slurm": "differs"}
    assert "Could not establish a configuration source" in found(report, "slurm")
    h200.tool("sinfo", f"slurm {h200.expected['versions']['slurm']}")
    assert wrong(h200.report()) == {}


def test_debian_s_slurm_has_another_name(h200: FakeNode) -> None:
    h200.tool("slurmd", f"slurm-wlm {h200.expected['versions']['slurm']}")
    assert wrong(h200.report()) == {}


def test_of_several_slurms_the_expected_one_counts(h200: FakeNode) -> None:
    h200.expected["versions"]["slurm"] = "25.05"
    add_slurm(h200, "24.11.5", "opt/aws/pcs/scheduler/slurm-24.11")
    add_slurm(h200, "25.05.2", "opt/aws/pcs/scheduler/slurm-25.05")
    break_slurm(h200)
    report = h200.report()
    assert wrong(report) == {}
    assert found(report, "slurm") == "25.05.2"
    h200.expected["versions"]["slurm"] = "25.11"
    report = h200.report()
    assert wrong(report) == {"slurm": "differs"}
    assert found(report, "slurm") == "24.11.5, 25.05.2"


@pytest.mark.parametrize(
    ("expected", "kernel", "state"),
    [
        ("6.12.94-123.180", "6.12.94-123.180.amzn2023.x86_64", "ok"),
        ("6.12.94-123.180", "6.12.94-123.181.amzn2023.x86_64", "differs"),
        ("6.12.94-123.18", "6.12.94-123.180.amzn2023.x86_64", "differs"),
        ("6.1", "6.12.94-123.180.amzn2023.x86_64", "differs"),
        ("6.8", "6.8.0-1057-aws", "ok"),
        ("", "6.8.0-1057-aws", "skipped"),
    ],
)
def test_the_kernel_is_compared_by_how_it_begins(
    h200: FakeNode, expected: str, kernel: str, state: str
) -> None:
    h200.expected["versions"]["kernel"] = expected
    h200.write("/proc/sys/kernel/osrelease", f"{kernel}\n")
    check = next(each for each in h200.report()["checks"] if each["name"] == "kernel")
    assert (check["state"], check["found"]) == (state, kernel)


def test_what_hangs_or_babbles_is_not_said_to_be_another_version(h200: FakeNode) -> None:
    h200.script("dcgmi", "exec /bin/sleep 30")
    h200.tool("enroot", "what?")
    hints = {each["name"]: each["hint"] for each in h200.report("--seconds", "1")["checks"]}
    for name in ("dcgm", "enroot"):
        assert hints[name].startswith("its version cannot be read; "), name


def test_ports_are_not_praised_where_there_are_none(h200: FakeNode) -> None:
    shutil.rmtree(h200.root / "sys/class/infiniband")
    report = h200.report()
    assert wrong(report) == {"efa-devices": "differs"}
    assert "efa-ports" not in [each["name"] for each in report["checks"]]


def test_text_is_a_table_with_hints(h200: FakeNode) -> None:
    DAMAGE["time-sync"](h200)  # type: ignore[no-untyped-call]  lambdas cannot be annotated
    result = h200.run("--format", "text", "--seconds", "1")
    assert result.returncode == 1
    header, *lines = result.stdout.splitlines()
    assert header.split() == ["check", "state", "expected", "found"]
    assert any(line.startswith("time-sync") and "differs" in line for line in lines)
    assert any("169.254.169.123" in line for line in lines)


def test_inventory_compares_nothing(h200: FakeNode) -> None:
    h200.expected = {}
    result = h200.run("--inventory")
    assert result.returncode == 0
    inventory = json.loads(result.stdout)
    assert inventory["versions"]["fabric-manager"] == "580.159.03"
    assert inventory["gpus"] == ["NVIDIA H200, 143771 MiB"] * 8
    assert len(inventory["infiniband"]) == 16
    assert "imex" in inventory["missing"]
    assert inventory["untold"] == {}
    text = h200.run("--inventory", "--format", "text").stdout
    assert "gpu 7  NVIDIA H200, 143771 MiB" in text


def test_an_inventory_tells_what_is_absent_from_what_does_not_answer(h200: FakeNode) -> None:
    h200.script("nvidia-smi", "exec /bin/sleep 30")
    h200.script("dcgmi", "exec /bin/sleep 30")
    h200.tool("enroot", "what?")
    (h200.bin / "nvidia-ctk").unlink()
    inventory = json.loads(h200.run("--inventory", "--seconds", "0.5").stdout)
    assert inventory["untold"] == {
        "dcgm": "dcgmi did not answer within 0.5 s",
        "enroot": "enroot version says 'what?'",
        "gpus": "nvidia-smi did not answer within 0.5 s",
    }
    assert "container-toolkit" in inventory["missing"]
    assert not {"dcgm", "enroot"} & set(inventory["missing"])
    assert inventory["gpus"] == []
    text = h200.run("--inventory", "--format", "text", "--seconds", "0.5").stdout
    assert "gpus  not told: nvidia-smi did not answer within 0.5 s" in text
    assert "gpu 0" not in text


@pytest.mark.parametrize("arguments", [[], ["--format", "text"], ["--inventory"]])
def test_a_reader_that_goes_away_is_no_trouble(h200: FakeNode, arguments: list[str]) -> None:
    code = h200.run(*arguments).returncode
    reader, writer = os.pipe()
    os.close(reader)
    result = h200.run(*arguments, stdout=writer)
    os.close(writer)
    assert (result.returncode, result.stderr) == (code, "")


def test_a_full_disk_is_one_line(h200: FakeNode) -> None:
    with Path("/dev/full").open("w") as full:
        result = h200.run(stdout=full)
    assert result.returncode == 2
    assert result.stderr == "verify_node.py: the report cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gpus": {}}, "lacks gpus.count, gpus.product, gpus.memory_mib"),
        ({"gpus": None}, "lacks gpus beside nvlinks"),
        ({"versions": {"cuda": 13.0}}, "lacks versions.cuda as text"),
        ({"origins": {"cuda": None}}, "lacks origins.cuda as text"),
        ({"origins": []}, "lacks origins"),
    ],
)
def test_an_expectation_that_would_hide_a_check_is_refused(
    h200: FakeNode, changes: dict[str, Any], said: str
) -> None:
    h200.expected |= changes
    for arguments in ([], ["--format", "text"]):
        result = h200.run(*arguments)
        assert result.returncode == 2
        assert said in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_an_expectation_of_an_earlier_release_has_no_origins(h200: FakeNode) -> None:
    del h200.expected["origins"]
    assert h200.report()["state"] == "ok"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        ("{", "is not JSON"),
        ("[]", "is no expected.json of schema 1"),
        ('{"schema": 2}', "is no expected.json of schema 1"),
        ('{"schema": 1, "versions": []}', "lacks versions, environment"),
    ],
)
def test_an_expectation_that_cannot_be_read_is_one_line(
    h200: FakeNode, tmp_path: Path, content: str | None, said: str
) -> None:
    file = tmp_path / "other.json"
    if content is not None:
        file.write_text(content)
    result = h200.run("--expected", str(file))
    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_an_unknown_option_is_a_usage_error(h200: FakeNode) -> None:
    assert h200.run("--loud").returncode == 2


def test_the_guide_shows_what_is_printed(make_node: Callable[..., FakeNode], root: Path) -> None:
    node = make_node(make_node_contexts(resolve(load_cluster(example_path("eks-h200"))))["train"])
    node.write("/proc/mounts", "/dev/md127 /mnt/k8s-disks/0 xfs rw 0 0\n")
    node.write("/proc/sys/kernel/osrelease", "6.12.94-123.180.amzn2023.x86_64\n")
    assert node.report()["state"] == "ok"
    node.write("/sys/module/efa/version", "2.17.3g")
    DAMAGE["nvlink"](node)  # type: ignore[no-untyped-call]  lambdas cannot be annotated
    printed = node.run("--format", "text").stdout
    guide = (root / "docs" / "guides" / "verify-nodes.md").read_text()
    block = guide.partition("verify_node.py --format text\n")[2].partition("\n...\n")[0]
    assert printed.startswith(f"{block}\n"), printed

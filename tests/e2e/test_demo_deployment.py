"""The real CDK CLI against the embedded AWS: ``clusterwright demo``, right and wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from clusterwright.cdk_cli import CdkCli
from clusterwright.config.loading import load_cluster
from clusterwright.localcloud import LocalCloud
from clusterwright.localcloud.demonstration import Demonstration
from clusterwright.localcloud.storage_inventory import take_storage_inventory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

pytestmark = pytest.mark.e2e

LONGEST_SECONDS = 60

NO_QUESTIONS = ("--", "--require-approval", "never")

JSII_CACHE = os.environ.get(
    "JSII_RUNTIME_PACKAGE_CACHE_ROOT", str(Path.home() / ".cache" / "aws" / "jsii" / "package-cache")
)
"""What jsii unpacks once; without it every test with a home of its own would unpack it again."""


def run_demo(*args: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``clusterwright demo`` as a user would, with credentials that would fail anywhere."""
    own = {
        "HOME": str(home),
        "AWS_PROFILE": "production",
        "AWS_ACCESS_KEY_ID": "AKIAUSER",
        "JSII_RUNTIME_PACKAGE_CACHE_ROOT": JSII_CACHE,
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-m", "clusterwright.cli", "demo", *args],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * LONGEST_SECONDS,
    )


def test_the_whole_life_of_the_main_example(root: Path, tmp_path: Path) -> None:
    result = run_demo(str(root / "docs" / "examples" / "eks-h200.yaml"), "--format", "json", home=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    told = json.loads(result.stdout)
    assert [step["name"] for step in told["steps"]] == [
        "bootstrap",
        "deploy",
        "deploy again",
        "diff of an edit",
        "deploy the edit",
        "destroy",
    ]
    results = {step["name"]: step["result"] for step in told["steps"]}
    assert results["deploy again"] == "no changes"
    assert results["destroy"] == "nothing is left"
    assert told["seconds"] < LONGEST_SECONDS
    _check_inventory(told["inventory"])
    assert sorted(path.name for path in tmp_path.iterdir()) == []


def _check_inventory(inventory: dict[str, Any]) -> None:
    assert [stack["name"] for stack in inventory["stacks"]][:2] == ["atlas-network", "atlas-cluster"]
    pools = {pool["name"]: pool for pool in inventory["pools"]}
    train = pools["train"]
    assert (train["instance_type"], train["nodes"]) == ("p5en.48xlarge", 32)
    assert train["capacity"] == "CAPACITY_BLOCK cr-0123456789abcdef0"
    assert train["zones"] == ["use2-az3"]
    assert train["interfaces"] == {"interface": 1, "efa-only": 16}
    assert train["efa_gbps"] == 3200
    assert {"vpc-cni", "coredns", "kube-proxy"} <= set(inventory["addons"])
    assert inventory["resources"]["AWS::EKS::Nodegroup"] == 2


def test_every_example_deploys_and_goes(example: Path) -> None:
    cluster = load_cluster(example)
    lines: list[str] = []
    with LocalCloud(region=cluster.region) as cloud:
        demonstration = Demonstration(cloud, CdkCli.locate(), example, cluster, lines.append)
        demonstration.bootstrap()
        demonstration.deploy()
        pools = {pool.name for pool in demonstration.inventory().pools}
        left = demonstration.destroy()
    assert pools == set(cluster.pools)
    keeps = bool(cluster.storage.buckets or cluster.storage.lustre or cluster.storage.home)
    assert ("data that is kept (retain: true)" in left) if keeps else (left == "nothing is left")


def test_the_whole_life_of_the_storage_example(root: Path, tmp_path: Path) -> None:
    file = root / "docs" / "examples" / "storage-tiers.yaml"
    result = run_demo(str(file), "--format", "json", home=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    told = json.loads(result.stdout)
    results = {step["name"]: step["result"] for step in told["steps"]}
    assert results["deploy again"] == "no changes"
    assert "bucket tiers--checkpoints-123456789012-us-west-2" in results["destroy"]
    assert results["destroy"].count("file system fs-") == 3
    assert "example-corp-corpus" not in results["destroy"]
    assert told["seconds"] < LONGEST_SECONDS
    _check_storage(told["inventory"]["storage"])


def _check_storage(storage: dict[str, Any]) -> None:
    systems = {system["name"]: system for system in storage["file_systems"]}
    scratch = systems["tiers-scratch"]
    assert (scratch["kind"], scratch["capacity_gib"]) == ("Lustre SSD, EFA", 19_200)
    assert scratch["throughput_mbps"] == 19_200
    assert [link.partition(" = ")[0] for link in scratch["links"]] == ["/datasets", "/checkpoints"]
    assert systems["tiers-archive"]["kind"] == "Lustre INTELLIGENT_TIERING"
    assert systems["tiers-home"]["kind"] == "OpenZFS SINGLE_AZ_HA_2"
    assert "tiers--hot-123456789012--usw2-az3--x-s3" in storage["buckets"]
    volumes = {volume["name"]: volume for volume in storage["volumes"]}
    assert volumes["lustre-scratch"]["source"].startswith("fs-")
    assert volumes["s3-corpus"] == {
        "name": "s3-corpus",
        "size": "1Pi",
        "access": "ReadOnlyMany",
        "source": "example-corp-corpus",
    }


def test_storage_grows_in_place_and_is_not_replaced(root: Path, tmp_path: Path) -> None:
    file = root / "docs" / "examples" / "storage-tiers.yaml"
    cluster, lines = load_cluster(file), list[str]()
    document = yaml.safe_load(file.read_text())
    document["storage"]["lustre"]["scratch"]["capacity_gib"] = 38_400
    document["storage"]["home"]["quotas"] = [{"user": 1000, "gib": 200}]
    edited = tmp_path / "cluster.yaml"
    edited.write_text(yaml.safe_dump(document, sort_keys=False))
    with LocalCloud(region=cluster.region) as cloud:
        demonstration = Demonstration(cloud, CdkCli.locate(), file, cluster, lines.append)
        demonstration.bootstrap()
        demonstration.deploy()
        before = _file_systems(cloud)
        code, printed = cdk(cloud, edited, ["deploy", "--all", "--require-approval", "never"])
        assert code == 0, printed
        after = _file_systems(cloud)
        volumes = {
            item["metadata"]["name"]: item for item in cloud.kubernetes("tiers").list("PersistentVolume")
        }
    assert set(after) == set(before)
    sizes = {
        record["StorageCapacity"]
        for record in after.values()
        if record["FileSystemType"] == "LUSTRE" and "StorageCapacity" in record
    }
    assert sizes == {38_400}
    assert volumes["lustre-scratch"]["spec"]["capacity"] == {"storage": "38400Gi"}


def test_storage_changes_as_diff_tells(root: Path, tmp_path: Path) -> None:
    """A quota in place; EFA not at all; a file system goes out of the cluster and keeps its data."""
    file = root / "docs" / "examples" / "storage-tiers.yaml"
    text, cluster, edited = file.read_text(), load_cluster(file), tmp_path / "cluster.yaml"
    with LocalCloud(region=cluster.region) as cloud:
        demonstration = Demonstration(cloud, CdkCli.locate(), file, cluster, lambda _: None)
        demonstration.bootstrap()
        demonstration.deploy()
        before = _file_systems(cloud)

        def run(command: str, document: dict[str, Any], *args: str) -> tuple[int, str]:
            edited.write_text(yaml.safe_dump(document, sort_keys=False))
            return clusterwright(cloud, tmp_path, command, str(edited), *args)

        document = yaml.safe_load(text)
        document["storage"]["home"]["quotas"] = [{"user": 1000, "gib": 201}]
        code, printed = run("diff", document)
        assert code == 0, printed
        assert '[+]     "StorageCapacityQuotaGiB": 201' in printed

        document["storage"]["lustre"]["scratch"]["efa"] = False
        code, printed = run("deploy", document, "--", "--require-approval", "never")
        assert code == 1
        assert "error DIF001 storage.lustre.scratch.efa: true → false" in printed
        assert "tiers-network" not in printed

        document = yaml.safe_load(text)
        del document["storage"]["lustre"]["archive"]
        code, printed = run("deploy", document, "--", "--require-approval", "never")
        assert code == 0, printed
        assert "warning DIF004 storage.lustre.archive: taken out of the cluster" in printed
        volumes = [item["metadata"]["name"] for item in cloud.kubernetes("tiers").list("PersistentVolume")]
        assert "lustre-scratch" in volumes
        assert "lustre-archive" not in volumes
        assert set(_file_systems(cloud)) == set(before)


SMALL = """
version: 1
name: atlas
region: us-west-2
zone: usw2-az3
orchestrator: {kind: eks}
pools:
  system: {instance_type: m7i.2xlarge, count: 1, purpose: system}
  notebook: {instance_type: g6e.4xlarge, count: 1, purpose: interactive}
"""

OWN = {"kms": "own"}


def prepare(cloud: LocalCloud, folder: Path) -> Callable[..., tuple[int, str]]:
    """Bootstrap an account; returns what runs a command on a cluster with some storage."""
    file = folder / "cluster.yaml"
    file.write_text(SMALL)

    def run(command: str, storage: dict[str, Any], *args: str) -> tuple[int, str]:
        file.write_text(SMALL + yaml.safe_dump({"storage": storage}, sort_keys=False))
        return clusterwright(cloud, folder, command, str(file), *args)

    code, printed = cdk(cloud, file, ["bootstrap", f"aws://{cloud.account.id}/{cloud.account.region}"])
    assert code == 0, printed
    return run


def test_a_cluster_is_made_again_over_its_buckets(tmp_path: Path) -> None:
    """Destroyed, refused over buckets that are there, and made again with their names and their key."""
    with LocalCloud(region="us-west-2") as cloud:
        run = prepare(cloud, tmp_path)
        made = {"buckets": {"data": OWN}, "express": {"hot": OWN}}
        code, printed = run("deploy", made, *NO_QUESTIONS)
        assert code == 0, printed
        code, printed = run("destroy", made, "--yes", "--", "atlas-storage")
        assert code == 1
        assert "atlas-platform would go on using what was in atlas-storage" in printed
        code, printed = run("destroy", made, "--yes")
        assert code == 0, printed
        key = next(line.split()[-1] for line in printed.splitlines() if line.startswith("kept: KMS key arn:"))
        code, printed = run("deploy", made, *NO_QUESTIONS)
        assert code == 1
        named = {"existing": "atlas--data-123456789012-us-west-2", "kms": key}
        assert f"`data: {{existing: {named['existing']}, kms: {key}}}`" in " ".join(printed.split())
        near = {"existing": "atlas--hot-123456789012--usw2-az3--x-s3", "kms": key}
        assert near["existing"] in printed
        again = {"buckets": {"data": named}, "express": {"hot": near}}
        code, printed = run("deploy", again, *NO_QUESTIONS)
        assert code == 0, printed
        volumes = {row.name: row.source for row in take_storage_inventory(cloud).volumes}
        assert volumes == {"s3-data": named["existing"], "s3express-hot": near["existing"]}


def test_a_cluster_goes_once_its_last_file_system_does(tmp_path: Path) -> None:
    """A file system that was taken out of the file keeps its stacks; they go, and come, without it."""
    with LocalCloud(region="us-west-2") as cloud:
        run = prepare(cloud, tmp_path)
        code, printed = run("deploy", {"lustre": {"fast": {"capacity_gib": 1200}}}, *NO_QUESTIONS)
        assert code == 0, printed
        left = {"buckets": {"data": {"retain": False}}}
        code, printed = run("deploy", left, *NO_QUESTIONS)
        assert code == 0, printed
        code, printed = run("destroy", left, "--yes")
        assert code == 0, printed
        assert _stacks(cloud) == {"atlas-network", "atlas-storage"}
        (system,) = _file_systems(cloud)
        cloud.client("fsx").delete_file_system(FileSystemId=system)
        code, printed = run("destroy", left, "--yes")
        assert code == 0, printed
        assert _stacks(cloud) == set()
        code, printed = run("deploy", left, *NO_QUESTIONS, "atlas-network")
        assert code == 0, printed
        assert _stacks(cloud) == {"atlas-network"}


def _stacks(cloud: LocalCloud) -> set[str]:
    stacks = cloud.client("cloudformation").describe_stacks()["Stacks"]
    return {stack["StackName"] for stack in stacks} - {"CDKToolkit"}


def clusterwright(cloud: LocalCloud, home: Path, *args: str) -> tuple[int, str]:
    """Run a command against an embedded AWS; returns its exit code and what it printed."""
    own = {"HOME": str(home), "JSII_RUNTIME_PACKAGE_CACHE_ROOT": JSII_CACHE, **cloud.environment()}
    environment = {**os.environ, **own}
    command = [sys.executable, "-m", "clusterwright.cli", *args]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def _file_systems(cloud: LocalCloud) -> dict[str, Any]:
    """File systems by id, as FSx tells them."""
    records = cloud.client("fsx").describe_file_systems()["FileSystems"]
    return {record["FileSystemId"]: record for record in records}


def test_a_file_with_errors_is_not_deployed(tmp_path: Path) -> None:
    file = tmp_path / "cluster.yaml"
    file.write_text("version: 1\nname: atlas\n")
    result = run_demo(str(file), home=tmp_path)
    assert result.returncode == 1
    assert "Embedded AWS" not in result.stdout
    assert "Traceback" not in result.stderr


def cdk(cloud: LocalCloud, file: Path, args: Sequence[str]) -> tuple[int, str]:
    """Run the CDK CLI on a cluster; returns its exit code and what it printed."""
    lines: list[str] = []
    code = CdkCli.locate().run(args, cluster_file=file, environment=cloud.environment(), on_line=lines.append)
    return code, "\n".join(lines)


def test_a_refused_resource_fails_the_deployment_with_its_reason(root: Path) -> None:
    file = root / "docs" / "examples" / "eks-h200.yaml"
    with LocalCloud(region="us-east-2") as cloud:
        assert cdk(cloud, file, ["bootstrap", "aws://123456789012/us-east-2"])[0] == 0
        code, printed = cdk(cloud, file, ["deploy", "--all", "--require-approval", "never"])
        assert code != 0
        assert "The capacity reservation cr-0123456789abcdef0 does not exist." in printed
        stacks = cloud.client("cloudformation").describe_stacks()["Stacks"]
        statuses = {stack["StackName"]: stack["StackStatus"] for stack in stacks}
    assert statuses["atlas-cluster"] == "CREATE_COMPLETE"
    assert statuses["atlas-pool-train"] == "ROLLBACK_COMPLETE"


def test_a_kept_embedded_aws_answers_until_it_is_interrupted(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "clusterwright.cli", "demo", "--keep"]
    example = str(root / "docs" / "examples" / "eks-starter.yaml")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*command, example], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        exports = {}
        for line in process.stdout:
            if line.strip().startswith("export "):
                name, _, value = line.strip().removeprefix("export ").partition("=")
                exports[name] = value
            if "Ctrl-C stops it" in line:
                break
        script = "import boto3; print(boto3.client('eks').list_clusters()['clusters'])"
        own = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], **exports}
        answer = subprocess.run(
            [sys.executable, "-c", script], env=own, capture_output=True, text=True, check=True
        )
        assert answer.stdout.strip() not in ("", "[]")
        process.send_signal(signal.SIGINT)
        assert "Stopped." in process.stdout.read()
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_ctrl_c_in_a_deployment_leaves_no_process_behind(root: Path) -> None:
    command = [sys.executable, "-m", "clusterwright.cli", "demo", "--verbose"]
    example = str(root / "docs" / "examples" / "eks-starter.yaml")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen([*command, example], stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "deploying..." in line:
                break
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode == 1
    deadline = time.monotonic() + 5
    while (running := _cdk_processes_of(example)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running == []


def _cdk_processes_of(example: str) -> list[Path]:
    return [path for path in Path("/proc").glob("[0-9]*/cmdline") if _is_cdk_of(path, example)]


def _is_cdk_of(path: Path, example: str) -> bool:
    try:
        command = path.read_bytes().decode(errors="replace")
    except OSError:
        return False
    return "aws-cdk" in command and example in command

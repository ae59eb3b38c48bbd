"""What is expected of a node: what it really has of the set, and nothing that comes with containers."""

from __future__ import annotations

import json

import pytest
from conftest import slurm_node

from clusterwright.config.loading import load_cluster
from clusterwright.examples import example_path
from clusterwright.node_context import make_node_contexts
from clusterwright.resolution import resolve
from clusterwright_lifecycle.contexts import ArtifactContext
from clusterwright_lifecycle.expectations import (
    list_local_mounts,
    list_services,
    make_expectations,
    pick_versions,
    render_expectations,
)
from clusterwright_lifecycle.manifests import render_manifest


def test_libraries_are_not_expected_of_kubernetes_nodes() -> None:
    node = make_node_contexts(resolve(load_cluster(example_path("eks-h200"))))["train"]
    assert set(pick_versions(node)) == {"nvidia-driver", "fabric-manager", "efa-driver", "container-toolkit"}


def test_the_kernel_is_that_of_the_image_and_said_to_be() -> None:
    node = make_node_contexts(resolve(load_cluster(example_path("eks-h200"))))["train"]
    expected = make_expectations(node)
    assert expected["versions"]["kernel"].startswith("6.")
    assert expected["origins"]["kernel"] == expected["origins"]["efa-driver"] == "the image eks-ami v20260714"
    assert expected["versions"]["efa-driver"] == "3.1.0"


def test_of_what_is_not_known_nothing_is_said() -> None:
    expected = make_expectations(slurm_node(kernel=""))
    assert expected["versions"]["kernel"] == ""
    assert expected["origins"] == {}


def test_libraries_are_expected_of_slurm_nodes() -> None:
    versions = pick_versions(slurm_node())
    assert {"nccl", "aws-ofi-nccl", "libfabric", "cuda", "enroot", "pyxis", "lustre-client"} <= set(versions)
    assert not versions.keys() & {"hyperpod-image", "dcgm-exporter", "eks-ami"}


def test_a_controller_runs_no_containers() -> None:
    assert "enroot" not in pick_versions(slurm_node(role="controller"))
    assert "pyxis" in pick_versions(slurm_node(role="controller"))


def test_without_lustre_there_is_no_client() -> None:
    assert "lustre-client" not in pick_versions(slurm_node(mounts=()))


@pytest.mark.parametrize(
    ("changes", "mounts"),
    [
        ({"orchestrator": "pcs"}, [["/scratch/0"]]),
        ({"orchestrator": "pcs", "local_raid": None, "local_disks": 2}, [["/scratch/0"], ["/scratch/1"]]),
        ({"orchestrator": "hyperpod-slurm"}, [["/scratch/0", "/opt/dlami/nvme"]]),
        ({"local_disks": 0}, []),
    ],
)
def test_local_disks_are_expected_where_they_are_mounted(
    changes: dict[str, object], mounts: list[list[str]]
) -> None:
    assert list_local_mounts(slurm_node(**changes)) == mounts


@pytest.mark.parametrize(
    ("changes", "services"),
    [
        ({}, ["nvidia-fabricmanager"]),  # slurmd starts when the plan has ended, this comparison among it
        ({"role": "controller", "has_nvswitch": False}, ["slurmctld"]),
        ({"role": "login", "has_nvswitch": False}, []),
        ({"orchestrator": "eks"}, ["nvidia-fabricmanager"]),
    ],
)
def test_services_are_those_of_the_node(changes: dict[str, object], services: list[str]) -> None:
    assert list_services(slurm_node(**changes)) == services


def test_mounts_are_told_as_the_kernel_tells_them() -> None:
    assert make_expectations(slurm_node())["mounts"] == [
        {"path": "/fsx", "type": "lustre", "source": ":/abcdefgh"},
        {"path": "/home", "type": "nfs", "source": ":/fsx"},
    ]


def test_the_text_is_sorted_json() -> None:
    text = render_expectations(slurm_node())
    assert json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n" == text


def test_a_manifest_has_a_line_an_artifact_and_is_sorted() -> None:
    artifacts = [
        ArtifactContext(component=name, version="1", file=f"{name}.tar.gz", url="https://a/b", sha256=None)
        for name in ("b", "a", "b")
    ]
    text = render_manifest(artifacts)
    assert [row["file"] for row in json.loads(text)] == ["a.tar.gz", "b.tar.gz"]
    assert len(text.splitlines()) == 4
    assert json.loads(render_manifest([])) == []

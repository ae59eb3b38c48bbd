"""What the scripts of each pool's nodes are told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from clusterwright.checks.rules.missing_mirror import FROM_MIRROR, FROM_MIRROR_FOR_GPUS
from clusterwright.config.loading import load_cluster
from clusterwright.config.software import SoftwareConfig
from clusterwright.errors import ClusterwrightError
from clusterwright.examples import example_path
from clusterwright.hardware import find_instance_type, instance_types
from clusterwright.node_context import NVLINK_DOMAINS, FileSystemAddress, make_node_contexts
from clusterwright.resolution import ResolvedCluster, resolve
from clusterwright.software import select
from clusterwright.software.origins import find_kernel
from clusterwright_lifecycle.plan import make_plan

if TYPE_CHECKING:
    from pathlib import Path

    from clusterwright_lifecycle.contexts import NodeContext


def resolve_example(name: str, **changes: Any) -> ResolvedCluster:
    return resolve(load_cluster(example_path(name)).model_copy(update=changes))


def under(kind: str, **fields: Any) -> SimpleNamespace:
    """An orchestrator of another kind, as far as contexts look at it."""
    return SimpleNamespace(kind=kind, **fields)


def contexts_under(kind: str, example: str = "storage-tiers", **fields: Any) -> dict[str, NodeContext]:
    resolved = resolve_example(example)
    config = resolved.config.model_copy(update={"orchestrator": under(kind, **fields)})
    changed = ResolvedCluster(config, resolved.zone, resolved.control_plane_zones, resolved.pools)
    return make_node_contexts(changed)


def test_every_pool_of_every_example_has_a_context(example: Path) -> None:
    cluster = resolve(load_cluster(example))
    contexts = make_node_contexts(cluster)
    assert list(contexts) == [pool.name for pool in cluster.pools]
    for pool in cluster.pools:
        node = contexts[pool.name]
        assert (node.pool, node.instance_type) == (pool.name, pool.spec.name)
        assert node.efa_devices == len(pool.interfaces) - 1
        assert node.software_set == "2026.11"
        assert node.mounts == (), "CSI drivers mount what pods claim"


def test_a_node_of_h200s() -> None:
    node = make_node_contexts(resolve_example("eks-h200"))["train"]
    assert (node.accelerator, node.accelerator_count, node.gpu_product) == ("nvidia", 8, "H200")
    assert (node.has_nvlink, node.has_nvswitch, node.has_imex) == (True, True, False)
    assert (node.efa_devices, node.local_disks, node.local_path) == (16, 8, "/mnt/k8s-disks")
    assert node.versions["fabric-manager"] == node.versions["nvidia-driver"]
    assert not node.versions.keys() & {"imex", "nvlsm", "neuron-driver", "slurm", "enroot"}
    assert node.environment["FI_EFA_USE_HUGE_PAGE"] == "0"


@pytest.mark.parametrize(
    ("software", "component", "version", "origin"),
    [
        ({}, "efa-driver", "3.1.0", "the image eks-ami v20260714"),
        ({}, "libfabric", None, None),
        ({"overrides": {"nccl": "2.30.4"}}, "nccl", "2.30.4", "software.overrides of cluster.yaml"),
        (
            {"overrides": {"efa-installer": "1.49.0"}},
            "aws-ofi-nccl",
            "1.20.0",
            "software.overrides of cluster.yaml: it comes with efa-installer 1.49.0",
        ),
    ],
)
def test_versions_that_are_not_the_sets_say_where_they_come_from(
    software: dict[str, Any], component: str, version: str | None, origin: str | None
) -> None:
    node = make_node_contexts(resolve_example("eks-h200", software=SoftwareConfig(**software)))["train"]
    assert node.origins.get(component) == origin
    if version:
        assert node.versions[component] == version


@pytest.mark.parametrize(
    ("kind", "version", "architecture", "kernel"),
    [
        ("eks", "1.34", "x86_64", "6.12.94-123.180"),
        ("eks", "1.32", "x86_64", "6.1.176-221.360"),
        ("eks", "1.32", "arm64", ""),
        ("eks", "1.34", "arm64", "6.12.94-123.180"),
        ("eks", "1.29", "x86_64", ""),
        ("hyperpod-slurm", "", "x86_64", "6.8.0-1057"),
    ],
)
def test_the_kernel_is_told_where_it_is_known(
    kind: str, version: str, architecture: str, kernel: str
) -> None:
    assert find_kernel(select("2026.11").versions, kind, version, architecture) == kernel


def test_kubernetes_mounts_lustre_and_the_node_sets_up_efa_for_it() -> None:
    nodes = make_node_contexts(resolve_example("storage-tiers"))
    assert nodes["train"].has_lustre_over_efa
    assert nodes["train"].mounts == ()
    assert not nodes["notebook"].has_lustre_over_efa, "its type has no EFA"
    steps = [step.name for step in make_plan(nodes["train"])]
    assert "lustre-network" in steps
    assert "lustre-mounts" not in steps


def test_an_ultraserver_has_imex_and_no_fabric_manager() -> None:
    node = make_node_contexts(resolve_example("eks-gb200"))["train"]
    assert (node.architecture, node.has_nvlink, node.has_nvswitch, node.has_imex) == (
        "arm64",
        True,
        False,
        True,
    )
    assert "imex" in node.versions
    assert "fabric-manager" not in node.versions


def test_a_node_without_accelerators_has_none_of_their_software() -> None:
    node = make_node_contexts(resolve_example("eks-h200"))["system"]
    assert node.accelerator is None
    assert set(node.versions) == {"eks-ami"}
    assert node.environment == {}


def test_trainium_has_neuron_and_nothing_of_nvidia() -> None:
    node = make_node_contexts(resolve_example("eks-mixed"))["trainium"]
    assert (node.accelerator, node.gpu_product, node.has_nvlink) == ("neuron", "", False)
    assert "neuron-driver" in node.versions
    assert not node.versions.keys() & {"nvidia-driver", "nccl", "aws-ofi-nccl", "gdrcopy"}


@pytest.mark.parametrize("name", instance_types())
def test_nvlink_is_what_the_catalogue_says(name: str) -> None:
    group = find_instance_type(name).accelerators
    if group is not None:
        assert ("NVLink" in group.interconnect) == (group.name in NVLINK_DOMAINS)
        assert ("UltraServer" in group.interconnect) == (NVLINK_DOMAINS.get(group.name) == "ultraserver")


def test_versions_of_the_image_come_before_those_of_the_set() -> None:
    node = make_node_contexts(resolve_example("eks-h200"))["train"]
    assert node.versions["eks-ami"] == "v20260714"
    assert node.versions["efa-driver"] == "3.1.0", "the set's installer would bring 3.3.0"
    assert node.artifacts == (), "EKS nodes have everything from their image"


def test_slurm_of_pcs_is_the_service_s() -> None:
    assert contexts_under("pcs", version="25.05")["train"].versions["slurm"] == "25.05"


def test_user_settings_win() -> None:
    software = load_cluster(example_path("eks-h200")).software.model_copy(
        update={"environment": {"NCCL_DEBUG": "WARN", "FI_EFA_USE_HUGE_PAGE": "1"}}
    )
    node = make_node_contexts(resolve_example("eks-h200", software=software))["train"]
    assert node.environment["NCCL_DEBUG"] == "WARN"
    assert node.environment["FI_EFA_USE_HUGE_PAGE"] == "1"


def test_an_unknown_set_is_answered_with_near_ones() -> None:
    software = load_cluster(example_path("eks-h200")).software.model_copy(update={"set": "2026.12"})
    with pytest.raises(ClusterwrightError, match=r"2026\.11"):
        make_node_contexts(resolve_example("eks-h200", software=software))


def test_slurm_nodes_mount_file_systems_and_know_their_role() -> None:
    users = {"ada": SimpleNamespace(uid=2001)}
    roles = {"controller": "system", "login": "notebook"}
    contexts = contexts_under("hyperpod-slurm", roles=roles, users=users)
    assert {name: node.role for name, node in contexts.items()} == {
        "system": "controller",
        "notebook": "login",
        "train": "compute",
    }
    train = contexts["train"]
    assert train.operating_system == "ubuntu-22.04"
    assert [(user.name, user.uid) for user in train.users] == [("ada", 2001)]
    (lustre, *_, home) = train.mounts
    assert (lustre.kind, home.kind) == ("lustre", "openzfs")
    assert lustre.has_efa
    assert lustre.dns_name.endswith(".known-at-deployment.invalid")
    assert "lustre-client" in train.versions
    assert "eks-ami" not in train.versions
    assert {each.component for each in train.artifacts} >= {"efa-installer", "gdrcopy", "enroot", "pyxis"}
    assert all("arm64" not in each.file for each in train.artifacts)
    assert "gdrcopy" not in {each.component for each in contexts["system"].artifacts}


@pytest.mark.parametrize("kind", ["hyperpod-slurm", "pcs"])
def test_what_nodes_get_from_a_mirror_alone_is_what_the_rule_tells(kind: str) -> None:
    contexts = contexts_under(kind, roles={}, users={}, version="25.11")
    alone = {
        name: {each.component for each in node.artifacts if each.sha256 is None or "github.com" in each.url}
        for name, node in contexts.items()
    }
    assert alone["system"] == {*FROM_MIRROR}
    unknown = {"fabric-manager", "container-toolkit", "dcgm"}  # which a release may hold without a word
    assert alone["train"] - unknown == {*FROM_MIRROR, *FROM_MIRROR_FOR_GPUS}


def test_nothing_is_downloaded_that_the_image_is_known_to_hold() -> None:
    node = contexts_under("pcs", version="25.11")["train"]
    assert not {each.component for each in node.artifacts} & {"nvidia-driver", "fabric-manager"}
    assert node.versions["pcs-image"] == "20261006"


def test_known_addresses_take_the_place_of_the_placeholder() -> None:
    resolved = resolve_example("storage-tiers")
    config = resolved.config.model_copy(update={"orchestrator": under("pcs")})
    changed = ResolvedCluster(config, resolved.zone, resolved.control_plane_zones, resolved.pools)
    addresses = {"home": FileSystemAddress("fs-1.fsx.us-west-2.amazonaws.com", "/fsx")}
    mounts = make_node_contexts(changed, file_systems=addresses)["train"].mounts
    assert mounts[-1].dns_name == "fs-1.fsx.us-west-2.amazonaws.com"
    assert mounts[-1].export == "/fsx"


def test_hyperpod_under_kubernetes_is_as_eks_is() -> None:
    contexts = contexts_under("hyperpod-eks")
    assert {node.operating_system for node in contexts.values()} == {"al2023"}
    assert {node.role for node in contexts.values()} == {"worker"}
    assert all(node.mounts == () for node in contexts.values())

"""Sets are whole, selections follow what brings what, and hashes are those of the versions alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterwright.errors import UnknownComponentError, UnknownSetError
from clusterwright.software import (
    DEFAULT_SET,
    artifacts_of,
    compare,
    components,
    explain_environment,
    find_image,
    is_known,
    load_set,
    make_environment,
    near_versions,
    node_versions,
    select,
    set_names,
)
from clusterwright.software.images import releases_of
from clusterwright.software.releases import BUNDLES, bundle_of
from clusterwright.software.versions import VERSION_PATTERN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.software import Pin


def all_pins() -> list[Mapping[str, Pin]]:
    """What each set pins."""
    return [load_set(name).pins for name in set_names()]


LACKS = {"2025.11": {"hyperpod-eks-image"}}
"""What a set does not pin, since nothing published was found."""


def test_sets_are_listed_oldest_first_and_the_default_is_the_newest() -> None:
    assert list(set_names()) == sorted(set_names())
    assert set_names()[-1] == DEFAULT_SET
    assert len(set_names()) >= 3


@pytest.mark.parametrize("name", set_names())
def test_a_set_pins_everything(name: str) -> None:
    assert set(components()) - set(load_set(name).pins) == LACKS.get(name, set())


@pytest.mark.parametrize("name", set_names())
def test_every_pin_says_where_it_is_from(name: str) -> None:
    for pin in load_set(name).pins.values():
        assert re.fullmatch(VERSION_PATTERN, pin.version), pin
        assert pin.source
        assert re.fullmatch(r"20\d\d(-\d\d(-\d\d)?)?", pin.date), pin
        assert pin.url is None or pin.url.startswith("https://")
        assert pin.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", pin.sha256)


@pytest.mark.parametrize("name", set_names())
@pytest.mark.parametrize("leader", BUNDLES)
def test_a_set_agrees_with_what_its_releases_bring(name: str, leader: str) -> None:
    pins = load_set(name).pins
    for component, version in bundle_of(leader, pins[leader].version).items():
        assert version in {None, pins[component].version}, component


@pytest.mark.parametrize("name", set_names())
def test_a_set_agrees_with_its_eks_image(name: str) -> None:
    software = select(name)
    image = find_image(software.versions, "eks", "1.34")
    assert image is not None
    own = {each: software.versions[each] for each in ("nvidia-driver", "container-toolkit", "neuron-driver")}
    assert own.items() <= image.versions.items()


def test_an_unknown_set_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UnknownSetError, match=r"'2026.12'; this release has 2025.11, 2026.06, 2026.11"):
        load_set("2026.12")


@pytest.mark.parametrize(("name", "near"), [("ncll", "nccl"), ("EFA_installer", "efa-installer")])
def test_an_unknown_component_is_answered_with_a_near_one(name: str, near: str) -> None:
    with pytest.raises(UnknownComponentError, match=f"did you mean {near}"):
        select(DEFAULT_SET, {name: "1"})


def test_a_name_like_no_component_is_answered_with_where_they_are_listed() -> None:
    with pytest.raises(UnknownComponentError, match="clusterwright software show"):
        select(DEFAULT_SET, {"xyzzy": "1"})


def test_what_a_release_brings_follows_it() -> None:
    versions = select(DEFAULT_SET, {"efa-installer": "1.49.0", "nvidia-driver": "580.173.02"}).versions
    assert versions["libfabric"] == "2.4.0amzn5.0"
    assert versions["aws-ofi-nccl"] == "1.20.0"
    assert versions["imex"] == versions["fabric-manager"] == "580.173.02"


def test_what_nobody_says_a_release_brings_is_not_pinned() -> None:
    versions = select(DEFAULT_SET, {"efa-installer": "1.47.0"}).versions
    assert versions["aws-ofi-nccl"] == "1.18.0"
    assert "libfabric" not in versions


def test_an_override_wins_over_what_another_one_brings() -> None:
    own = load_set(DEFAULT_SET).pins["libfabric"].version
    software = select(DEFAULT_SET, {"libfabric": own, "efa-installer": "1.49.0"})
    assert software.versions["libfabric"] == own
    assert software.overrides == {"libfabric": own, "efa-installer": "1.49.0"}


def test_an_override_that_says_what_the_set_says_changes_no_hash() -> None:
    own = {"nccl": load_set(DEFAULT_SET).pins["nccl"].version}
    software = select(DEFAULT_SET, own)
    assert software.overrides == own
    assert software.content_hash == select(DEFAULT_SET).content_hash


def test_the_hash_is_of_the_versions() -> None:
    hashes = {select(name).content_hash for name in set_names()}
    hashes |= {select(DEFAULT_SET, {"nccl": "2.30.7"}).content_hash}
    assert len(hashes) == len(set_names()) + 1
    assert all(re.fullmatch(r"[0-9a-f]{16}", each) for each in hashes)


def test_the_hash_is_the_same_whatever_it_was_selected_from() -> None:
    pins = load_set("2026.06").pins
    overrides = {component: pin.version for component, pin in pins.items()}
    assert select(DEFAULT_SET, overrides).content_hash == select("2026.06").content_hash


def test_the_hash_of_the_newest_set_is_what_nodes_are_tagged_with() -> None:
    assert select("2026.11").content_hash == "7ac178119288b612"


@given(
    st.permutations(
        [("efa-installer", "1.49.0"), ("libfabric", "2.6.0amzn1.0"), ("nvidia-driver", "580.142")]
    )
)
def test_the_order_of_overrides_means_nothing(overrides: list[tuple[str, str]]) -> None:
    assert select(DEFAULT_SET, dict(overrides)).pins == select(DEFAULT_SET, dict(sorted(overrides))).pins


def test_images_replace_what_they_bring() -> None:
    versions = select(DEFAULT_SET).versions
    on_eks = node_versions(versions, "eks", "1.34")
    assert (versions["efa-driver"], on_eks["efa-driver"]) == ("3.3.0", "3.1.0")
    on_hyperpod = node_versions(versions, "hyperpod-slurm")
    assert (on_hyperpod["nvidia-driver"], on_hyperpod["slurm"]) == ("580.159.04", "25.11.4")
    on_pcs = node_versions(versions, "pcs", architecture="arm64")
    assert (on_pcs["nvidia-driver"], on_pcs["dcgm"], on_pcs["cuda"]) == ("595.91.07", "4.7.0", "13.2")
    assert on_pcs["nccl"] == versions["nccl"]


def test_what_an_image_brings_and_nobody_knows_is_left_out() -> None:
    versions = select(DEFAULT_SET).versions
    on_hyperpod = node_versions(versions, "hyperpod-eks", "1.33")
    assert on_hyperpod["nvidia-driver"] == "580.167.08"
    assert not on_hyperpod.keys() & {"efa-driver", "container-toolkit", "neuron-driver"}
    unknown = versions | {"eks-ami": "v20261101"}
    assert not node_versions(unknown, "eks", "1.34").keys() & {"nvidia-driver", "efa-driver", "imex"}
    said = node_versions(unknown | {"efa-driver": "3.3.1"}, "eks", "1.34", overridden={"efa-driver"})
    assert said["efa-driver"] == "3.3.1"


def test_of_what_an_image_holds_side_by_side_an_override_wins() -> None:
    versions = select(DEFAULT_SET, {"cuda": "12.9.1"}).versions
    assert node_versions(versions, "pcs", overridden={"cuda"})["cuda"] == "12.9U1"


def test_the_kernel_is_that_of_the_kubernetes_version() -> None:
    versions = select(DEFAULT_SET).versions
    kernels = [
        image.kernel for each in ("1.36", "1.34", "1.32") if (image := find_image(versions, "eks", each))
    ]
    assert kernels == ["6.18.36-69.138", "6.12.94-123.180", "6.1.176-221.360"]


def test_a_release_that_is_not_known_has_no_image() -> None:
    assert find_image({"eks-ami": "v20991231"}, "eks", "1.34") is None
    assert "v20260714" in releases_of("eks-ami")


@pytest.mark.parametrize(
    ("component", "version", "near"),
    [
        ("nccl", "2.28.8", "2.28.9"),
        ("efa-installer", "1.52.0", "1.51.0"),
        ("eks-ami", "v20260512", "v20260409"),
        ("eks-ami", "v20260512", "v20260610"),
        ("nvidia-driver", "999.1", "610.43.02"),
        ("imex", "999.1", "610.43.02"),
        ("slurm", "24.05.1", "24.11.0"),
        ("lustre-client", "2.15.6-1fsx33", "2.15.6-1fsx34"),
        ("libfabric", "2.5.0", "2.6.0amzn1.0"),
        ("neuron-driver", "9.9", "2.30.2.0"),
    ],
)
def test_versions_that_are_not_known_have_near_ones(component: str, version: str, near: str) -> None:
    assert not is_known(component, version)
    assert near in near_versions(component, version)


@pytest.mark.parametrize("component", components())
def test_there_is_no_component_of_which_any_version_passes(component: str) -> None:
    assert not is_known(component, "999.1")
    assert near_versions(component, "999.1")
    assert all(is_known(component, pins[component].version) for pins in all_pins() if component in pins)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("13.0.2", "13.0U2"), ("12.9.1", "12.9U1"), ("12.6.3", "12.6U3"), ("13.0.0", "13.0"), ("13.0", "13.0")],
)
def test_cuda_may_be_written_as_containers_write_it(written: str, meant: str) -> None:
    assert select(DEFAULT_SET, {"cuda": written}).versions["cuda"] == meant


def test_artifacts_are_those_of_the_node() -> None:
    software = select(DEFAULT_SET)
    ubuntu = artifacts_of(software, "x86_64", "ubuntu-22.04", "nvidia")
    components_of = list(dict.fromkeys(each.component for each in ubuntu))
    assert components_of[:5] == ["efa-installer", "gdrcopy", "enroot", "pyxis", "node-exporter"]
    assert set(components_of[5:]) == {
        "nvidia-driver",
        "fabric-manager",
        "imex",
        "nccl",
        "dcgm",
        "container-toolkit",
    }
    assert ubuntu[0].sha256 == software.pins["efa-installer"].sha256
    assert ubuntu[0].sha256 is not None
    arm = artifacts_of(software, "arm64", "al2023", None)
    assert [each.file for each in arm] == [
        "aws-efa-installer-1.50.0.tar.gz",
        "pyxis-0.20.0.tar.gz",
        "node_exporter-1.10.2.linux-arm64.tar.gz",
    ]


def test_files_of_nvidia_are_named_as_they_are_published() -> None:
    nvidia = "https://developer.download.nvidia.com/compute/cuda/repos"
    overrides = {"nvidia-driver": "580.126.20", "nccl": "2.30.7", "dcgm": "4.5.2"}
    software = select(DEFAULT_SET, overrides)
    urls = {each.url for each in artifacts_of(software, "arm64", "ubuntu-24.04", "nvidia")}
    assert urls >= {
        "https://us.download.nvidia.com/tesla/580.126.20/NVIDIA-Linux-aarch64-580.126.20.run",
        f"{nvidia}/ubuntu2404/sbsa/nvidia-imex_580.126.20-1_arm64.deb",
        f"{nvidia}/ubuntu2404/sbsa/libnccl2_2.30.7-1+cuda13.3_arm64.deb",
        f"{nvidia}/ubuntu2404/sbsa/datacenter-gpu-manager-4-core_4.5.2-1_arm64.deb",
        "https://nvidia.github.io/libnvidia-container/stable/deb/arm64/nvidia-container-toolkit_1.19.1-1_arm64.deb",
    }
    older = artifacts_of(
        select(DEFAULT_SET, {"nvidia-driver": "570.172.08"}), "x86_64", "ubuntu-22.04", "nvidia"
    )
    assert f"{nvidia}/ubuntu2204/x86_64/nvidia-fabricmanager-570_570.172.08-1_amd64.deb" in {
        each.url for each in older
    }


@pytest.mark.parametrize("overrides", [{"nvidia-driver": "580.142"}, {"nccl": "2.29.7"}])
def test_files_whose_names_nobody_told_are_left_out(overrides: dict[str, str]) -> None:
    (component,) = overrides
    wanted = {"nvidia-driver": "fabric-manager"}.get(component, component)
    files = artifacts_of(select(DEFAULT_SET, overrides), "x86_64", "ubuntu-24.04", "nvidia")
    assert wanted not in {each.component for each in files}


@pytest.mark.parametrize("name", set_names())
def test_the_efa_installer_of_every_set_has_a_published_checksum(name: str) -> None:
    assert load_set(name).pins["efa-installer"].sha256


def test_files_have_names_of_their_own() -> None:
    for architecture in ("x86_64", "arm64"):
        files = [
            each.file for each in artifacts_of(select(DEFAULT_SET), architecture, "ubuntu-24.04", "nvidia")
        ]
        assert len(files) == len(set(files))


def test_a_difference_names_what_changes() -> None:
    changes = {each.component: each for each in compare(load_set("2026.06"), load_set("2026.11"))}
    assert (changes["nccl"].before, changes["nccl"].after) == ("2.30.4", "2.31.2")
    assert changes["nccl"].kind == "upgraded"
    assert changes["nccl"].url == "https://github.com/NVIDIA/nccl/releases/tag/v2.31.2-1"
    assert "nvidia-driver" not in changes
    back = {each.component: each.kind for each in compare(load_set("2026.11"), load_set("2025.11"))}
    assert back["nccl"] == "downgraded"
    assert back["hyperpod-eks-image"] == "removed"
    assert compare(load_set("2025.11"), load_set("2026.11"))[-1].kind in {"added", "upgraded"}


def test_the_environment_holds_what_is_still_right() -> None:
    versions = select(DEFAULT_SET).versions
    assert make_environment("nvidia", has_efa=True, family="p5en", versions=versions) == {
        "NCCL_SOCKET_IFNAME": "^docker,lo,veth",
        "FI_EFA_USE_HUGE_PAGE": "0",
    }
    assert "NCCL_SHM_USE_CUDA_MEMCPY" in make_environment(
        "nvidia", has_efa=False, family="g5", versions=versions
    )
    assert make_environment("neuron", has_efa=True, family="trn2", versions=versions) == {
        "FI_PROVIDER": "efa",
        "FI_EFA_USE_DEVICE_RDMA": "1",
    }
    assert make_environment(None, has_efa=False, family="m7i", versions=versions) == {}


def test_a_policy_that_the_plugin_sets_is_set_where_no_plugin_is_known() -> None:
    environment = make_environment("nvidia", has_efa=True, family="p5en", versions={"nccl": "2.28.9"})
    assert environment["NCCL_NETDEVS_POLICY"] == "max:1"
    older = make_environment("nvidia", has_efa=True, family="p5en", versions={"nccl": "2.27.7"})
    assert "NCCL_NETDEVS_POLICY" not in older


def test_every_variable_has_a_reason_and_a_source() -> None:
    for accelerator, family in (("nvidia", "g5"), ("nvidia", "p5en"), ("neuron", "trn1")):
        explained = explain_environment(accelerator, has_efa=True, family=family, versions={"nccl": "2.31.2"})
        assert all(variable.reason and variable.source for variable in explained.values())

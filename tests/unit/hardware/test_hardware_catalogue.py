"""The catalogue as a whole, and look-ups in it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clusterwright.errors import UnknownInstanceTypeError
from clusterwright.hardware import (
    InstanceSpec,
    find_instance_type,
    find_ultraserver,
    find_zone,
    instance_types,
    regions,
    ultraserver_types,
    zones_of,
)

SPECS = [find_instance_type(name) for name in instance_types()]
EVERY_SPEC = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)


def test_families_of_ai_clusters_are_there() -> None:
    families = {name.partition(".")[0] for name in instance_types()}
    nvidia = {"p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200", "p6e-gb300"}
    small = {"g5", "g6", "g6e", "g7", "g7e"}
    neuron = {"trn1", "trn1n", "trn2", "trn2u", "inf2"}
    assert nvidia | small | neuron | {"c7i", "m7i", "r7i", "hpc7a", "hpc8a"} == families


def test_types_are_sorted_and_unique() -> None:
    assert list(instance_types()) == sorted(set(instance_types()))


@EVERY_SPEC
def test_cards_are_numbered_from_zero(spec: InstanceSpec) -> None:
    assert [card.index for card in spec.network_cards] == list(range(len(spec.network_cards)))


@EVERY_SPEC
def test_card_0_takes_the_primary_interface(spec: InstanceSpec) -> None:
    assert "interface" in spec.network_cards[0].interface_types
    assert spec.network_cards[0].max_interfaces >= 1


@EVERY_SPEC
def test_efa_is_on_some_card_or_nowhere(spec: InstanceSpec) -> None:
    takers = [card for card in spec.network_cards if card.takes_efa]
    assert spec.max_efa_interfaces <= len(takers)
    assert spec.is_efa_capable == bool(takers) == (spec.efa_gbps > 0)


@EVERY_SPEC
def test_sizes_are_plausible(spec: InstanceSpec) -> None:
    assert 2 <= spec.vcpus <= 192
    assert 1024 <= spec.memory_mib / spec.vcpus <= 32 * 1024
    assert 0 < spec.ip_gbps <= 400
    assert spec.ipv4_per_interface >= 10
    assert spec.max_pods_default is None or spec.max_pods_default > 10


@EVERY_SPEC
def test_accelerators_are_plausible(spec: InstanceSpec) -> None:
    group = spec.accelerators
    assert spec.is_accelerated == (spec.name[0] in "pgti")
    if group is None:
        return
    assert group.vendor == ("neuron" if spec.name.startswith(("trn", "inf")) else "nvidia")
    assert 1 <= group.count <= 16
    assert 22 * 1024 <= group.memory_mib <= 288 * 1024
    assert group.total_memory_mib == group.count * group.memory_mib
    assert (group.compute_capability is None) == (group.vendor == "neuron")
    assert group.product
    assert group.source is not None


@EVERY_SPEC
def test_purchase_options_are_known(spec: InstanceSpec) -> None:
    assert spec.purchase_options
    assert set(spec.purchase_options) <= {"on-demand", "spot", "capacity-block"}


@EVERY_SPEC
def test_zones_belong_to_their_region(spec: InstanceSpec) -> None:
    for region, zone_ids in spec.zones.items():
        assert zone_ids
        for zone_id in zone_ids:
            zone = find_zone(zone_id)
            assert zone is not None
            assert zone.region == region
            assert spec.is_offered_in(zone_id)


@EVERY_SPEC
def test_what_is_confirmed_is_offered_somewhere(spec: InstanceSpec) -> None:
    assert spec.zones or not spec.is_verified


@EVERY_SPEC
def test_every_fact_has_source_and_date(spec: InstanceSpec) -> None:
    sources = [spec.source, *(note.source for note in spec.notes)]
    if spec.accelerators and spec.accelerators.source:
        sources.append(spec.accelerators.source)
    if spec.on_demand_price:
        sources.append(spec.on_demand_price.source)
    for source in sources:
        assert source.title
        assert source.date.startswith("20")
    for note in spec.notes:
        assert note.reason
        assert note.fields


@pytest.mark.parametrize("name", ultraserver_types())
def test_ultraserver_is_made_of_its_members(name: str) -> None:
    ultraserver = find_ultraserver(name)
    member = find_instance_type(ultraserver.instance_type)
    assert member.accelerators is not None
    assert ultraserver.accelerators == ultraserver.instances * member.accelerators.count
    assert name in member.ultraservers
    assert name.endswith(f"x{ultraserver.accelerators}")


def test_h200_type_in_full() -> None:
    spec = find_instance_type("p5en.48xlarge")
    assert (spec.vcpus, spec.memory_mib, spec.architecture) == (192, 2048 * 1024, "x86_64")
    assert spec.accelerators is not None
    assert (spec.accelerators.name, spec.accelerators.count, spec.accelerators.memory_mib) == (
        "H200",
        8,
        144384,
    )
    assert spec.local_nvme_gb == 8 * 3800
    assert (spec.max_efa_interfaces, spec.efa_gbps, spec.ip_gbps) == (16, 3200, 200)
    assert (spec.ipv4_per_interface, spec.max_pods_default) == (50, 198)
    assert spec.zones["us-east-2"] == ("use2-az1", "use2-az2", "use2-az3")
    assert spec.hyperpod_type == "ml.p5en.48xlarge"
    assert spec.on_demand_usd_per_hour == 63.296
    assert spec.on_demand_price is not None
    assert (spec.on_demand_price.region, spec.on_demand_price.source.date) == ("us-east-1", "2026-07-20")
    assert spec.is_verified


@pytest.mark.parametrize(
    ("name", "gbps"),
    [
        ("p4d.24xlarge", 400),
        ("p5.48xlarge", 3200),
        ("p6-b200.48xlarge", 3200),
        ("p6-b300.48xlarge", 6400),
        ("p6e-gb200.36xlarge", 1600),
        ("trn2.48xlarge", 3200),
        ("g5.48xlarge", 100),
        ("g6e.48xlarge", 400),
        ("hpc8a.96xlarge", 300),
        ("m7i.2xlarge", 0),
    ],
)
def test_efa_bandwidth(name: str, gbps: float) -> None:
    assert find_instance_type(name).efa_gbps == gbps


@pytest.mark.parametrize("name", ["trn2.3xlarge", "trn2.48xlarge", "trn2u.48xlarge"])
def test_trainium2_has_its_own_memory_not_that_of_ec2s_data(name: str) -> None:
    group = find_instance_type(name).accelerators
    assert group is not None
    assert group.memory_mib == 96 * 1024


def test_gb200_is_in_the_dallas_local_zone_only() -> None:
    spec = find_instance_type("p6e-gb200.36xlarge")
    assert dict(spec.zones) == {"us-east-1": ("use1-dfw2-az1",)}
    zone = find_zone("use1-dfw2-az1")
    assert zone is not None
    assert (zone.kind, zone.parent, zone.hosts_eks_control_plane) == ("local-zone", "use1-az4", False)
    assert zone in zones_of("us-east-1")


@pytest.mark.parametrize("zone_id", ["use1-az3", "usw1-az2", "cac1-az3"])
def test_zones_that_eks_refuses(zone_id: str) -> None:
    zone = find_zone(zone_id)
    assert zone is not None
    assert zone.kind == "availability-zone"
    assert not zone.hosts_eks_control_plane


@pytest.mark.parametrize("region", regions())
def test_every_region_can_host_a_control_plane(region: str) -> None:
    hosts = [zone for zone in zones_of(region) if zone.hosts_eks_control_plane]
    assert len(hosts) >= 2
    assert all(zone.kind == "availability-zone" for zone in hosts)


def test_unknown_places() -> None:
    assert find_zone("mars-az9") is None
    assert zones_of("mars-north-1") == ()


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("p5en.48xlarg", "p5en.48xlarge"),
        ("ml.p5e.48xlarge", "p5e.48xlarge"),
        ("p6b200.48xlarge", "p6-b200.48xlarge"),
    ],
)
def test_unknown_type_is_answered_with_the_nearest(name: str, suggestion: str) -> None:
    with pytest.raises(UnknownInstanceTypeError, match="unknown instance type") as caught:
        find_instance_type(name)
    assert caught.value.suggestions[0] == suggestion
    assert suggestion in str(caught.value)


def test_unknown_type_without_a_near_one_says_where_to_look() -> None:
    with pytest.raises(UnknownInstanceTypeError, match="`clusterwright hardware` lists what is known"):
        find_instance_type("banana")


def test_unknown_ultraserver_is_called_by_its_kind() -> None:
    with pytest.raises(
        UnknownInstanceTypeError, match=r"unknown UltraServer type .* did you mean u-p6e-gb200x72"
    ):
        find_ultraserver("u-p6e-gb200x7")


def test_specs_can_be_keys() -> None:
    assert len({*SPECS}) == len(instance_types())


def test_importing_the_catalogue_loads_neither_pydantic_nor_boto3() -> None:
    code = "import sys, clusterwright.hardware as h; h.instance_types(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"pydantic", "boto3", "aws_cdk", "rich", "yaml"} & set(loaded.split())


def test_reading_the_catalogue_takes_milliseconds() -> None:
    code = (
        "import time, clusterwright.hardware as h; start = time.process_time();"
        "[h.find_instance_type(name) for name in h.instance_types()]; print(time.process_time() - start)"
    )
    spent = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    assert min(spent) < 0.010

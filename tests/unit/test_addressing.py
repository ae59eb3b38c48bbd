"""Addresses: subnets that never overlap, and pods that a node can really address."""

from __future__ import annotations

from ipaddress import IPv4Network
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterwright.addressing import max_pods, pick_service_cidr, plan_subnets, pod_interfaces
from clusterwright.hardware import find_instance_type, instance_types, lay_out_interfaces

CONTROL_PLANE = ("use2-az1", "use2-az2")


@st.composite
def blocks(draw: st.DrawFn, shortest: int = 16, longest: int = 22) -> str:
    length = draw(st.integers(shortest, longest))
    address = draw(st.integers(0, 2**length - 1)) << (32 - length)
    return str(IPv4Network((address, length)))


@given(cidr=blocks(), has_public=st.booleans(), has_regional=st.booleans())
def test_subnets_lie_in_the_block_and_never_overlap(cidr: str, has_public: bool, has_regional: bool) -> None:
    subnets = plan_subnets(
        cidr,
        zone="use2-az1",
        control_plane_zones=CONTROL_PLANE,
        has_public_subnet=has_public,
        has_regional_nodes=has_regional,
    )
    assert all(each.cidr.subnet_of(IPv4Network(cidr)) for each in subnets)
    assert not any(one.cidr.overlaps(other.cidr) for one, other in combinations(subnets, 2))
    # AWS takes no subnet smaller than /28, and EKS wants sixteen addresses.
    assert all(each.cidr.prefixlen <= 28 for each in subnets)
    assert len({each.name for each in subnets}) == len(subnets)


@given(cidr=blocks(longest=24), has_regional=st.booleans())
def test_pod_subnets_divide_the_pod_block(cidr: str, has_regional: bool) -> None:
    subnets = plan_subnets(
        "10.0.0.0/16",
        zone="use2-az1",
        control_plane_zones=CONTROL_PLANE,
        pod_cidr=cidr,
        has_regional_nodes=has_regional,
    )
    pods = [each.cidr for each in subnets if each.role == "pods"]
    assert sum(each.num_addresses for each in pods) == IPv4Network(cidr).num_addresses
    assert len(pods) == 1 + has_regional


def test_nodes_have_half_of_the_block_whatever_else_there_is() -> None:
    for has_public in (True, False):
        (nodes,) = [
            each
            for each in plan_subnets(
                "10.0.0.0/16",
                zone="use2-az1",
                control_plane_zones=CONTROL_PLANE,
                has_public_subnet=has_public,
            )
            if each.role == "nodes"
        ]
        assert str(nodes.cidr) == "10.0.0.0/17"
        assert nodes.usable_addresses == 32_763


@pytest.mark.parametrize(
    ("cidrs", "expected"),
    [
        (["10.0.0.0/16"], "172.20.0.0/16"),
        (["10.0.0.0/16", "172.16.0.0/12"], "10.100.0.0/16"),
        (["172.20.128.0/20"], "10.100.0.0/16"),
    ],
)
def test_services_get_the_block_that_overlaps_nothing(cidrs: list[str], expected: str) -> None:
    assert pick_service_cidr(cidrs) == expected


@pytest.mark.parametrize(
    ("instance_type", "shared", "custom"),
    [
        # Four interfaces on card 0: the primary, an EFA, two more.
        ("p5en.48xlarge", 3, 2),
        # Two: the primary and an EFA. Custom networking leaves nothing.
        ("p5.48xlarge", 1, 0),
        # Card 0 takes no EFA.
        ("p6-b300.48xlarge", 4, 3),
        ("m7i.2xlarge", 4, 3),
    ],
)
def test_interfaces_that_carry_pods(instance_type: str, shared: int, custom: int) -> None:
    spec = find_instance_type(instance_type)
    interfaces = lay_out_interfaces(spec)
    assert pod_interfaces(spec, interfaces, has_custom_networking=False) == shared
    assert pod_interfaces(spec, interfaces, has_custom_networking=True) == custom


@pytest.mark.parametrize("name", instance_types())
def test_a_node_never_promises_more_pods_than_it_can_address(name: str) -> None:
    spec = find_instance_type(name)
    interfaces = lay_out_interfaces(spec)
    for is_custom in (True, False):
        pods = max_pods(spec, interfaces, has_custom_networking=is_custom)
        carriers = pod_interfaces(spec, interfaces, has_custom_networking=is_custom)
        assert pods <= carriers * (spec.ipv4_per_interface - 1) * 16 + 2
        assert pods <= (110 if spec.vcpus < 30 else 250)

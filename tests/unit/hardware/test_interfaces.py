"""The layout of network interfaces, over the catalogue and over made-up types."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusterwright.hardware import (
    InstanceSpec,
    Interface,
    NetworkCard,
    find_instance_type,
    instance_types,
    lay_out_interfaces,
    summarize_interfaces,
)

PRIMARY = Interface(0, 0, "interface")

card_kinds = st.sampled_from(
    [("interface",), ("interface", "efa", "efa-only"), ("interface", "efa"), ("efa-only",)]
)


@st.composite
def made_up_specs(draw: st.DrawFn) -> InstanceSpec:
    """A type with any mixture of cards; card 0 takes the primary, as on every type of EC2."""
    first = draw(st.sampled_from([("interface",), ("interface", "efa", "efa-only")]))
    others = draw(st.lists(card_kinds, max_size=40))
    cards = [
        NetworkCard(index, draw(st.integers(1, 15)), kinds, 100.0)
        for index, kinds in enumerate([first, *others])
    ]
    indexes = st.none() | st.sets(st.integers(0, 40)).map(lambda chosen: tuple(sorted(chosen)))
    return replace(
        find_instance_type("p5.48xlarge"),
        network_cards=tuple(cards),
        max_efa_interfaces=draw(st.integers(0, 40)),
        efa_cards=draw(indexes),
    )


def catalogue_specs() -> st.SearchStrategy[InstanceSpec]:
    return st.sampled_from(instance_types()).map(find_instance_type)


def assert_can_launch(spec: InstanceSpec) -> None:
    """What EC2 checks when an instance starts."""
    interfaces = lay_out_interfaces(spec)
    cards = {card.index: card for card in spec.network_cards}
    assert interfaces[0] == PRIMARY
    assert [interface.kind for interface in interfaces].count("interface") == 1
    assert sum(interface.kind in {"efa", "efa-only"} for interface in interfaces) <= spec.max_efa_interfaces
    places = [(interface.card, interface.device) for interface in interfaces]
    assert len(places) == len(set(places))
    for interface in interfaces:
        assert interface.kind in cards[interface.card].interface_types
    for index, count in Counter(interface.card for interface in interfaces).items():
        assert count <= cards[index].max_interfaces


@pytest.mark.parametrize("name", instance_types())
def test_every_type_of_the_catalogue_can_launch(name: str) -> None:
    assert_can_launch(find_instance_type(name))


@given(made_up_specs() | catalogue_specs())
def test_any_type_can_launch(spec: InstanceSpec) -> None:
    assert_can_launch(spec)


@given(made_up_specs() | catalogue_specs())
def test_efas_are_in_the_order_of_their_cards_and_one_a_card(spec: InstanceSpec) -> None:
    cards = [interface.card for interface in lay_out_interfaces(spec)[1:]]
    assert cards == sorted(set(cards))


@given(made_up_specs())
def test_no_card_with_room_is_left_without_efa_below_the_limit(spec: InstanceSpec) -> None:
    used = {interface.card for interface in lay_out_interfaces(spec)[1:]}
    room = {
        card.index
        for card in spec.network_cards
        if card.takes_efa and card.max_interfaces > (card.index == 0)
    }
    wanted = room if spec.efa_cards is None else room & set(spec.efa_cards)
    assert len(used) == min(len(wanted), spec.max_efa_interfaces)
    assert used <= wanted


@given(catalogue_specs().filter(lambda spec: spec.efa_cards is None))
def test_a_type_gets_all_the_efas_that_it_has(spec: InstanceSpec) -> None:
    assert len(lay_out_interfaces(spec)) - 1 == spec.max_efa_interfaces


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("p4d.24xlarge", 4),
        ("p6-b200.48xlarge", 8),
        ("p5en.48xlarge", 16),
        ("trn2.48xlarge", 16),
        ("p5.48xlarge", 32),
    ],
)
def test_cards_that_all_take_efa(name: str, cards: int) -> None:
    further = [Interface(card, 0, "efa-only") for card in range(1, cards)]
    expected = (PRIMARY, Interface(0, 1, "efa-only"), *further)
    assert lay_out_interfaces(find_instance_type(name)) == expected


def test_card_0_of_b300_takes_no_efa() -> None:
    interfaces = lay_out_interfaces(find_instance_type("p6-b300.48xlarge"))
    assert interfaces == (PRIMARY, *(Interface(card, 0, "efa-only") for card in range(1, 17)))


def test_gb200_uses_one_card_a_gpu() -> None:
    interfaces = lay_out_interfaces(find_instance_type("p6e-gb200.36xlarge"))
    assert interfaces == (PRIMARY, *(Interface(card, 0, "efa-only") for card in (1, 5, 9, 13)))


def test_single_card_with_efa() -> None:
    assert lay_out_interfaces(find_instance_type("g5.48xlarge")) == (PRIMARY, Interface(0, 1, "efa-only"))


def test_type_without_efa() -> None:
    assert lay_out_interfaces(find_instance_type("m7i.2xlarge")) == (PRIMARY,)


def test_card_that_knows_no_efa_only_gets_efa() -> None:
    card = NetworkCard(0, 2, ("interface", "efa"), 100.0)
    spec = replace(find_instance_type("g5.48xlarge"), network_cards=(card,))
    assert lay_out_interfaces(spec) == (PRIMARY, Interface(0, 1, "efa"))


def test_full_card_0_gets_no_efa() -> None:
    card = NetworkCard(0, 1, ("interface", "efa", "efa-only"), 100.0)
    spec = replace(find_instance_type("g5.48xlarge"), network_cards=(card,))
    assert lay_out_interfaces(spec) == (PRIMARY,)


@pytest.mark.parametrize(
    ("name", "summary"),
    [
        ("m7i.2xlarge", "interface@0/0"),
        ("g5.48xlarge", "interface@0/0, efa-only@0/1"),
        ("hpc7a.96xlarge", "interface@0/0, efa-only@0/1, efa-only@1/0"),
        ("trn2.48xlarge", "interface@0/0, efa-only@0/1, efa-only@1-15/0"),
        ("p6-b300.48xlarge", "interface@0/0, efa-only@1-16/0"),
        ("p6e-gb200.36xlarge", "interface@0/0, efa-only@1,5,9,13/0"),
    ],
)
def test_summary(name: str, summary: str) -> None:
    assert summarize_interfaces(lay_out_interfaces(find_instance_type(name))) == summary

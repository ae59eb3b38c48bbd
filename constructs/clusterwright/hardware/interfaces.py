"""Which network interfaces an instance gets: a function of its type.

AWS's rules (EC2 User Guide, "Maximize network bandwidth on Amazon EC2 instances with multiple network cards",
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html, read 2026-11-20):

- Card 0, device 0 is the primary and a plain ``interface``; an EFA-only interface cannot be the primary.
- Where card 0 takes an EFA, it is at device 1. Every further card has its EFA at device 0.

An EFA-only interface has no IP address, so a node takes one address of the subnet for itself, however many
cards it has. Which card takes what is data: card 0 of p6-b300 takes no EFA, and p6e-gb200 uses only some.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusterwright.hardware.model import InstanceSpec, NetworkCard

InterfaceKind = Literal["interface", "efa", "efa-only"]


@dataclass(frozen=True, slots=True)
class Interface:
    """One network interface of an instance.

    Attributes:
        card: Network card index.
        device: Device index on that card.
        kind: ``interface`` is IP only, ``efa`` IP and EFA, ``efa-only`` EFA without an IP address.
    """

    card: int
    device: int
    kind: InterfaceKind


def lay_out_interfaces(spec: InstanceSpec) -> tuple[Interface, ...]:
    """The interfaces that give an instance its whole EFA bandwidth with a single IP address.

    Args:
        spec: The instance type.

    Returns:
        The primary interface, then the EFAs in the order of their cards.
    """
    efas = [_lay_out_efa(card) for card in spec.network_cards if _has_room_for_efa(card, spec)]
    return (Interface(0, 0, "interface"), *efas[: spec.max_efa_interfaces])


def _has_room_for_efa(card: NetworkCard, spec: InstanceSpec) -> bool:
    is_chosen = spec.efa_cards is None or card.index in spec.efa_cards
    taken = 1 if card.index == 0 else 0
    return is_chosen and card.takes_efa and card.max_interfaces > taken


def _lay_out_efa(card: NetworkCard) -> Interface:
    kind: InterfaceKind = "efa-only" if "efa-only" in card.interface_types else "efa"
    return Interface(card.index, 1 if card.index == 0 else 0, kind)


def summarize_interfaces(interfaces: Iterable[Interface]) -> str:
    """A layout in one line; ``efa-only@1-15/0`` is one EFA on each of cards 1 to 15, at device 0."""
    parts = []
    for (kind, device), group in groupby(interfaces, key=lambda item: (item.kind, item.device)):
        cards = [interface.card for interface in group]
        parts.append(f"{kind}@{_shorten(cards)}/{device}")
    return ", ".join(parts)


def _shorten(cards: Sequence[int]) -> str:
    is_run = len(cards) > 1 and cards[-1] - cards[0] == len(cards) - 1
    return f"{cards[0]}-{cards[-1]}" if is_run else ",".join(str(card) for card in cards)

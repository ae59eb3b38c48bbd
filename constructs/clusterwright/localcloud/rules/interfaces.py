"""EC2: which network interfaces an instance type takes.

Source: EC2 user guide, "Elastic Fabric Adapter on Amazon EC2" and "Maximize network bandwidth", read
2026-11-20; card data by DescribeInstanceTypes.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DEFAULT_TYPE = "interface"


def interface_problems(
    instance_type: str,
    cards: Sequence[Mapping[str, Any]] | None,
    interfaces: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    """What EC2 would refuse when it launches an instance with these interfaces.

    Args:
        instance_type: The type.
        cards: Its network cards as in ``NetworkInfo.NetworkCards``; None where they are not known.
        interfaces: As in ``LaunchTemplateData.NetworkInterfaces``.
    """
    places = Counter(_place(interface) for interface in interfaces)
    for (card, device), times in places.items():
        if times > 1:
            yield f"Network card {card}, device {device} is used {times} times."
    primary = [interface for interface in interfaces if _place(interface) == (0, 0)]
    if not primary:
        yield "There is no primary interface at network card 0, device 0."
    elif _type(primary[0]) == "efa-only":
        yield "The primary interface cannot be efa-only: it has no IP address."
    if cards is None:
        return
    by_index = {int(card["NetworkCardIndex"]): card for card in cards}
    for interface in interfaces:
        yield from _card_problems(instance_type, by_index, interface)
    per_card = Counter(_place(interface)[0] for interface in interfaces)
    for card, count in per_card.items():
        most = int(by_index.get(card, {}).get("MaximumNetworkInterfaces", count))
        if count > most:
            yield f"Network card {card} of {instance_type} takes {most} interfaces, not {count}."


def _card_problems(
    instance_type: str, cards: Mapping[int, Mapping[str, Any]], interface: Mapping[str, Any]
) -> Iterator[str]:
    index = _place(interface)[0]
    if index not in cards:
        yield f"{instance_type} has network cards 0 to {max(cards, default=0)}; there is no card {index}."
        return
    allowed = cards[index].get("InterfaceTypes", [DEFAULT_TYPE])
    if _type(interface) not in allowed:
        yield (
            f"Network card {index} of {instance_type} does not take interface type "
            f"{_type(interface)}; it takes {', '.join(allowed)}."
        )


def _place(interface: Mapping[str, Any]) -> tuple[int, int]:
    return int(interface.get("NetworkCardIndex", 0)), int(interface.get("DeviceIndex", 0))


def _type(interface: Mapping[str, Any]) -> str:
    return str(interface.get("InterfaceType", DEFAULT_TYPE))

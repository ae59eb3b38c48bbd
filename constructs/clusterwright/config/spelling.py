"""Near spellings for what a user has mistyped, and near numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def suggest(word: object, choices: Iterable[str]) -> str:
    """``did you mean …?`` for the nearest of the choices, or an empty text where none is near."""
    near = find_nearest(word, choices)
    return f"did you mean {near}?" if near else ""


NEAR = 0.6
"""From this likeness on a word is worth asking about; of equal words it is 1."""

SURE = 0.75
"""From this likeness on a word is hardly anything else misspelt."""


def find_nearest(word: object, choices: Iterable[str], likeness: float = NEAR) -> str | None:
    """The choice that is spelled most like a word, or None where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415  costs milliseconds, and only mistakes need it

    return next(iter(get_close_matches(str(word)[:100], list(choices), n=1, cutoff=likeness)), None)


def say_nearest(values: Sequence[object], unit: str = "") -> str:
    """Values as a hint names them: ``the nearest are 1200 or 2400 GiB``; empty where there are none."""
    if not values:
        return ""
    words = " or ".join(str(value) for value in values) + (f" {unit}" if unit else "")
    return f"the nearest {'is' if len(values) == 1 else 'are'} {words}"


def find_neighbours(number: float, choices: Iterable[float]) -> tuple[float, ...]:
    """The next lower and the next higher of some numbers, as far as there are any."""
    ordered = sorted(choices)
    return (
        *[each for each in ordered if each < number][-1:],
        *[each for each in ordered if each > number][:1],
    )

"""Whole numbers that AWS accepts: some single ones, then the multiples of a step."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Steps:
    """The legal values of a number.

    Attributes:
        single: Legal values that need not follow the step, ascending, all below the first multiple.
        step: The difference between the other legal values, which are multiples of it; 0 for none.
        first: The least legal multiple; the step itself where it is 0.
        last: The greatest legal multiple; 0 for no limit.
    """

    single: tuple[int, ...] = ()
    step: int = 0
    first: int = 0
    last: int = 0

    def __contains__(self, value: int) -> bool:
        return value in self.single or self._lower_multiple(value) == value

    def nearest(self, value: int) -> tuple[int, ...]:
        """The legal value itself, or the next lower and the next higher one, as far as there are any."""
        lower = max(
            [
                each
                for each in (*self.single, self._lower_multiple(value))
                if each is not None and each <= value
            ],
            default=None,
        )
        higher = min(
            [
                each
                for each in (*self.single, self._higher_multiple(value))
                if each is not None and each >= value
            ],
            default=None,
        )
        found = [each for each in (lower, higher) if each is not None]
        return tuple(dict.fromkeys(found))

    def _lower_multiple(self, value: int) -> int | None:
        """The greatest legal multiple that is not above a value, or None."""
        capped = min(value, self.last) if self.last else value
        if not self.step or capped < self._least:
            return None
        return capped - capped % self.step

    def _higher_multiple(self, value: int) -> int | None:
        """The least legal multiple that is not below a value, or None."""
        if not self.step:
            return None
        multiple = max(self._least, -(-value // self.step) * self.step)
        return None if self.last and multiple > self.last else multiple

    @property
    def _least(self) -> int:
        return self.first or self.step

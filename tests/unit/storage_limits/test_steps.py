"""Steps against the plainest way to say the same: a list of all legal values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clusterwright.storage_limits.steps import Steps

LIMIT = 400


@st.composite
def steps_and_values(draw: st.DrawFn) -> tuple[Steps, list[int]]:
    """Steps, and every value up to `LIMIT` that they allow."""
    step = draw(st.integers(0, 60))
    first = step * draw(st.integers(1, 3)) if step and draw(st.booleans()) else 0
    last = draw(st.integers(first or step, LIMIT)) if step and draw(st.booleans()) else 0
    single = tuple(sorted(draw(st.sets(st.integers(0, max((first or step) - 1, 0)), max_size=3))))
    multiples = range(first or step, (last or LIMIT) + 1, step) if step else ()
    return Steps(single, step, first, last), sorted({*single, *multiples})


@given(steps_and_values(), st.integers(0, LIMIT - 60))
def test_a_value_is_legal_if_it_is_listed(case: tuple[Steps, list[int]], value: int) -> None:
    steps, legal = case
    assert (value in steps) == (value in legal)


@given(steps_and_values(), st.integers(0, LIMIT - 60))
def test_nearest_are_the_neighbours_in_the_list(case: tuple[Steps, list[int]], value: int) -> None:
    steps, legal = case
    below = [each for each in legal if each <= value][-1:]
    above = [each for each in legal if each >= value][:1]
    assert steps.nearest(value) == tuple(dict.fromkeys(below + above))

"""Names made of the user's names: never the same for two, and never longer than AWS takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clusterwright.labels import output_id, pascal_case, storage_label, volume_name

NAMES = st.from_regex(r"[ab](-?[ab1]){0,5}", fullmatch=True)


@given(NAMES, NAMES)
def test_different_names_have_different_ids(one: str, other: str) -> None:
    assert (pascal_case(one) == pascal_case(other)) == (one == other)
    assert (output_id(one) == output_id(other)) == (one == other)


@given(NAMES)
def test_outputs_are_named_in_letters_and_digits(name: str) -> None:
    assert output_id(name).isalnum()
    assert output_id(name).startswith(pascal_case(name).replace("-", ""))


def test_ids_stay_readable() -> None:
    assert pascal_case("hot-shards") == output_id("hot-shards") == "HotShards"
    assert pascal_case("run-2") == "Run-2"
    assert output_id("run2") == "Run2"


def test_labels_are_as_short_as_eks_wants_them() -> None:
    for section in ("buckets", "express", "lustre"):
        assert len(storage_label(volume_name(f"{section}.{'a' * 32}"))) <= 63

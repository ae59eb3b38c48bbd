"""Whatever tools print and files hold, there is an answer, and it is never "ok" by accident."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import slurm_node
from hypothesis import given
from hypothesis import strategies as st

from clusterwright_lifecycle.expectations import make_expectations
from clusterwright_lifecycle.verify.checks import verify
from clusterwright_lifecycle.verify.node import Node, is_version, shorten
from clusterwright_lifecycle.verify.program import draw_table, make_report, take_inventory

EXPECTED = make_expectations(slurm_node())
WORDS = st.sampled_from(
    [
        "GPU 0: ",
        "\t Link 0: 26.562 GB/s",
        ",",
        "\n",
        "N/A",
        "[N/A]",
        "8",
        "-1",
        "version ",
        "net type: ",
        "/ x y",
        "{}",
    ]
)
GARBAGE = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map("".join))


class NodeOfGarbage(Node):
    """A node where everything says the same."""

    def __init__(self, text: str) -> None:
        super().__init__(Path("/nowhere"), seconds=0)
        self.text = text

    def read(self, path: str) -> str:
        """The garbage."""
        del path
        return self.text

    def run(self, *command: str) -> str:
        """The garbage."""
        del command
        return self.text

    def find(self, pattern: str) -> list[Path]:
        """One file of that name, which is not there."""
        return [Path(pattern.replace("*", "0"))]


@given(GARBAGE)
def test_garbage_is_a_difference_and_never_a_crash(text: str) -> None:
    checks = verify(NodeOfGarbage(text), EXPECTED)
    assert len(checks) > 20
    assert {check.state for check in checks} <= {"ok", "differs", "missing", "skipped"}
    report = make_report(EXPECTED, checks)
    assert report["state"] == "differs"
    assert all(line.isprintable() for line in draw_table(checks).splitlines())
    assert all(check.hint or check.expected == "to be told" for check in checks if check.state == "differs")


@given(GARBAGE)
def test_an_inventory_of_garbage_is_one(text: str) -> None:
    inventory: dict[str, Any] = take_inventory(NodeOfGarbage(text))
    assert set(inventory) == {"versions", "missing", "untold", "gpus", "infiniband"}


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("2.30.7", "2.30.7-1"),
        ("2.30.7-1", "2.30.7"),
        ("58.0", "58.amzn0"),
        ("13.0U2", "13.0.2"),
        ("13.0", "13.0.2"),
        ("3.3.0", "3.3.0g"),
        ("2.6.0amzn1.0", "2.6.0amzn1.0"),
        ("2.15.6-1fsx34", "2.15.6"),
    ],
)
def test_the_same_version_is_recognized_however_it_is_packaged(expected: str, found: str) -> None:
    assert is_version(expected, found)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("2.30.7", "2.30.70"),
        ("2.30.7", "2.30"),
        ("580.159.03", "580.159.04"),
        ("2.6.0amzn1.0", "2.6.0amzn2.0"),
        ("1.50.0", ""),
        ("", "1.50.0"),
    ],
)
def test_another_version_is_another(expected: str, found: str) -> None:
    assert not is_version(expected, found)


@given(st.text())
def test_what_is_quoted_fits_a_line(text: str) -> None:
    assert shorten(text).isprintable()
    assert len(shorten(text)) <= 120

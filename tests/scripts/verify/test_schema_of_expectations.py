"""Who writes expected.json and who reads it name the same version of its form."""

from __future__ import annotations

from clusterwright_lifecycle import expectations
from clusterwright_lifecycle.verify import program


def test_writer_and_reader_agree() -> None:
    assert expectations.SCHEMA == program.SCHEMA

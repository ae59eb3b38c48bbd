"""The examples, as the library finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterwright import examples
from clusterwright.errors import ClusterwrightError

if TYPE_CHECKING:
    from pathlib import Path


def test_examples_are_those_of_the_docs(root: Path) -> None:
    files = sorted(path.stem for path in (root / "docs/examples").glob("*.yaml"))
    assert list(examples.example_names()) == files
    assert examples.default_example().read_text().startswith("# Thirty-two p5en.48xlarge")


def test_unknown_example_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ClusterwrightError, match="there are eks-closed-network, "):
        examples.example_path("eks-h2oo")


def test_examples_of_the_package_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.yaml").write_text("version: 1\n")
    monkeypatch.setattr(examples, "_IN_PACKAGE", tmp_path)
    assert examples.example_names() == ("mine",)
    assert examples.example_path("mine") == tmp_path / "mine.yaml"

"""The example clusters: data of the installed package, or ``docs/examples`` of a checkout."""

from __future__ import annotations

from pathlib import Path

from clusterwright.errors import ClusterwrightError

DEFAULT_EXAMPLE = "eks-h200"

_IN_PACKAGE = Path(__file__).parent / "examples_data"
_IN_CHECKOUT = Path(__file__).parents[2] / "docs" / "examples"


def example_names() -> tuple[str, ...]:
    """The names of all examples, sorted."""
    return tuple(sorted(path.stem for path in _folder().glob("*.yaml")))


def example_path(name: str) -> Path:
    """The file of an example.

    Args:
        name: One of `example_names()`.

    Raises:
        ClusterwrightError: There is no such example.
    """
    if name not in example_names():
        raise ClusterwrightError(f"there is no example {name!r}; there are {', '.join(example_names())}")
    return _folder() / f"{name}.yaml"


def default_example() -> Path:
    """The file of the main example: 32 p5en.48xlarge from a capacity block."""
    return example_path(DEFAULT_EXAMPLE)


def _folder() -> Path:
    return _IN_PACKAGE if _IN_PACKAGE.is_dir() else _IN_CHECKOUT

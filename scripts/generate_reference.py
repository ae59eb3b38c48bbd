"""Writes the generated pages of docs/reference: cluster.yaml's fields, and the findings.

Run it after a change of a model or a rule; a test compares what it writes with what is there.
"""

from __future__ import annotations

from pathlib import Path

from clusterwright.checks.reference import render_reference as render_checks
from clusterwright.config.reference import render_reference as render_config

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

PAGES = {"config.md": render_config, "checks.md": render_checks}
"""Each generated page and what renders it."""


def main() -> None:
    """Write every page."""
    for name, render in PAGES.items():
        (FOLDER / name).write_text(render(), encoding="utf-8")
        print(FOLDER / name)


if __name__ == "__main__":
    main()

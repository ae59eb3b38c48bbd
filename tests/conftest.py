"""What every test needs: the Node of this environment for jsii, and no two-second validator at each synth."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clusterwright.cdk_cli import find_node

os.environ["JSII_NODE"] = str(find_node())
# One test turns it on (tests/synth/test_template_lint.py); see docs/reference/performance.md.
os.environ["CDK_VALIDATION"] = "false"

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.yaml"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden", action="store_true", help="write the golden files anew instead of comparing"
    )


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(params=EXAMPLES, ids=lambda path: path.stem)
def example(request: pytest.FixtureRequest) -> Path:
    """Each example cluster in turn."""
    path: Path = request.param
    return path

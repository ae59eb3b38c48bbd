"""What every test needs: the Node of this environment for jsii, and no two-second validator at each synth."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clusterwright.cdk_cli import find_node

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.fixture(scope="session")
def mask_scripts() -> Callable[[str], str]:
    """Take the digests of the node scripts out of a template: a comma in one would change every template.

    What the scripts themselves are is golden too, in files of their own.
    """

    def mask(text: str) -> str:
        return re.sub(r"(?<=\.tar )[0-9a-f]{64}", "SHA256", re.sub(r"[0-9a-f]{64}(?=\.tar)", "KEY", text))

    return mask

"""An embedded AWS for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_templates import BLOCK_ID, Deployer

from clusterwright.localcloud import CapacityReservation, LocalCloud

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def cloud() -> Iterator[LocalCloud]:
    """A running embedded AWS with one capacity block of p5en.48xlarge in use2-az3."""
    with LocalCloud(region="us-east-2") as running:
        running.add_reservation(
            CapacityReservation(BLOCK_ID, "p5en.48xlarge", "use2-az3", count=4, is_block=True)
        )
        yield running


@pytest.fixture
def deployer(cloud: LocalCloud) -> Deployer:
    """A deployer into the embedded AWS."""
    return Deployer(cloud)

"""The node labels that clusterwright sets, by which workloads and people find nodes."""

from __future__ import annotations

LABEL_DOMAIN = "clusterwright.dev"

POOL_LABEL = f"{LABEL_DOMAIN}/pool"
"""The user's name of the pool."""

PURPOSE_LABEL = f"{LABEL_DOMAIN}/purpose"
"""What runs there: ``system``, ``batch``, ``realtime`` or ``interactive``."""

CAPACITY_TYPE_LABEL = f"{LABEL_DOMAIN}/capacity-type"
"""How the nodes are bought, such as ``capacity-block``."""

ACCELERATOR_LABEL = f"{LABEL_DOMAIN}/accelerator"
"""EC2's name of the accelerator, in lower case, such as ``h200``."""

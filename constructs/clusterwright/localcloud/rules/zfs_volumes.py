"""FSx for OpenZFS: quotas of users and groups.

Source: FSx API reference, "OpenZFSUserOrGroupQuota" and "CreateOpenZFSVolumeConfiguration", read 2026-11-20.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_QUOTAS = 500


def quota_problems(settings: Mapping[str, Any]) -> Iterator[str]:
    """What FSx refuses in the quotas of a volume."""
    quotas = settings.get("UserAndGroupQuotas") or []
    if len(quotas) > MOST_QUOTAS:
        yield f"A volume has at most {MOST_QUOTAS} quotas, not {len(quotas)}."
    owners = Counter((quota["Type"], quota["Id"]) for quota in quotas)
    for (kind, identifier), times in owners.items():
        if times > 1:
            yield f"{kind} {identifier} has {times} quotas."

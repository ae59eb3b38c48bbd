"""The rules on Slurm, in the order of the reference; loaded for clusters that run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rules import (
    kubernetes_only_field,
    missing_mirror,
    no_compute_pool,
    refused_accounting,
    repeated_uid,
    reserved_user,
    shared_slurm_role,
    unknown_slurm_pool,
    wrong_controller_size,
)

if TYPE_CHECKING:
    from clusterwright.checks.rule import Rule

SLURM_RULES: tuple[Rule, ...] = (
    unknown_slurm_pool.RULE,
    wrong_controller_size.RULE,
    shared_slurm_role.RULE,
    no_compute_pool.RULE,
    refused_accounting.RULE,
    repeated_uid.RULE,
    reserved_user.RULE,
    kubernetes_only_field.RULE,
    missing_mirror.RULE,
)

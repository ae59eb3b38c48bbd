"""POL006: two taints of one key and effect on one pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusterwright.checks.rule import Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusterwright.checks.rule import Subject


def _find(subject: Subject) -> Iterator[Violation]:
    for name, pool in subject.cluster.pools.items():
        seen: set[tuple[str, str]] = set()
        for at, taint in enumerate(pool.taints):
            key_and_value, effect = taint.rsplit(":", 1)
            identity = (key_and_value.split("=", 1)[0], effect)
            if identity in seen:
                message = f"the pool {name} already has a taint of the key {identity[0]} with {effect}"
                yield Violation(("pools", name, "taints", at), message, "keep one of them")
            seen.add(identity)


RULE = Rule(
    code="POL006",
    severity="error",
    title="A pool has two taints of one key and effect.",
    find=_find,
    source="Kubernetes API, Node: a taint is identified by key and effect; read November 2026",
)

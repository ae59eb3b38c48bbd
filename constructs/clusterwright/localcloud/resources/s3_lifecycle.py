"""CloudFormation's lifecycle rules of a bucket, in the words of S3's API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterwright.localcloud.errors import ResourceRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KNOWN = frozenset(
    {
        "AbortIncompleteMultipartUpload",
        "ExpirationInDays",
        "ExpiredObjectDeleteMarker",
        "Id",
        "NoncurrentVersionExpiration",
        "Prefix",
        "Status",
        "Transitions",
    }
)


def api_rules(rules: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rules as PutBucketLifecycleConfiguration takes them.

    Raises:
        ResourceRefusedError: A rule has something that the embedded AWS does not keep.
    """
    return [_api_rule(rule) for rule in rules]


def _api_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(rule.keys() - KNOWN)
    if unknown:
        raise ResourceRefusedError(f"the embedded AWS does not keep {', '.join(unknown)} of a lifecycle rule")
    converted: dict[str, Any] = {"Status": rule["Status"], "Filter": {"Prefix": rule.get("Prefix", "")}}
    if "Id" in rule:
        converted["ID"] = rule["Id"]
    if "ExpirationInDays" in rule:
        converted["Expiration"] = {"Days": int(rule["ExpirationInDays"])}
    elif "ExpiredObjectDeleteMarker" in rule:
        converted["Expiration"] = {"ExpiredObjectDeleteMarker": rule["ExpiredObjectDeleteMarker"]}
    if "Transitions" in rule:
        converted["Transitions"] = [
            {"Days": int(item["TransitionInDays"]), "StorageClass": item["StorageClass"]}
            for item in rule["Transitions"]
        ]
    for name in ("NoncurrentVersionExpiration", "AbortIncompleteMultipartUpload"):
        if name in rule:
            converted[name] = rule[name]
    return converted

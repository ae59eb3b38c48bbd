"""What a Kubernetes server does not let change on an object that exists.

Source: Kubernetes 1.35, ``ValidatePersistentVolumeUpdate`` and ``ValidateStorageClassUpdate``; the gate
``MutablePVNodeAffinity`` is off there unless it is switched on, which EKS does not offer. Read 2026-11-20.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VOLUME_SOURCES = frozenset({"csi", "fc", "hostPath", "iscsi", "local", "nfs"})
"""Where the data of a volume can be; the in-tree drivers of clouds are gone."""

CLASS_FIELDS = ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")


def immutable_problems(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What cannot change between two manifests of one object."""
    if new["kind"] == "PersistentVolume":
        yield from _volume_problems(old["spec"], new["spec"])
    if new["kind"] == "StorageClass":
        for field in CLASS_FIELDS:
            if old.get(field) != new.get(field):
                yield f"{field}: updates are forbidden"


def _volume_problems(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    if _source(old) != _source(new):
        yield "spec.persistentvolumesource: is immutable after creation"
    if "nodeAffinity" in old and old["nodeAffinity"] != new.get("nodeAffinity"):
        yield "spec.nodeAffinity: field is immutable"
    if old.get("volumeMode") != new.get("volumeMode"):
        yield "spec.volumeMode: field is immutable"


def _source(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {name: spec[name] for name in VOLUME_SOURCES & spec.keys()}

"""The objects of one cluster, and what kubectl does with them."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from clusterwright.errors import LocalCloudError
from clusterwright.localcloud.kubernetes.immutable import immutable_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Manifest = dict[str, Any]
"""An object of Kubernetes."""

OWN_NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")
NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
LONGEST_NAME = 253

CLUSTER_SCOPED = frozenset(
    {
        "APIService",
        "CSIDriver",
        "CSINode",
        "ClusterRole",
        "ClusterRoleBinding",
        "CustomResourceDefinition",
        "DeviceClass",
        "IngressClass",
        "MutatingWebhookConfiguration",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PriorityClass",
        "ResourceSlice",
        "RuntimeClass",
        "StorageClass",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "VolumeAttachment",
    }
)
"""Kinds without a namespace, as ``kubectl api-resources --namespaced=false`` lists them."""

PRUNED_BY_DEFAULT = frozenset(
    {
        "ConfigMap",
        "CronJob",
        "DaemonSet",
        "Deployment",
        "Endpoints",
        "Ingress",
        "Job",
        "Namespace",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "Pod",
        "ReplicaSet",
        "ReplicationController",
        "Secret",
        "Service",
        "StatefulSet",
    }
)
"""Kinds that ``kubectl apply --prune`` looks at without an allow list (kubectl reference, "apply")."""


class KubernetesError(LocalCloudError):
    """What the Kubernetes API refuses."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What makes an object one of its own.

    Attributes:
        kind: Such as ``PersistentVolume``.
        namespace: Empty for kinds without one.
        name: Its name.
    """

    kind: str
    namespace: str
    name: str

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Key:
        """The key of a manifest."""
        kind, metadata = manifest["kind"], manifest["metadata"]
        namespace = "" if kind in CLUSTER_SCOPED else metadata.get("namespace", "default")
        return cls(kind, namespace, metadata["name"])

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"' + (f" in {self.namespace}" if self.namespace else "")


class KubernetesApi:
    """The objects that were applied to one cluster."""

    def __init__(self) -> None:
        self._objects: dict[Key, Manifest] = {}

    def list(self, kind: str, namespace: str | None = None) -> list[Manifest]:
        """Objects of a kind by name, of one namespace where asked."""
        return [
            deepcopy(item)
            for key, item in sorted(self._objects.items())
            if key.kind == kind and namespace in (None, key.namespace)
        ]

    def create(self, manifests: Sequence[Mapping[str, Any]]) -> None:
        """Add objects, as ``kubectl create`` does.

        Raises:
            KubernetesError: One exists, or is refused; then none is added.
        """
        for manifest in manifests:
            if Key.of(manifest) in self._objects:
                raise KubernetesError(f"AlreadyExists: {Key.of(manifest)} already exists")
        self.apply(manifests)

    def apply(self, manifests: Sequence[Mapping[str, Any]]) -> None:
        """Add or change objects, as ``kubectl apply`` does.

        Raises:
            KubernetesError: One is refused; then nothing changes.
        """
        problems = [problem for manifest in manifests for problem in self._problems(manifest, manifests)]
        if problems:
            raise KubernetesError("Invalid: " + "; ".join(problems))
        for manifest in manifests:
            self._write(manifest)

    def prune(self, label: str, kept: Iterable[Mapping[str, Any]]) -> None:
        """Delete what carries a label and is not in the manifests, as ``kubectl apply --prune -l`` does.

        Args:
            label: A key, or ``KEY=VALUE``.
            kept: The manifests that were applied.
        """
        keys, (name, _, value) = {Key.of(manifest) for manifest in kept}, label.partition("=")
        for key, item in list(self._objects.items()):
            labels = item["metadata"].get("labels", {})
            is_labelled = name in labels and value in ("", labels[name])
            if is_labelled and key.kind in PRUNED_BY_DEFAULT and key not in keys:
                del self._objects[key]

    def delete(self, manifests: Iterable[Mapping[str, Any]]) -> None:
        """Delete objects; those that are not there are passed over."""
        for manifest in manifests:
            self._objects.pop(Key.of(manifest), None)

    def _write(self, manifest: Mapping[str, Any]) -> None:
        key, written = Key.of(manifest), deepcopy(dict(manifest))
        before = self._objects.get(key, {}).get("metadata", {})
        written["metadata"] |= {
            "uid": before.get("uid", str(uuid4())),
            "creationTimestamp": before.get("creationTimestamp", datetime.now(UTC).isoformat()),
        }
        if key.namespace:
            written["metadata"]["namespace"] = key.namespace
        self._objects[key] = written

    def _problems(self, manifest: Mapping[str, Any], together: Sequence[Mapping[str, Any]]) -> Iterable[str]:
        key = Key.of(manifest)
        if len(key.name) > LONGEST_NAME or not NAME.fullmatch(key.name):
            yield f"{key}: the name must be a lowercase DNS name"
        namespaces = {each["metadata"]["name"] for each in together if each["kind"] == "Namespace"}
        if key.namespace and key.namespace not in {*OWN_NAMESPACES, *namespaces, *self._names("Namespace")}:
            yield f'{key}: namespaces "{key.namespace}" not found'
        if key in self._objects:
            yield from (f"{key}: {problem}" for problem in immutable_problems(self._objects[key], manifest))

    def _names(self, kind: str) -> set[str]:
        return {key.name for key in self._objects if key.kind == kind}

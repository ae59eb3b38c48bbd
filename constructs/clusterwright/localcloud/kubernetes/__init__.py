"""A recorded Kubernetes API: manifests are checked as a server would, kept, and never run."""

from __future__ import annotations

from clusterwright.localcloud.kubernetes.api import KubernetesApi, KubernetesError, Manifest

__all__ = ["KubernetesApi", "KubernetesError", "Manifest"]

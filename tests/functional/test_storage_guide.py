"""The manifests in the storage guide: Kubernetes takes them, and they mount what the example has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from documentation import read_examples

from clusterwright.config.loading import read_cluster
from clusterwright.labels import volume_name
from clusterwright.localcloud.kubernetes.api import KubernetesApi

if TYPE_CHECKING:
    from pathlib import Path

    from clusterwright.config.storage import StorageConfig


@pytest.fixture
def guide(root: Path) -> KubernetesApi:
    """A cluster to which the guide's manifests were applied; it refuses what its schemas do not allow."""
    api = KubernetesApi()
    for example in read_examples(root / "docs/guides/storage.md"):
        if example.text.startswith("apiVersion: "):
            api.apply(list(yaml.safe_load_all(example.text)))
    return api


@pytest.fixture
def storage(root: Path) -> StorageConfig:
    cluster = read_cluster(root / "docs/examples/storage-tiers.yaml").cluster
    assert cluster is not None
    return cluster.storage


def mounts(storage: StorageConfig) -> dict[str, str]:
    """Where the file mounts each file system, by the name of its class."""
    found = {volume_name(f"lustre.{name}"): system.mount for name, system in storage.lustre.items()}
    assert storage.home is not None
    return found | {"home": storage.home.mount}


def test_claims_ask_for_what_the_example_has(guide: KubernetesApi, storage: StorageConfig) -> None:
    assert storage.home is not None
    sizes = {"lustre-scratch": storage.lustre["scratch"].capacity_gib, "home": storage.home.capacity_gib}
    claims = [each["spec"] for each in guide.list("PersistentVolumeClaim")]
    asked = {each["storageClassName"]: each["resources"]["requests"]["storage"] for each in claims}
    assert asked == {name: f"{size}Gi" for name, size in sizes.items()}


def test_pod_mounts_them_where_the_file_says(guide: KubernetesApi, storage: StorageConfig) -> None:
    classes = {
        each["metadata"]["name"]: each["spec"]["storageClassName"]
        for each in guide.list("PersistentVolumeClaim")
    }
    (pod,) = [each["spec"] for each in guide.list("Pod")]
    claims: dict[str, Any] = {
        each["name"]: each["persistentVolumeClaim"]["claimName"] for each in pod["volumes"]
    }
    for mount in pod["containers"][0]["volumeMounts"]:
        assert mount["mountPath"] == mounts(storage)[classes[claims[mount["name"]]]]

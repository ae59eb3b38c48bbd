"""The recorded Kubernetes API: manifests are applied, checked against the published schemas, and kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from function_templates import CODE, put_code
from small_templates import att, cluster, ref, resource, role
from storage_templates import lustre

from clusterwright.errors import LocalCloudError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from small_templates import Deployer

ADMIN = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
VIEWER = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"


@pytest.fixture(autouse=True)
def code(deployer: Deployer) -> None:
    """An archive of code in S3, for the functions that would run kubectl."""
    put_code(deployer.cloud)


def kubectl(
    policy: str | None = ADMIN,
    addons: tuple[str, ...] = ("aws-fsx-csi-driver", "aws-mountpoint-s3-csi-driver"),
) -> dict[str, Any]:
    """A cluster with drivers, and the functions by which the CDK runs kubectl, let in with a policy."""
    handler = {"Code": CODE, "Runtime": "python3.13", "Handler": "index.handler"}
    resources = {
        **cluster(),
        **{name: item for name, item in lustre().items() if name not in cluster()},
        "Data": resource("S3::Bucket", BucketName="data"),
        "HandlerRole": role("lambda"),
        "Handler": resource("Lambda::Function", Role=att("HandlerRole", "Arn"), **handler),
        "FrameworkRole": role("lambda"),
        "Framework": resource(
            "Lambda::Function",
            Role=att("FrameworkRole", "Arn"),
            Environment={"Variables": {"USER_ON_EVENT_FUNCTION_ARN": att("Handler", "Arn")}},
            **handler,
        ),
        **{
            f"Addon{number}": resource("EKS::Addon", ClusterName=ref("Cluster"), AddonName=name)
            for number, name in enumerate(addons)
        },
    }
    if policy is not None:
        resources["Access"] = resource(
            "EKS::AccessEntry",
            ClusterName=ref("Cluster"),
            PrincipalArn=att("HandlerRole", "Arn"),
            AccessPolicies=[{"PolicyArn": policy, "AccessScope": {"Type": "cluster"}}],
        )
    return resources


def applied(
    manifests: list[Mapping[str, Any]], *, base: Mapping[str, Any] | None = None, **properties: Any
) -> dict[str, Any]:
    """A cluster with manifests applied by the CDK's resource; ``${Name}`` in them refers to a resource."""
    resources = dict(kubectl() if base is None else base)
    resources["Manifest"] = {
        "Type": "Custom::AWSCDK-EKS-KubernetesResource",
        "DependsOn": [name for name in resources if name.startswith(("Access", "Addon"))],
        "Properties": {
            "ServiceToken": att("Framework", "Arn"),
            "ClusterName": ref("Cluster"),
            "Manifest": {"Fn::Sub": json.dumps(manifests)},
            "Overwrite": True,
            **properties,
        },
    }
    return resources


def config_map(name: str = "settings", **metadata: Any) -> dict[str, Any]:
    """A ConfigMap."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, **metadata},
        "data": {"key": "value"},
    }


def storage_class(**fields: Any) -> dict[str, Any]:
    """A StorageClass that provisions nothing."""
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "scratch"},
        "provisioner": "kubernetes.io/no-provisioner",
        **fields,
    }


def volume(name: str = "scratch", **spec: Any) -> dict[str, Any]:
    """A PersistentVolume of the Lustre file system; None takes a field away."""
    fields = {
        "accessModes": ["ReadWriteMany"],
        "capacity": {"storage": "19200Gi"},
        "persistentVolumeReclaimPolicy": "Retain",
        "csi": {
            "driver": "fsx.csi.aws.com",
            "volumeHandle": "${Scratch}",
            "volumeAttributes": {"dnsname": "${Scratch.DNSName}", "mountname": "${Scratch.LustreMountName}"},
        },
        **spec,
    }
    kept = {key: value for key, value in fields.items() if value is not None}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": kept}


def bucket_volume(name: str = "data", bucket: str = "${Data}", handle: str = "data") -> dict[str, Any]:
    """A PersistentVolume of the bucket."""
    csi = {"driver": "s3.csi.aws.com", "volumeHandle": handle, "volumeAttributes": {"bucketName": bucket}}
    return volume(name, csi=csi)


def created(deployer: Deployer, resources: Mapping[str, Any]) -> None:
    """Deploy; fails the test where that fails."""
    assert deployer.create(resources)["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()


def names(deployer: Deployer, kind: str) -> list[str]:
    """The names of a kind in the cluster."""
    return [item["metadata"]["name"] for item in deployer.cloud.kubernetes("atlas").list(kind)]


def test_manifests_are_applied_changed_and_deleted(deployer: Deployer) -> None:
    created(deployer, applied([storage_class(), volume(), bucket_volume()]))
    assert names(deployer, "StorageClass") == ["scratch"]
    found = deployer.cloud.kubernetes("atlas").list("PersistentVolume")[1]
    assert found["spec"]["csi"]["volumeHandle"] == deployer.ids()["Scratch"]
    larger = volume(capacity={"storage": "38400Gi"})
    assert deployer.update(applied([storage_class(), larger]))["StackStatus"] == "UPDATE_COMPLETE"
    changed = deployer.cloud.kubernetes("atlas").list("PersistentVolume")[1]
    assert changed["spec"]["capacity"] == {"storage": "38400Gi"}
    assert changed["metadata"]["uid"] == found["metadata"]["uid"]
    assert names(deployer, "PersistentVolume") == ["data", "scratch"]
    assert deployer.update(kubectl())["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert names(deployer, "PersistentVolume") == ["data"]


def test_a_prune_label_takes_away_what_the_manifests_drop(deployer: Deployer) -> None:
    labels = {"labels": {"aws.cdk.eks/prune-1": ""}}
    first = [config_map("one", **labels), config_map("two", **labels)]
    created(deployer, applied([*first, config_map("three")], PruneLabel="aws.cdk.eks/prune-1"))
    assert names(deployer, "ConfigMap") == ["one", "three", "two"]
    after = deployer.update(applied(first[:1], PruneLabel="aws.cdk.eks/prune-1"))
    assert after["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert names(deployer, "ConfigMap") == ["one", "three"]


def test_without_overwrite_an_object_must_be_new(deployer: Deployer) -> None:
    created(deployer, applied([config_map()], Overwrite=False))
    again = applied([config_map()])["Manifest"]
    other = {**again, "Properties": {**again["Properties"], "Overwrite": False}, "DependsOn": "Manifest"}
    deployer.update({**applied([config_map()], Overwrite=False), "Again": other})
    assert 'AlreadyExists: ConfigMap "settings" in default already exists' in deployer.reasons()


def test_another_namespace_has_to_be_there(deployer: Deployer) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "research"}}
    created(deployer, applied([namespace, config_map(namespace="research")]))
    listed = deployer.cloud.kubernetes("atlas").list("ConfigMap", namespace="research")
    assert [item["metadata"]["name"] for item in listed] == ["settings"]
    assert deployer.cloud.kubernetes("atlas").list("ConfigMap", namespace="default") == []


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        (volume(mountOptons=["flock"]), "'mountOptons' was unexpected"),
        (volume(mountOptions="flock"), "$.spec.mountOptions: 'flock' is not of type"),
        (storage_class(parameters=["fast"]), "$.parameters: ['fast'] is not of type"),
        (
            {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "a"}},
            "'provisioner' is a required property",
        ),
        ({"apiVersion": "v1", "kind": "StorageClass", "metadata": {"name": "a"}}, "no matches for kind"),
        ({"kind": "ConfigMap"}, "apiVersion and kind must be set"),
        ({"apiVersion": "v1", "kind": "ConfigMap"}, "metadata.name: Required value"),
        (config_map("Settings"), "the name must be a lowercase DNS name"),
        (config_map(namespace="nowhere"), 'namespaces "nowhere" not found'),
        (volume(accessModes=["ReadWriteAll"]), "spec.accessModes: ['ReadWriteAll'] must be some of"),
        (volume(capacity={"storage": "19200 GiB"}), "'19200 GiB' is not a quantity"),
        (volume(nfs={"server": "nfs", "path": "/"}), "exactly one source of data, not csi, nfs"),
        (volume(csi=None), "exactly one source of data, not none"),
        (
            volume(persistentVolumeReclaimPolicy="Keep"),
            "spec.persistentVolumeReclaimPolicy: Keep is not known",
        ),
        (
            volume(csi={"driver": "lustre.example.com", "volumeHandle": "a"}),
            "no add-on of EKS brings the CSI",
        ),
        (
            volume(csi={"driver": "ebs.csi.aws.com", "volumeHandle": "a"}),
            "needs the add-on aws-ebs-csi-driver",
        ),
        (
            volume(csi={"driver": "fsx.csi.aws.com", "volumeHandle": "fs-00000000000000000"}),
            "the Lustre file system fs-00000000000000000 does not exist",
        ),
        (
            volume(csi={"driver": "fsx.csi.aws.com", "volumeHandle": "${Scratch}"}),
            "spec.csi.volumeAttributes.mountname: None is not the file system's",
        ),
        (bucket_volume(bucket="elsewhere"), "the bucket elsewhere does not exist"),
        (
            volume(csi=None, nfs={"server": "fs-0.fsx.us-east-2.amazonaws.com", "path": "/fsx"}),
            "spec.nfs.server: there is no file system fs-0.fsx",
        ),
    ],
)
def test_manifests_that_are_refused(deployer: Deployer, manifest: dict[str, Any], reason: str) -> None:
    assert deployer.create(applied([manifest]))["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


def test_validation_can_be_switched_off_for_unknown_fields(deployer: Deployer) -> None:
    created(deployer, applied([volume(mountOptons=["flock"])], SkipValidation=True))


def test_an_outside_nfs_server_is_taken(deployer: Deployer) -> None:
    created(deployer, applied([volume(csi=None, nfs={"server": "nas.example.com", "path": "/home"})]))


def test_two_volumes_do_not_share_a_handle(deployer: Deployer) -> None:
    created(deployer, applied([bucket_volume()]))
    again = applied([bucket_volume("more")])["Manifest"]
    deployer.update({**applied([bucket_volume()]), "Again": {**again, "DependsOn": "Manifest"}})
    assert "spec.csi.volumeHandle: data is that of the volume data" in deployer.reasons()


AFFINITY = {
    "required": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "pool", "operator": "In", "values": ["train"]}]}]
    }
}


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (volume(nodeAffinity=AFFINITY), volume(), "spec.nodeAffinity: field is immutable"),
        (volume(volumeMode="Filesystem"), volume(volumeMode="Block"), "spec.volumeMode: field is immutable"),
        (bucket_volume("scratch"), volume(), "spec.persistentvolumesource: is immutable after creation"),
        (storage_class(), storage_class(reclaimPolicy="Retain"), "reclaimPolicy: updates are forbidden"),
    ],
)
def test_what_kubernetes_does_not_let_change(
    deployer: Deployer, before: dict[str, Any], after: dict[str, Any], reason: str
) -> None:
    created(deployer, applied([before]))
    assert deployer.update(applied([after]))["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


@pytest.mark.parametrize(
    ("policy", "reason"),
    [(None, "Unauthorized: arn:aws:iam::123456789012:role/"), (VIEWER, "is no admin of the cluster atlas")],
)
def test_kubectl_has_to_be_let_in(deployer: Deployer, policy: str | None, reason: str) -> None:
    resources = applied([config_map()], base=kubectl(policy))
    assert deployer.create(resources)["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ({"ClusterName": "borealis"}, "No cluster found for name: borealis"),
        ({"Manifest": "{not json"}, "the manifest is not JSON"),
        ({"Manifests": "[]"}, "missing or unknown properties Manifests"),
    ],
)
def test_a_wrong_resource_is_refused(deployer: Deployer, properties: dict[str, Any], reason: str) -> None:
    assert deployer.create(applied([config_map()], **properties))["StackStatus"] == "ROLLBACK_COMPLETE"
    assert reason in deployer.reasons()


def test_a_cluster_takes_its_objects_with_it(deployer: Deployer) -> None:
    created(deployer, applied([config_map()]))
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE", deployer.reasons()
    with pytest.raises(LocalCloudError, match="there is no cluster atlas"):
        deployer.cloud.kubernetes("atlas")

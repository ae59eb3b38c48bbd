"""EKS: clusters."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from clusterwright.localcloud.errors import ApiError, refuse
from clusterwright.localcloud.kubernetes.api import KubernetesApi
from clusterwright.localcloud.rules.clusters import control_plane_problems
from clusterwright.localcloud.rules.lookup import (
    described_subnets,
    refuse_unknown_groups,
    refuse_unknown_role,
    zone_types,
)
from clusterwright.localcloud.rules.node_groups import minor, version_problems
from clusterwright.localcloud.service import operation
from clusterwright.localcloud.services.eks_state import (
    ClusterRecord,
    EksState,
    Record,
    given,
    in_use,
    now,
    update_answer,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_VERSION = "1.34"
SETTINGS = (
    "roleArn",
    "logging",
    "tags",
    "encryptionConfig",
    "accessConfig",
    "upgradePolicy",
    "zonalShiftConfig",
    "computeConfig",
    "storageConfig",
    "remoteNetworkConfig",
    "deletionProtection",
    "controlPlaneScalingConfig",
)
CHANGEABLE = (
    "logging",
    "accessConfig",
    "upgradePolicy",
    "zonalShiftConfig",
    "computeConfig",
    "storageConfig",
    "deletionProtection",
    "controlPlaneScalingConfig",
)


class EksClusters(EksState):
    """Clusters."""

    @operation
    def create_cluster(self, params: Mapping[str, Any]) -> Record:
        """Make a cluster, with a security group of its own in the VPC."""
        name, vpc_config = params["name"], params["resourcesVpcConfig"]
        if name in self.clusters:
            raise in_use(f"Cluster already exists with name: {name}")
        refuse_unknown_role(self.account, params["roleArn"])
        subnets = described_subnets(self.account, vpc_config.get("subnetIds", []))
        refuse(control_plane_problems(subnets, zone_types(self.account)))
        vpc_id = subnets[0]["VpcId"]
        refuse_unknown_groups(self.account, vpc_config.get("securityGroupIds", []), vpc_id)
        cluster = {
            "name": name,
            "arn": self.account.arn("eks", f"cluster/{name}"),
            "createdAt": now(),
            "version": params.get("version", DEFAULT_VERSION),
            "platformVersion": "eks.1",
            "status": "ACTIVE",
            "health": {"issues": []},
            **self._addresses(),
            **given(params, *SETTINGS),
            "resourcesVpcConfig": self._vpc_config(name, vpc_id, vpc_config),
            "kubernetesNetworkConfig": {
                "serviceIpv4Cidr": "172.20.0.0/16",
                "ipFamily": "ipv4",
                **params.get("kubernetesNetworkConfig", {}),
            },
        }
        self.clusters[name] = ClusterRecord(cluster)
        self.account.kubernetes[name] = KubernetesApi()
        return {"cluster": cluster}

    @operation
    def describe_cluster(self, params: Mapping[str, Any]) -> Record:
        """A cluster."""
        return {"cluster": self.record(params["name"]).cluster}

    @operation
    def list_clusters(self, params: Mapping[str, Any]) -> Record:
        """Names of all clusters."""
        del params
        return {"clusters": sorted(self.clusters)}

    @operation
    def update_cluster_config(self, params: Mapping[str, Any]) -> Record:
        """Change a cluster's settings."""
        cluster = self.record(params["name"]).cluster
        cluster.update(given(params, *CHANGEABLE))
        cluster["resourcesVpcConfig"] |= params.get("resourcesVpcConfig", {})
        return update_answer("ConfigUpdate")

    @operation
    def update_cluster_version(self, params: Mapping[str, Any]) -> Record:
        """Bring a cluster to a Kubernetes version: never back, nor too far ahead of its nodes, as in AWS."""
        record = self.record(params["name"])
        cluster = record.cluster
        if minor(params["version"]) < minor(cluster["version"]):
            change = f"from {cluster['version']} to {params['version']}"
            refuse([f"Unsupported Kubernetes minor version update {change}."])
        for group in record.node_groups.values():
            refuse(version_problems(group["version"], params["version"]))
        cluster["version"] = params["version"]
        return update_answer("VersionUpdate")

    @operation
    def delete_cluster(self, params: Mapping[str, Any]) -> Record:
        """Delete a cluster that has no node groups and is not protected, and its security group."""
        record = self.record(params["name"])
        if record.node_groups:
            raise in_use(f"Cluster has nodegroups attached: {', '.join(sorted(record.node_groups))}")
        if record.cluster.get("deletionProtection"):
            raise ApiError(
                "InvalidRequestException",
                f"Cluster {params['name']} has deletion protection; switch it off first.",
            )
        group_id = record.cluster["resourcesVpcConfig"]["clusterSecurityGroupId"]
        self.account.client("ec2").delete_security_group(GroupId=group_id)
        del self.clusters[params["name"]], self.account.kubernetes[params["name"]]
        return {"cluster": {**record.cluster, "status": "DELETING"}}

    @operation
    def tag_resource(self, params: Mapping[str, Any]) -> None:
        """Add tags to a cluster or a part of one."""
        self._tagged(params["resourceArn"]).setdefault("tags", {}).update(params["tags"])

    @operation
    def untag_resource(self, params: Mapping[str, Any]) -> None:
        """Take tags away."""
        tags = self._tagged(params["resourceArn"]).setdefault("tags", {})
        for key in params["tagKeys"]:
            tags.pop(key, None)

    @operation
    def list_tags_for_resource(self, params: Mapping[str, Any]) -> Record:
        """The tags of a cluster or a part of one."""
        return {"tags": self._tagged(params["resourceArn"]).get("tags", {})}

    def _tagged(self, arn: str) -> Record:
        keys = ("arn", "nodegroupArn", "addonArn", "accessEntryArn", "associationArn")
        for record in self.clusters.values():
            parts = (record.node_groups, record.addons, record.access_entries, record.pod_identities)
            for item in (record.cluster, *(item for part in parts for item in part.values())):
                if arn in [item.get(key) for key in keys]:
                    return item
        raise ApiError("NotFoundException", f"No resource found for ARN: {arn}")

    def _vpc_config(self, name: str, vpc_id: str, asked: Mapping[str, Any]) -> Record:
        group_id = self.account.client("ec2").create_security_group(
            GroupName=f"eks-cluster-sg-{name}-{uuid4().int % 10**9}",
            Description="EKS created security group applied to ENI that is attached to EKS control plane",
            VpcId=vpc_id,
        )["GroupId"]
        itself = {"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group_id}]}
        self.account.client("ec2").authorize_security_group_ingress(GroupId=group_id, IpPermissions=[itself])
        return {
            "endpointPublicAccess": True,
            "endpointPrivateAccess": False,
            "securityGroupIds": [],
            **asked,
            "vpcId": vpc_id,
            "clusterSecurityGroupId": group_id,
        }

    def _addresses(self) -> Record:
        """An endpoint and an issuer that look like EKS's; nothing listens there."""
        identifier = uuid4().hex.upper()
        region = self.account.region
        return {
            "endpoint": f"https://{identifier}.gr7.{region}.eks.amazonaws.com",
            "identity": {"oidc": {"issuer": f"https://oidc.eks.{region}.amazonaws.com/id/{identifier}"}},
            "certificateAuthority": {"data": base64.b64encode(b"embedded AWS: no certificate").decode()},
        }

"""What exists in the embedded AWS, read back through boto3 as a person would."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from clusterwright.hardware import find_instance_type
from clusterwright.labels import POOL_LABEL
from clusterwright.localcloud.rules.capacity import target_id
from clusterwright.localcloud.storage_inventory import StorageInventory, stored_data, take_storage_inventory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusterwright.localcloud.cloud import LocalCloud

BOOTSTRAP_STACK = "CDKToolkit"


@dataclass(frozen=True, slots=True)
class StackRow:
    """A stack.

    Attributes:
        name: Its name.
        status: Such as ``CREATE_COMPLETE``.
        resources: How many resources it has.
    """

    name: str
    status: str
    resources: int


@dataclass(frozen=True, slots=True)
class PoolRow:
    """A node group with what its launch template says.

    Attributes:
        name: The pool's name, from the nodes' label; the node group's own without one.
        instance_type: EC2's type.
        nodes: How many are wanted.
        capacity: Such as ``CAPACITY_BLOCK cr-0123456789abcdef0``.
        zones: Zone ids of its subnets.
        interfaces: Interfaces of one node by kind, such as ``{"interface": 1, "efa-only": 16}``.
        efa_gbps: EFA bandwidth of one node in Gbit/s; 0 without EFA.
    """

    name: str
    instance_type: str
    nodes: int
    capacity: str
    zones: tuple[str, ...]
    interfaces: Mapping[str, int]
    efa_gbps: float


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a deployment made.

    Attributes:
        stacks: The stacks, without the CDK's own.
        resources: How many resources of each type.
        pools: The node groups.
        addons: The add-ons.
        outputs: Values that the stacks tell, without those that only other stacks use.
        storage: File systems, buckets and volumes.
    """

    stacks: tuple[StackRow, ...]
    resources: Mapping[str, int]
    pools: tuple[PoolRow, ...]
    addons: tuple[str, ...]
    outputs: Mapping[str, str]
    storage: StorageInventory = field(default_factory=StorageInventory)

    def as_dict(self) -> dict[str, Any]:
        """The inventory as JSON-ready data."""
        return asdict(self)


def take_inventory(cloud: LocalCloud) -> Inventory:
    """Read back every stack and every node group."""
    cloudformation, eks = cloud.client("cloudformation"), cloud.client("eks")
    rows, types, outputs = [], Counter[str](), {}
    for stack in cloudformation.describe_stacks()["Stacks"]:
        name = stack["StackName"]
        if name == BOOTSTRAP_STACK:
            continue
        resources = cloudformation.list_stack_resources(StackName=name)["StackResourceSummaries"]
        rows.append(StackRow(name, stack["StackStatus"], len(resources)))
        types.update(resource["ResourceType"] for resource in resources)
        for output in stack.get("Outputs", []):
            if "ExportName" not in output:
                outputs[f"{name}.{output['OutputKey']}"] = output["OutputValue"]
    clusters = eks.list_clusters()["clusters"]
    groups = [
        eks.describe_nodegroup(clusterName=cluster, nodegroupName=group)["nodegroup"]
        for cluster in clusters
        for group in eks.list_nodegroups(clusterName=cluster)["nodegroups"]
    ]
    addons = [addon for cluster in clusters for addon in eks.list_addons(clusterName=cluster)["addons"]]
    return Inventory(
        stacks=tuple(rows),
        resources=dict(sorted(types.items())),
        pools=tuple(_pool(cloud, group) for group in groups),
        addons=tuple(addons),
        outputs=outputs,
        storage=take_storage_inventory(cloud),
    )


def _pool(cloud: LocalCloud, group: Mapping[str, Any]) -> PoolRow:
    ec2 = cloud.client("ec2")
    data: Mapping[str, Any] = {}
    if "launchTemplate" in group:
        template = group["launchTemplate"]
        versions = ec2.describe_launch_template_versions(
            LaunchTemplateId=template["id"], Versions=[template["version"]]
        )
        data = versions["LaunchTemplateVersions"][0]["LaunchTemplateData"]
    instance_type = data.get("InstanceType") or group["instanceTypes"][0]
    kinds = Counter(
        interface.get("InterfaceType", "interface") for interface in data.get("NetworkInterfaces", [])
    )
    has_efa = any(kind.startswith("efa") for kind in kinds)
    subnets = ec2.describe_subnets(SubnetIds=group["subnets"])["Subnets"]
    return PoolRow(
        name=group["labels"].get(POOL_LABEL, group["nodegroupName"]),
        instance_type=instance_type,
        nodes=group["scalingConfig"]["desiredSize"],
        capacity=" ".join(filter(None, [group["capacityType"], target_id(data)])),
        zones=tuple(sorted({subnet["AvailabilityZoneId"] for subnet in subnets})),
        interfaces=dict(kinds),
        efa_gbps=find_instance_type(instance_type).efa_gbps if has_efa else 0.0,
    )


def account_contents(cloud: LocalCloud) -> frozenset[str]:
    """Everything in the account that a deployment could leave behind, each as ``kind id``.

    Keys that wait for their deletion and gateways that are deleted count as gone.
    """
    ec2, eks, iam = cloud.client("ec2"), cloud.client("eks"), cloud.client("iam")
    kms, logs, stacks = cloud.client("kms"), cloud.client("logs"), cloud.client("cloudformation")
    contents = stored_data(cloud) | {
        "function": [row["FunctionName"] for row in cloud.client("lambda").list_functions()["Functions"]],
        "layer": [row["LayerName"] for row in cloud.client("lambda").list_layers()["Layers"]],
        "schedule": [row["Name"] for row in cloud.client("scheduler").list_schedules()["Schedules"]],
        "stack": [row["StackName"] for row in stacks.describe_stacks()["Stacks"]],
        "VPC": [row["VpcId"] for row in ec2.describe_vpcs()["Vpcs"]],
        "subnet": [row["SubnetId"] for row in ec2.describe_subnets()["Subnets"]],
        "route table": [row["RouteTableId"] for row in ec2.describe_route_tables()["RouteTables"]],
        "internet gateway": [
            row["InternetGatewayId"] for row in ec2.describe_internet_gateways()["InternetGateways"]
        ],
        "NAT gateway": [
            row["NatGatewayId"]
            for row in ec2.describe_nat_gateways()["NatGateways"]
            if row["State"] != "deleted"
        ],
        "address": [row["PublicIp"] for row in ec2.describe_addresses()["Addresses"]],
        "endpoint": [
            row["VpcEndpointId"]
            for row in ec2.describe_vpc_endpoints()["VpcEndpoints"]
            if row["State"] != "deleted"
        ],
        "interface": [
            row["NetworkInterfaceId"] for row in ec2.describe_network_interfaces()["NetworkInterfaces"]
        ],
        "security group": [row["GroupId"] for row in ec2.describe_security_groups()["SecurityGroups"]],
        "launch template": [
            row["LaunchTemplateId"] for row in ec2.describe_launch_templates()["LaunchTemplates"]
        ],
        "placement group": [row["GroupName"] for row in ec2.describe_placement_groups()["PlacementGroups"]],
        "flow log": [row["FlowLogId"] for row in ec2.describe_flow_logs()["FlowLogs"]],
        "cluster": eks.list_clusters()["clusters"],
        "role": [row["RoleName"] for row in iam.list_roles()["Roles"]],
        "policy": [row["Arn"] for row in iam.list_policies(Scope="Local")["Policies"]],
        "log group": [row["logGroupName"] for row in logs.describe_log_groups()["logGroups"]],
        "key": [
            row["KeyId"]
            for row in kms.list_keys()["Keys"]
            if kms.describe_key(KeyId=row["KeyId"])["KeyMetadata"]["KeyState"] != "PendingDeletion"
        ],
    }
    return frozenset(f"{kind} {identifier}" for kind, ids in contents.items() for identifier in ids)

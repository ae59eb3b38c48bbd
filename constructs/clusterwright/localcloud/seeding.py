"""What a cluster.yaml takes for granted, put into the embedded AWS: capacity, a VPC, roles, buckets, keys."""

from __future__ import annotations

import json
from ipaddress import ip_network
from typing import TYPE_CHECKING

from clusterwright.config.capacity import CapacityBlockCapacity, ReservationCapacity
from clusterwright.hardware import find_ultraserver
from clusterwright.localcloud.moto_state import chosen_key_id, chosen_subnet_id, chosen_vpc_id
from clusterwright.localcloud.services.ec2 import CapacityReservation
from clusterwright.resolution import held_instances, require_eks

if TYPE_CHECKING:
    from clusterwright.config.cluster import ClusterConfig
    from clusterwright.config.network import ExistingNetworkConfig
    from clusterwright.config.storage import StorageConfig
    from clusterwright.localcloud.cloud import LocalCloud

EXISTING_CIDR = ip_network("10.0.0.0/16")
SUBNET_PREFIX_LENGTH = 20


def seed(cloud: LocalCloud, cluster: ClusterConfig) -> None:
    """Put into the account what a cluster names and does not make.

    Capacity reservations and blocks come as the file describes them; a VPC that the file brings, with its
    subnets, under the ids that it names; the account's own roles among the cluster's admins;
    buckets that exist already; and the account's own keys.
    """
    for capacity in cluster.capacity.values():
        if isinstance(capacity, (ReservationCapacity, CapacityBlockCapacity)):
            cloud.add_reservation(_reservation(capacity))
    if cluster.network.existing is not None:
        _make_network(cloud, cluster.network.existing)
    for arn in require_eks(cluster).admins:
        _make_role(cloud, arn)
    for name in sorted({each.existing for each in cluster.storage.buckets.values() if each.existing}):
        _make_bucket(cloud, name)
    for name in sorted({each.existing for each in cluster.storage.express.values() if each.existing}):
        _make_directory_bucket(cloud, name)
    for arn in sorted(_own_keys(cloud, cluster.storage)):
        with chosen_key_id(arn.rpartition("/")[2]):
            cloud.client("kms").create_key()


def _reservation(capacity: ReservationCapacity | CapacityBlockCapacity) -> CapacityReservation:
    if isinstance(capacity, ReservationCapacity):
        return CapacityReservation(capacity.id, capacity.instance_type, capacity.zone, capacity.count)
    instance_type = capacity.instance_type
    if instance_type is None:
        assert capacity.ultraserver_type is not None  # noqa: S101  the model asks for one of them
        instance_type = find_ultraserver(capacity.ultraserver_type).instance_type
    return CapacityReservation(
        capacity.id,
        instance_type,
        capacity.zone,
        held_instances(capacity),
        is_block=True,
        starts=capacity.starts,
        ends=capacity.ends,
    )


def _make_network(cloud: LocalCloud, network: ExistingNetworkConfig) -> None:
    ec2 = cloud.client("ec2")
    # moto makes the region's default VPC on the first call: it must not take the id that is chosen below.
    described = ec2.describe_availability_zones()["AvailabilityZones"]
    zones = {zone["ZoneId"]: zone["ZoneName"] for zone in described}
    with chosen_vpc_id(network.vpc):
        ec2.create_vpc(CidrBlock=str(EXISTING_CIDR))
    blocks = EXISTING_CIDR.subnets(new_prefix=SUBNET_PREFIX_LENGTH)
    for (zone, subnet), block in zip(network.subnets.items(), blocks, strict=False):
        with chosen_subnet_id(subnet):
            ec2.create_subnet(VpcId=network.vpc, CidrBlock=str(block), AvailabilityZone=zones[zone])


def _make_role(cloud: LocalCloud, arn: str) -> None:
    account, _, resource = arn.removeprefix("arn:aws:iam::").partition(":")
    kind, _, name = resource.rpartition("/")
    if account != cloud.account.id or not kind.startswith("role"):
        return
    path = kind.removeprefix("role") + "/"
    trust = {"Version": "2012-10-17", "Statement": []}
    iam = cloud.client("iam")
    iam.create_role(RoleName=name, Path=path, AssumeRolePolicyDocument=json.dumps(trust))


def _make_bucket(cloud: LocalCloud, name: str) -> None:
    location = {"LocationConstraint": cloud.account.region}
    options = {} if cloud.account.region == "us-east-1" else {"CreateBucketConfiguration": location}
    cloud.client("s3").create_bucket(Bucket=name, **options)


def _make_directory_bucket(cloud: LocalCloud, name: str) -> None:
    zone = name.removesuffix("--x-s3").rpartition("--")[2]
    place = {"Location": {"Type": "AvailabilityZone", "Name": zone}}
    bucket = {"Type": "Directory", "DataRedundancy": "SingleAvailabilityZone"}
    cloud.client("s3").create_bucket(Bucket=name, CreateBucketConfiguration={**place, "Bucket": bucket})


def _own_keys(cloud: LocalCloud, storage: StorageConfig) -> set[str]:
    """The ARNs of this account's keys that the storage is encrypted with."""
    named = {bucket.kms for bucket in storage.buckets.values()}
    named |= {bucket.kms for bucket in storage.express.values()}
    named |= {system.kms for system in storage.lustre.values()}
    named |= {storage.home.kms} if storage.home is not None else set()
    return {arn for arn in named if arn.startswith(cloud.account.arn("kms", "key/"))}

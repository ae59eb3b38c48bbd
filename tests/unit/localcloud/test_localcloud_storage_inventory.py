"""The storage that the demonstration tells of, read back and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage_templates import homes, linked

from clusterwright.cli.demo import describe_storage
from clusterwright.localcloud.storage_inventory import (
    StorageInventory,
    describe_kept,
    kept_ids,
    take_storage_inventory,
)

if TYPE_CHECKING:
    from small_templates import Deployer


def test_file_systems_and_buckets_are_told(deployer: Deployer) -> None:
    deployer.create(linked())
    deployer.create(homes(), name="homes")
    lustre, home = deployer.ids()["Scratch"], deployer.ids("homes")["Home"]
    fsx = deployer.cloud.client("fsx")
    record = fsx.describe_file_systems(FileSystemIds=[lustre])["FileSystems"][0]
    told = describe_storage(take_storage_inventory(deployer.cloud))
    assert told == {
        "File systems, as FSx tells them": [
            f"{lustre}: Lustre SSD, EFA, 19,200 GiB, 19,200 MB/s",
            f"    mount: {record['DNSName']}@tcp:/{record['LustreConfiguration']['MountName']}",
            "    link:  /datasets = s3://datasets/",
            f"{home}: OpenZFS SINGLE_AZ_HA_2, 1,024 GiB, 1,280 MB/s",
            f"    mount: {home}.fsx.us-east-2.amazonaws.com:/fsx/users",
        ],
        "Buckets": ["datasets"],
    }


def test_nothing_is_told_of_storage_that_is_not_there() -> None:
    assert describe_storage(StorageInventory()) == {}


def test_a_stack_that_lasts_keeps_what_comes_with_it(deployer: Deployer) -> None:
    deployer.create(linked())
    ids, ec2 = deployer.ids(), deployer.cloud.client("ec2")
    assert kept_ids(deployer.cloud) == set()
    kept = kept_ids(deployer.cloud, ["test"])
    in_vpc = [{"Name": "vpc-id", "Values": [ids["Vpc"]]}]
    interfaces = ec2.describe_network_interfaces(Filters=in_vpc)["NetworkInterfaces"]
    groups = ec2.describe_security_groups(Filters=in_vpc)["SecurityGroups"]
    assert {"test", *ids.values()} <= kept
    assert {interface["NetworkInterfaceId"] for interface in interfaces} <= kept
    assert {group["GroupId"] for group in groups} <= kept


def test_what_stays_is_said_with_its_reason() -> None:
    kept = ["subnet subnet-1", "bucket data", "file system fs-1"]
    assert describe_kept((), kept[1:2]) == "data that is kept (retain: true): bucket data"
    assert describe_kept(("a-network", "a-storage"), kept) == (
        "a-network and a-storage stay, with data that is kept (retain: true): bucket data, file system fs-1"
    )

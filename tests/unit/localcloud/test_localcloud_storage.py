"""File systems, their volumes and links, through a stack: made, read back, changed, replaced, kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from small_templates import att, ref, resource
from storage_templates import TEAM, homes, linked, lustre

from clusterwright.localcloud.inventory import account_contents

if TYPE_CHECKING:
    from small_templates import Deployer


def described(deployer: Deployer, name: str) -> dict[str, Any]:
    """A file system as FSx tells it, by its logical id."""
    fsx = deployer.cloud.client("fsx")
    found: dict[str, Any] = fsx.describe_file_systems(FileSystemIds=[deployer.ids()[name]])["FileSystems"][0]
    return found


def created(deployer: Deployer, resources: dict[str, Any], **sections: Any) -> None:
    """Deploy; fails the test where that fails."""
    assert deployer.create(resources, **sections)["StackStatus"] == "CREATE_COMPLETE", deployer.reasons()


def refused(deployer: Deployer, resources: dict[str, Any]) -> str:
    """Why a stack was rolled back; fails the test where it was not."""
    assert deployer.create(resources)["StackStatus"] == "ROLLBACK_COMPLETE"
    return deployer.reasons()


def test_a_lustre_file_system_is_there_with_all_that_mounts_need(deployer: Deployer) -> None:
    outputs = {
        "Mount": {"Value": att("Scratch", "LustreMountName")},
        "Name": {"Value": att("Scratch", "DNSName")},
    }
    created(deployer, lustre(), Outputs=outputs)
    found = described(deployer, "Scratch")
    assert (found["Lifecycle"], found["StorageCapacity"]) == ("AVAILABLE", 19_200)
    assert found["LustreConfiguration"]["EfaEnabled"] is True
    assert found["LustreConfiguration"]["MetadataConfiguration"] == {"Mode": "AUTOMATIC", "Iops": 12_000}
    assert found["Tags"] == TEAM
    mount, name = found["LustreConfiguration"]["MountName"], found["DNSName"]
    assert deployer.outputs() == {"Mount": mount, "Name": name}
    interfaces = deployer.cloud.client("ec2").describe_network_interfaces(
        NetworkInterfaceIds=found["NetworkInterfaceIds"]
    )["NetworkInterfaces"]
    assert [row["SubnetId"] for row in interfaces] == [deployer.ids()["First"]]
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    assert deployer.cloud.client("fsx").describe_file_systems()["FileSystems"] == []


def test_a_lustre_file_system_grows_in_place(deployer: Deployer) -> None:
    created(deployer, lustre())
    before = deployer.ids()["Scratch"]
    larger = lustre(38_400, DataCompressionType="NONE")
    larger["Scratch"]["Properties"]["Tags"] = [{"Key": "team", "Value": "platform"}]
    assert deployer.update(larger)["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    found = described(deployer, "Scratch")
    assert (found["FileSystemId"], found["StorageCapacity"]) == (before, 38_400)
    assert found["LustreConfiguration"]["DataCompressionType"] == "NONE"
    assert found["Tags"] == [{"Key": "team", "Value": "platform"}]
    assert deployer.update(lustre(19_200))["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert "StorageCapacity cannot shrink from 38400 to 19200 GiB" in deployer.reasons()


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ({"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 24_000}}, {}, ""),
        (
            {},
            {"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 6000}},
            "Metadata Iops cannot shrink from 12000 to 6000",
        ),
        ({}, {"EfaEnabled": False}, "LustreConfiguration.EfaEnabled of fs-"),
    ],
)
def test_what_lustre_does_not_change_in_place(
    deployer: Deployer, before: dict[str, Any], after: dict[str, Any], reason: str
) -> None:
    created(deployer, lustre(**before))
    status = deployer.update(lustre(**{**before, "DataCompressionType": "NONE", **after}))["StackStatus"]
    assert status == ("UPDATE_ROLLBACK_COMPLETE" if reason else "UPDATE_COMPLETE"), deployer.reasons()
    assert reason in deployer.reasons()


def retained(resources: dict[str, Any], name: str, **policies: str) -> dict[str, Any]:
    """The same resources, one of them with policies."""
    return {**resources, name: {**resources[name], **policies}}


@pytest.mark.parametrize(("policy", "left"), [("Retain", 2), ("Delete", 1)])
def test_a_replaced_file_system_stays_where_the_policy_says_so(
    deployer: Deployer, policy: str, left: int
) -> None:
    created(deployer, retained(lustre(38_400), "Scratch", UpdateReplacePolicy=policy))
    first = deployer.ids()["Scratch"]
    slower = retained(lustre(38_400, PerUnitStorageThroughput=500), "Scratch", UpdateReplacePolicy=policy)
    assert deployer.update(slower)["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert deployer.ids()["Scratch"] != first
    systems = deployer.cloud.client("fsx").describe_file_systems()["FileSystems"]
    assert len(systems) == left


def test_a_kept_file_system_holds_its_security_group_and_its_subnet(deployer: Deployer) -> None:
    created(deployer, retained(lustre(), "Scratch", DeletionPolicy="Retain"))
    identifier = deployer.ids()["Scratch"]
    stack = deployer.delete()
    assert stack["StackStatus"] == "DELETE_FAILED"
    assert "has a dependent object: eni-" in deployer.reasons()
    found = deployer.cloud.client("fsx").describe_file_systems(FileSystemIds=[identifier])["FileSystems"]
    assert found[0]["Lifecycle"] == "AVAILABLE"


def test_homes_are_there_and_change_in_place(deployer: Deployer) -> None:
    created(deployer, homes())
    fsx, ids = deployer.cloud.client("fsx"), deployer.ids()
    found = described(deployer, "Home")
    root = found["OpenZFSConfiguration"]["RootVolumeId"]
    volumes = {item["VolumeId"]: item for item in fsx.describe_volumes()["Volumes"]}
    assert set(volumes) == {root, ids["Users"]}
    assert volumes[ids["Users"]]["OpenZFSConfiguration"]["VolumePath"] == "/fsx/users"
    quota = [{"Type": "USER", "Id": 1000, "StorageCapacityQuotaGiB": 200}]
    changed = homes(2048, ThroughputCapacity=2560)
    changed["Users"]["Properties"]["OpenZFSConfiguration"]["UserAndGroupQuotas"] = quota
    assert deployer.update(changed)["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    assert deployer.ids() == ids
    found = described(deployer, "Home")
    assert (found["StorageCapacity"], found["OpenZFSConfiguration"]["ThroughputCapacity"]) == (2048, 2560)
    volume = fsx.describe_volumes(VolumeIds=[ids["Users"]])["Volumes"][0]
    assert volume["OpenZFSConfiguration"]["UserAndGroupQuotas"] == quota
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE"
    assert fsx.describe_volumes()["Volumes"] == []


def test_a_new_quota_of_the_root_volume_replaces_the_file_system(deployer: Deployer) -> None:
    created(deployer, homes())
    before = deployer.ids()["Home"]
    quota = [{"Type": "USER", "Id": 1000, "StorageCapacityQuotaGiB": 200}]
    deployer.update(homes(RootVolumeConfiguration={"UserAndGroupQuotas": quota}))
    assert deployer.ids()["Home"] != before


def test_a_link_is_there_changes_in_place_and_goes(deployer: Deployer) -> None:
    before = account_contents(deployer.cloud)
    created(deployer, linked(Tags=TEAM))
    fsx, identifier = deployer.cloud.client("fsx"), deployer.ids()["Link"]
    link = fsx.describe_data_repository_associations(AssociationIds=[identifier])["Associations"][0]
    assert (link["FileSystemPath"], link["DataRepositoryPath"]) == ("/datasets", "s3://datasets/")
    assert link["S3"] == {"AutoImportPolicy": {"Events": ["NEW"]}}
    assert fsx.list_tags_for_resource(ResourceARN=link["ResourceARN"])["Tags"] == TEAM
    exporting = {"AutoExportPolicy": {"Events": ["NEW", "CHANGED"]}}
    assert deployer.update(linked(S3=exporting))["StackStatus"] == "UPDATE_COMPLETE", deployer.reasons()
    by_system = [{"Name": "file-system-id", "Values": [deployer.ids()["Scratch"]]}]
    link = fsx.describe_data_repository_associations(Filters=by_system)["Associations"][0]
    assert (link["AssociationId"], link["S3"]) == (identifier, exporting)
    assert fsx.list_tags_for_resource(ResourceARN=link["ResourceARN"])["Tags"] == []
    assert deployer.delete()["StackStatus"] == "DELETE_COMPLETE", deployer.reasons()
    assert account_contents(deployer.cloud) - before == frozenset()


def second_link(path: str, repository: str = "s3://datasets/more/") -> dict[str, Any]:
    """A file system with a link to /datasets and another one."""
    other = {**linked()["Link"], "DependsOn": "Link"}
    other["Properties"] |= {"FileSystemPath": path, "DataRepositoryPath": repository}
    return {**linked(), "Other": other}


def test_links_beside_each_other_are_made(deployer: Deployer) -> None:
    created(deployer, second_link("/datasets-2"))


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        (second_link("/datasets/more"), "FileSystemPath /datasets/more overlaps /datasets of dra-"),
        (second_link("/"), "FileSystemPath / overlaps /datasets of dra-"),
        (second_link("/more", "s3://datasets"), "DataRepositoryPath s3://datasets is that of dra-"),
        (linked("datasets"), "FileSystemPath datasets does not begin with /"),
        (linked(DataRepositoryPath="s3://elsewhere/"), "The bucket elsewhere does not exist"),
        (linked(DataRepositoryPath="https://datasets/"), "is not of the form s3://BUCKET/PREFIX/"),
        (linked(FileSystemId="fs-00000000000000000"), "File system 'fs-00000000000000000' does not exist"),
        (
            {**linked(), "Scratch": lustre(AutomaticBackupRetentionDays=7)["Scratch"]},
            "has automatic backups, which a file system with data repositories cannot have",
        ),
    ],
)
def test_links_that_fsx_refuses(deployer: Deployer, resources: dict[str, Any], reason: str) -> None:
    assert reason in refused(deployer, resources)


def test_a_file_system_has_at_most_eight_links(deployer: Deployer) -> None:
    links = {
        f"Link{number}": resource(
            "FSx::DataRepositoryAssociation",
            FileSystemId=ref("Scratch"),
            FileSystemPath=f"/{number}",
            DataRepositoryPath=f"s3://datasets/{number}/",
            depends_on="Datasets",
        )
        for number in range(9)
    }
    resources = {name: item for name, item in linked().items() if name != "Link"}
    assert "at most 8 data repository associations" in refused(deployer, {**resources, **links})


@pytest.mark.parametrize(
    ("name", "properties", "reason"),
    [
        ("In", None, "do not permit Lustre LNET network traffic on port 988"),
        ("Scratch", {"KmsKeyId": "00000000-0000-0000-0000-000000000000"}, "does not exist"),
        ("Scratch", {"SubnetIds": ["subnet-00000000000000000"]}, "subnet-00000000000000000"),
        ("Scratch", {"SecurityGroupIds": ["sg-00000000000000000"]}, "'sg-00000000000000000' does not exist"),
        ("Scratch", {"SubnetIds": [ref("First"), ref("Second")]}, "takes one subnet"),
        ("Scratch", {"StorageCapacity": 1200}, "not a multiple of 4800 GiB, which EFA needs at 1000"),
    ],
)
def test_file_systems_that_fsx_refuses(
    deployer: Deployer, name: str, properties: dict[str, Any] | None, reason: str
) -> None:
    resources = lustre()
    if properties is None:
        del resources[name]
        resources["Scratch"]["DependsOn"] = [each for each in ("In", "Out") if each != name]
    else:
        resources[name]["Properties"] |= properties
    assert reason in refused(deployer, resources)


def test_an_address_range_is_enough_without_efa_only(deployer: Deployer) -> None:
    """A security group lets everything out to 0.0.0.0/0 by itself, which EFA does not count."""
    resources = {name: item for name, item in lustre().items() if name != "Out"}
    resources["Scratch"]["DependsOn"] = "In"
    assert "all traffic to itself" in refused(deployer, resources)
    config = resources["Scratch"]["Properties"]["LustreConfiguration"]
    config["EfaEnabled"] = False
    assert deployer.create(resources, name="plain")["StackStatus"] == "CREATE_COMPLETE"


def test_what_fsx_does_not_have_is_said(deployer: Deployer) -> None:
    fsx = deployer.cloud.client("fsx")
    for call, arguments, code in (
        (fsx.describe_file_systems, {"FileSystemIds": ["fs-00000000000000000"]}, "FileSystemNotFound"),
        (fsx.describe_volumes, {"VolumeIds": ["fsvol-00000000000000000"]}, "VolumeNotFound"),
        (
            fsx.delete_data_repository_association,
            {"AssociationId": "dra-00000000000000000"},
            "DataRepositoryAssociationNotFound",
        ),
        (
            fsx.list_tags_for_resource,
            {"ResourceARN": "arn:aws:fsx:us-east-2:1:file-system/fs-1"},
            "ResourceNotFound",
        ),
    ):
        with pytest.raises(fsx.exceptions.ClientError) as caught:
            call(**arguments)
        assert caught.value.response["Error"]["Code"] == code

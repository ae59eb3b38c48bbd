"""The embedded AWS keeps to itself: nothing of the user's goes in, nothing stays."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlparse

import pytest
from botocore.exceptions import ClientError
from moto.core.config import default_user_config
from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend
from moto.s3.models import FakeBucket
from small_templates import BLOCK_ID

from clusterwright.errors import LocalCloudError
from clusterwright.localcloud import LocalCloud

if TYPE_CHECKING:
    from pathlib import Path

USERS_OWN = {
    "AWS_ACCESS_KEY_ID": "AKIAUSER",
    "AWS_SECRET_ACCESS_KEY": "the user's secret",
    "AWS_SESSION_TOKEN": "the user's token",
    "AWS_PROFILE": "production",
    "AWS_CONFIG_FILE": "/home/user/.aws/config",
    "HTTPS_PROXY": "http://proxy:3128",
    "CDK_DEFAULT_ACCOUNT": "999999999999",
}


def test_nothing_of_the_user_is_passed_on(cloud: LocalCloud) -> None:
    passed = cloud.environment({**USERS_OWN, "PATH": "/bin", "HOME": "/home/user", "SECRET": "x"})
    for name, value in USERS_OWN.items():
        assert passed.get(name) != value
    assert "AWS_SESSION_TOKEN" not in passed
    assert "AWS_PROFILE" not in passed
    assert "SECRET" not in passed
    assert passed["PATH"] == "/bin"
    assert passed["HOME"] != "/home/user"
    assert passed["AWS_ENDPOINT_URL"] == cloud.endpoint
    assert passed["AWS_SHARED_CREDENTIALS_FILE"] == os.devnull


def test_clients_ignore_the_users_settings(
    cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / "config"
    config.write_text("[profile production]\nregion = eu-west-1\nendpoint_url = http://127.0.0.1:1\n")
    for name, value in {**USERS_OWN, "AWS_CONFIG_FILE": str(config)}.items():
        monkeypatch.setenv(name, value)
    client = cloud.account.client("sns")
    assert client.meta.region_name == "us-east-2"
    assert client.list_topics()["Topics"] == []


def test_the_users_settings_are_back_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in USERS_OWN.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    with LocalCloud():
        assert "AWS_PROFILE" not in os.environ
    assert dict(os.environ) == before


def test_a_profile_that_is_not_there_does_no_harm() -> None:
    script = "from clusterwright.localcloud import LocalCloud\nwith LocalCloud(): pass"
    environment = {**os.environ, **USERS_OWN}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)


def test_a_child_process_reaches_the_account(cloud: LocalCloud) -> None:
    script = "import boto3; print(boto3.client('sts').get_caller_identity()['Account'])"
    result = subprocess.run(
        [sys.executable, "-c", script], env=cloud.environment(), capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "123456789012"


def test_an_account_id_can_be_chosen() -> None:
    with LocalCloud(account_id="111122223333", region="us-west-2") as cloud:
        assert cloud.client("sts").get_caller_identity()["Account"] == "111122223333"
        bucket = cloud.client("logs").create_log_group
        bucket(logGroupName="/a")
        assert ":111122223333:" in cloud.client("logs").describe_log_groups()["logGroups"][0]["arn"]


def test_the_next_one_is_empty_and_the_port_is_free() -> None:
    with LocalCloud() as first:
        first.client("ssm").put_parameter(Name="/a", Value="1", Type="String")
        place = urlparse(first.endpoint)
    with socket.socket() as probe:
        assert probe.connect_ex((place.hostname, place.port)) != 0
    with LocalCloud() as second:
        assert second.client("ssm").describe_parameters()["Parameters"] == []


def test_moto_is_as_before_afterwards() -> None:
    def state() -> tuple[object, ...]:
        zones = [zone.zone_id for zone in RegionsAndZonesBackend.zones["us-east-1"]]
        return dict(default_user_config["iam"]), zones, FakeBucket.get_permission

    before = state()
    with LocalCloud():
        assert state() != before
    assert state() == before


def test_it_only_works_while_it_runs() -> None:
    with pytest.raises(LocalCloudError, match="does not run"):
        LocalCloud().client("ec2")


@pytest.mark.parametrize(
    ("service", "operation", "arguments"),
    [
        ("eks", "list_insights", {"clusterName": "atlas"}),
        ("ec2", "describe_capacity_block_extension_history", {}),
        ("fsx", "describe_file_caches", {}),
        ("grafana", "list_workspaces", {}),
        ("cloudformation", "list_types", {}),
    ],
)
def test_what_it_lacks_is_refused_by_name(
    cloud: LocalCloud, service: str, operation: str, arguments: dict[str, str]
) -> None:
    with pytest.raises(ClientError, match=f"the embedded AWS has no {service}:"):
        getattr(cloud.client(service), operation)(**arguments)


def test_another_region_is_refused(cloud: LocalCloud) -> None:
    script = "import boto3; boto3.client('eks', region_name='eu-west-1').list_clusters()"
    result = subprocess.run(
        [sys.executable, "-c", script],
        env=cloud.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "the embedded AWS has the region us-east-2 only, not eu-west-1" in result.stderr


def test_reservations_can_be_looked_up(cloud: LocalCloud) -> None:
    ec2 = cloud.client("ec2")
    found = ec2.describe_capacity_reservations(CapacityReservationIds=[BLOCK_ID])["CapacityReservations"][0]
    assert (found["InstanceType"], found["AvailabilityZoneId"]) == ("p5en.48xlarge", "use2-az3")
    assert (found["AvailabilityZone"], found["ReservationType"]) == ("us-east-2c", "capacity-block")
    assert found["TotalInstanceCount"] == 4
    by_type = [{"Name": "instance-type", "Values": ["p5.48xlarge"]}]
    assert ec2.describe_capacity_reservations(Filters=by_type)["CapacityReservations"] == []
    with pytest.raises(ClientError, match="'cr-0' does not exist"):
        ec2.describe_capacity_reservations(CapacityReservationIds=["cr-0"])
    with pytest.raises(ClientError, match="The filter 'colour' is invalid"):
        ec2.describe_capacity_reservations(Filters=[{"Name": "colour", "Values": ["red"]}])


def test_local_zones_are_known() -> None:
    with LocalCloud(region="us-east-1") as cloud:
        zones = cloud.client("ec2").describe_availability_zones()["AvailabilityZones"]
        kinds = {zone["ZoneId"]: zone["ZoneType"] for zone in zones}
    assert kinds["use1-dfw2-az1"] == "local-zone"
    assert kinds["use1-az1"] == "availability-zone"

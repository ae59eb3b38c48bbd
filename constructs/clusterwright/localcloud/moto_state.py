"""moto's state in this process: how it is set up for the embedded AWS, and put back."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from moto.core.base_backend import BackendDict
from moto.core.config import default_user_config
from moto.core.model_instances import reset_model_data
from moto.ec2.models import subnets, vpcs
from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend, Zone
from moto.iam.access_control import PermissionResult
from moto.s3.models import FakeBucket

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

LOCAL_ZONES = (Zone("us-east-1-dfw-2a", "us-east-1", "use1-dfw2-az1", "local-zone"),)
"""Local zones that clusters use and moto lacks (AWS Local Zones user guide, "Available Local Zones", read
2026-11-20)."""


@contextmanager
def empty_moto() -> Iterator[None]:
    """Have moto empty, with AWS's managed policies and `LOCAL_ZONES`; afterwards empty again and as before.

    Bucket policies are kept and not enforced meanwhile.
    """
    iam_before = default_user_config["iam"]
    default_user_config["iam"] = {"load_aws_managed_policies": True}
    get_permission = FakeBucket.get_permission
    # moto reads a bucket policy without its conditions: "deny what comes unencrypted" denies everything.
    FakeBucket.get_permission = lambda *_: PermissionResult.NEUTRAL
    for zone in LOCAL_ZONES:
        RegionsAndZonesBackend.zones[zone.region_name].append(zone)
    _reset()
    try:
        yield
    finally:
        default_user_config["iam"] = iam_before
        FakeBucket.get_permission = get_permission
        for zone in LOCAL_ZONES:
            RegionsAndZonesBackend.zones[zone.region_name].remove(zone)
        _reset()


@contextmanager
def chosen_vpc_id(vpc_id: str) -> Iterator[None]:
    """Have moto give the next VPC this id: a VPC that a cluster.yaml names has to be there before."""
    with _replaced(vpcs, "random_vpc_id", vpc_id):
        yield


@contextmanager
def chosen_subnet_id(subnet_id: str) -> Iterator[None]:
    """Have moto give the next subnet this id."""
    with _replaced(subnets, "random_subnet_id", subnet_id):
        yield


@contextmanager
def _replaced(module: ModuleType, generator: str, identifier: str) -> Iterator[None]:
    original = getattr(module, generator)
    setattr(module, generator, lambda: identifier)
    try:
        yield
    finally:
        setattr(module, generator, original)


def _reset() -> None:
    BackendDict.reset()
    reset_model_data()

"""moto's state in this process: how it is set up for the embedded AWS, and put back."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from moto import settings
from moto.core.base_backend import BackendDict
from moto.core.config import default_user_config
from moto.core.model_instances import reset_model_data
from moto.ec2.models import subnets, vpcs
from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend, Zone
from moto.ec2.models.managed_prefixes import ManagedPrefixListBackend
from moto.iam.access_control import PermissionResult
from moto.kms import models as kms
from moto.s3.models import FakeBucket, S3Backend

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOCAL_ZONES = (Zone("us-east-1-dfw-2a", "us-east-1", "use1-dfw2-az1", "local-zone"),)
"""Local zones that clusters use and moto lacks (AWS Local Zones user guide, "Available Local Zones", read
2026-11-20)."""


@contextmanager
def empty_moto() -> Iterator[None]:
    """Have moto empty and fit for the embedded AWS; afterwards empty again and as before.

    It knows AWS's managed policies and `LOCAL_ZONES`, and no machine images, which take a third of a second
    to load. Bucket policies are kept and not enforced: moto reads them without their conditions, so that
    "deny what comes unencrypted" would deny everything. So any bucket may be a target of access logs, too.
    ListBuckets does not tell of directory buckets. S3 Express has a prefix list, without which moto knows no
    routes of a gateway endpoint.
    """
    with ExitStack() as changes:
        changes.enter_context(_replaced_item(default_user_config, "iam", {"load_aws_managed_policies": True}))
        changes.enter_context(_replaced(settings, "ec2_load_default_amis", lambda: False))
        changes.enter_context(_replaced(FakeBucket, "get_permission", lambda *_: PermissionResult.NEUTRAL))
        changes.enter_context(_replaced(FakeBucket, "_log_permissions_enabled_acl", lambda *_, **__: True))
        changes.enter_context(
            _replaced(S3Backend, "list_buckets", _general_purpose_only(S3Backend.list_buckets))
        )
        changes.enter_context(
            _replaced(
                ManagedPrefixListBackend,
                "create_default_pls",
                _with_s3_express(ManagedPrefixListBackend.create_default_pls),
            )
        )
        for zone in LOCAL_ZONES:
            zones = RegionsAndZonesBackend.zones
            known = [*zones[zone.region_name], zone]
            changes.enter_context(_replaced_item(zones, zone.region_name, known))
        changes.callback(_reset)
        _reset()
        yield


@contextmanager
def chosen_vpc_id(vpc_id: str) -> Iterator[None]:
    """Have moto give the next VPC this id: a VPC that a cluster.yaml names has to be there before."""
    with _replaced(vpcs, "random_vpc_id", lambda: vpc_id):
        yield


@contextmanager
def chosen_subnet_id(subnet_id: str) -> Iterator[None]:
    """Have moto give the next subnet this id."""
    with _replaced(subnets, "random_subnet_id", lambda: subnet_id):
        yield


@contextmanager
def chosen_key_id(key_id: str) -> Iterator[None]:
    """Have moto give the next KMS key this id."""
    with _replaced(kms, "generate_key_id", lambda *_: key_id):
        yield


@contextmanager
def _replaced(owner: object, name: str, value: object) -> Iterator[None]:
    original = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, original)


@contextmanager
def _replaced_item(mapping: dict[str, Any], key: str, value: object) -> Iterator[None]:
    original = mapping[key]
    mapping[key] = value
    try:
        yield
    finally:
        mapping[key] = original


def _general_purpose_only(list_buckets: Callable[..., list[FakeBucket]]) -> Callable[..., list[FakeBucket]]:
    def listed(*args: object, **options: object) -> list[FakeBucket]:
        return [bucket for bucket in list_buckets(*args, **options) if not bucket.name.endswith("--x-s3")]

    return listed


def _with_s3_express(create: Callable[[Any], None]) -> Callable[[Any], None]:
    def create_all(backend: Any) -> None:  # noqa: ANN401  moto is untyped
        create(backend)
        backend._create_aws_managed_prefix_list(  # noqa: SLF001  as moto's own default does
            name=f"com.amazonaws.{backend.region_name}.s3express",
            address_family="IPv4",
            entries=[{"Cidr": "3.5.252.0/22", "Description": "default"}],
        )

    return create_all


def _reset() -> None:
    BackendDict.reset()
    reset_model_data()

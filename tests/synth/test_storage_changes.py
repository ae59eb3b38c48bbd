"""Whether what the fields of storage say of a change is what CloudFormation would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Template

from clusterwright.config.base import LOSES_DATA
from clusterwright.config.buckets import BucketConfig, ExpressConfig
from clusterwright.config.lustre import LinkConfig, LustreConfig
from clusterwright.config.openzfs import OpenZfsConfig
from clusterwright.config.storage import StorageConfig
from clusterwright.storage import ClusterStorage
from clusterwright.storage_record import LINK_FIELDS
from clusterwright.template_changes import find_replaced_resources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

LUSTRE: dict[str, Any] = {"capacity_gib": 4800}
TIERED: dict[str, Any] = {"type": "intelligent-tiering", "throughput_mbps": 4000}
HOME: dict[str, Any] = {"kind": "openzfs", "capacity_gib": 128, "throughput_mbps": 160}
LINK: dict[str, Any] = {"bucket": "data", "path": "/data"}
KEY = "arn:aws:kms:us-west-2:111122223333:key/0123abcd"

VARIANTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "lustre.type": (LUSTRE, TIERED),
    "lustre.capacity_gib": (LUSTRE, {"capacity_gib": 9600}),
    "lustre.throughput_mbps_per_tib": (LUSTRE, {**LUSTRE, "throughput_mbps_per_tib": 500}),
    "lustre.throughput_mbps": (TIERED, {**TIERED, "throughput_mbps": 8000}),
    "lustre.read_cache_gib": (TIERED, {**TIERED, "read_cache_gib": 0}),
    "lustre.efa": (LUSTRE, {**LUSTRE, "efa": True}),
    "lustre.metadata_iops": (LUSTRE, {**LUSTRE, "metadata_iops": 12_000}),
    "lustre.compression": (LUSTRE, {**LUSTRE, "compression": "none"}),
    "lustre.mount": (LUSTRE, {**LUSTRE, "mount": "/other"}),
    "lustre.links": (LUSTRE, {**LUSTRE, "links": [LINK]}),
    "lustre.pools": (LUSTRE, {**LUSTRE, "pools": ["train"]}),
    "lustre.backup_days": (LUSTRE, {**LUSTRE, "backup_days": 7}),
    "lustre.maintenance": (LUSTRE, {**LUSTRE, "maintenance": "1:05:00"}),
    "lustre.kms": (LUSTRE, {**LUSTRE, "kms": KEY}),
    "lustre.retain": (LUSTRE, {**LUSTRE, "retain": False}),
    "home.capacity_gib": (HOME, {**HOME, "capacity_gib": 256}),
    "home.throughput_mbps": (HOME, {**HOME, "throughput_mbps": 320}),
    "home.iops": (HOME, {**HOME, "iops": 1000}),
    "home.compression": (HOME, {**HOME, "compression": "zstd"}),
    "home.quotas": (HOME, {**HOME, "quotas": [{"user": 1000, "gib": 5}]}),
    "home.snapshots": (HOME, {**HOME, "snapshots": "daily"}),
    "home.backup_days": (HOME, {**HOME, "backup_days": 0}),
    "home.maintenance": (HOME, {**HOME, "maintenance": "1:05:00"}),
    "home.mount": (HOME, {**HOME, "mount": "/homes"}),
    "home.kms": (HOME, {**HOME, "kms": KEY}),
    "home.retain": (HOME, {**HOME, "retain": False}),
    "buckets.existing": ({}, {"existing": "corp-data"}),
    "buckets.pools": ({}, {"pools": ["train"]}),
    "buckets.read_only": ({}, {"read_only": True}),
    "buckets.tiering": ({}, {"tiering": "intelligent"}),
    "buckets.transitions": ({}, {"transitions": {"glacier": 90}}),
    "buckets.expire_days": ({}, {"expire_days": 30}),
    "buckets.noncurrent_days": ({}, {"noncurrent_days": 30}),
    "buckets.versioned": ({}, {"versioned": False}),
    "buckets.abort_incomplete_days": ({}, {"abort_incomplete_days": 3}),
    "buckets.kms": ({}, {"kms": "own"}),
    "buckets.retain": ({}, {"retain": False}),
    "express.existing": ({}, {"existing": "hot--usw2-az3--x-s3"}),
    "express.pools": ({}, {"pools": ["train"]}),
    "express.expire_days": ({}, {"expire_days": 30}),
    "express.abort_incomplete_days": ({}, {"abort_incomplete_days": 3}),
    "express.kms": ({}, {"kms": "own"}),
    "express.retain": ({}, {"retain": False}),
}
"""Two sections that differ in one field, by the field."""

MODELS: dict[str, type[BaseModel]] = {
    "lustre": LustreConfig,
    "home": OpenZfsConfig,
    "buckets": BucketConfig,
    "express": ExpressConfig,
}

DECIDED_ELSEWHERE = {"home.kind", "home.deployment"}
"""Fields with one value, or resolved before the construct sees them."""


def synthesize(config: dict[str, Any], deployment: str = "single-az-ha-2") -> dict[str, Any]:
    """The template of some storage, alone in a stack."""
    stack = cdk.Stack(cdk.App(analytics_reporting=False), "Stack")
    ClusterStorage(
        stack,
        "Storage",
        config=StorageConfig.model_validate(config, strict=False),
        name="atlas",
        vpc=ec2.Vpc.from_vpc_attributes(stack, "Vpc", vpc_id="vpc-1", availability_zones=["usw2-az3"]),
        zone="usw2-az3",
        subnet_id="subnet-1",
        home_deployment=deployment,
    )
    found: dict[str, Any] = Template.from_stack(stack).to_json()
    return found


def template(section: str, item: dict[str, Any], deployment: str = "single-az-ha-2") -> dict[str, Any]:
    """The template of one item, beside a bucket that links can show."""
    config: dict[str, Any] = {"buckets": {"data": {}}}
    config[section] = item if section == "home" else {**config.get(section, {}), "one": item}
    return synthesize(config, deployment)


def marked(section: str) -> Iterator[tuple[str, bool]]:
    """Each field, and whether it says that a change loses data."""
    for name, field in MODELS[section].model_fields.items():
        yield f"{section}.{name}", LOSES_DATA in field.metadata


def test_every_field_has_a_variant() -> None:
    fields = {field for section in MODELS for field, _ in marked(section)}
    assert fields - DECIDED_ELSEWHERE == set(VARIANTS)


@pytest.mark.parametrize("field", VARIANTS)
def test_the_mark_of_a_field_is_what_cloudformation_does(field: str) -> None:
    section = field.partition(".")[0]
    before, after = (template(section, item) for item in VARIANTS[field])
    is_replaced = bool(list(find_replaced_resources(before, after)))
    assert is_replaced == dict(marked(section))[field]


def test_the_deployment_type_of_homes_replaces_them() -> None:
    before, after = (template("home", HOME, deployment) for deployment in ("single-az-ha-2", "single-az-2"))
    assert list(find_replaced_resources(before, after))
    assert dict(marked("home"))["home.deployment"]


@pytest.mark.parametrize("field", sorted(set(LinkConfig.model_fields) - {"path"}))
def test_links_are_replaced_for_the_fields_that_are_recorded(field: str) -> None:
    values = {"bucket": "one", "prefix": "two", "batch_import": False, "import_": ["new"], "export": ["new"]}
    changed = {**LINK, "import" if field == "import_" else field: values[field]}
    before, after = (link_properties(link) for link in (LINK, changed))
    assert before != after
    create_only = ("DataRepositoryPath", "BatchImportMetaDataOnCreate", "FileSystemPath", "FileSystemId")
    is_replaced = any(before[name] != after[name] for name in create_only)
    assert is_replaced == (field in LINK_FIELDS)


def link_properties(link: dict[str, Any]) -> dict[str, Any]:
    """The properties of a link, in a template of its own."""
    config = {"buckets": {"data": {}, "one": {}}, "lustre": {"fast": {**LUSTRE, "links": [link]}}}
    resources = synthesize(config)["Resources"].values()
    (found,) = [each for each in resources if each["Type"] == "AWS::FSx::DataRepositoryAssociation"]
    properties: dict[str, Any] = found["Properties"]
    return properties

"""Resources with data that a deployment would replace or drop, whatever the file says."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from clusterwright.localcloud.cloudformation.schemas import resource_schema
from clusterwright.template_changes import REPLACING_PROPERTIES, find_replaced_resources

if TYPE_CHECKING:
    from pathlib import Path

REFUSED = {"StorageType", "LustreConfiguration.EfaEnabled", "OpenZFSConfiguration.PreferredSubnetId"}
"""What CloudFormation would change in place, if UpdateFileSystem took it."""


@pytest.fixture(scope="module")
def deployed(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The storage template of the example, as it was reviewed."""
    root: Path = request.getfixturevalue("root")
    path = root / "tests" / "golden" / "storage-tiers" / "tiers-storage.template.json"
    template: dict[str, Any] = json.loads(path.read_text())
    return template


def find(template: dict[str, Any], word: str) -> str:
    """The logical id of the only file system or bucket whose id holds a word."""
    (found,) = [
        key
        for key, each in template["Resources"].items()
        if word in key and each["Type"] in REPLACING_PROPERTIES
    ]
    return found


def changed(template: dict[str, Any], word: str, path: str, value: object) -> dict[str, Any]:
    """The template with one property of one resource changed."""
    planned = copy.deepcopy(template)
    holder = planned["Resources"][find(template, word)]["Properties"]
    *sections, name = path.split(".")
    for section in sections:
        holder = holder[section]
    assert holder.get(name) != value
    holder[name] = value
    return planned


def test_no_change_replaces_nothing(deployed: dict[str, Any]) -> None:
    assert list(find_replaced_resources(deployed, copy.deepcopy(deployed))) == []
    assert list(find_replaced_resources({}, deployed)) == []


@pytest.mark.parametrize(
    ("word", "path", "value"),
    [
        ("LustreScratch", "LustreConfiguration.PerUnitStorageThroughput", 500),
        ("LustreScratch", "LustreConfiguration.CopyTagsToBackups", True),
        ("LustreScratch", "LustreConfiguration.EfaEnabled", None),
        ("LustreScratch", "KmsKeyId", "alias/other"),
        ("LustreArchive", "StorageType", "SSD"),
        ("HomeFileSystem", "OpenZFSConfiguration.DeploymentType", "MULTI_AZ_1"),
        ("BucketCheckpoints", "BucketName", "other"),
        ("ExpressHot", "LocationName", "usw2-az1"),
    ],
)
def test_what_cannot_change_in_place_is_named(
    deployed: dict[str, Any], word: str, path: str, value: object
) -> None:
    (change,) = find_replaced_resources(deployed, changed(deployed, word, path, value))
    assert change.properties == (path,)
    finding = change.as_finding("cluster.yaml")
    assert finding.is_error
    assert f"cannot change {path} in place" in finding.message


@pytest.mark.parametrize(
    ("word", "path", "value"),
    [
        ("LustreScratch", "StorageCapacity", 38400),
        ("LustreScratch", "LustreConfiguration.DataCompressionType", "NONE"),
        ("HomeFileSystem", "OpenZFSConfiguration.ThroughputCapacity", 2560),
        ("HomeVolume", "Name", "people"),
        ("HomeVolume", "OpenZFSConfiguration.UserAndGroupQuotas", []),
        ("BucketCheckpoints", "LifecycleConfiguration", {}),
    ],
)
def test_what_changes_in_place_is_no_finding(
    deployed: dict[str, Any], word: str, path: str, value: object
) -> None:
    assert list(find_replaced_resources(deployed, changed(deployed, word, path, value))) == []


def test_what_a_release_makes_under_another_id_is_named(deployed: dict[str, Any]) -> None:
    planned = copy.deepcopy(deployed)
    scratch = find(deployed, "LustreScratch")
    planned["Resources"]["Elsewhere"] = planned["Resources"].pop(scratch)
    (change,) = find_replaced_resources(deployed, planned)
    assert change.properties == ()
    assert "is in the deployed stack, and not in that of this file" in change.as_finding("x.yaml").message


@pytest.mark.parametrize("resource_type", REPLACING_PROPERTIES)
def test_the_embedded_aws_replaces_for_the_same_properties(resource_type: str) -> None:
    schema = resource_schema("us-west-2", resource_type)
    assert schema is not None
    listed = {path.replace("/", ".") for path in schema.replaced_for}
    # Of volumes we set no snapshot and nothing of ONTAP; of buckets no prefix and no namespace.
    ours = {
        path
        for path in listed
        if not any(word in path for word in ("Ontap", "OriginSnapshot", "Prefix", "Namespace"))
    }
    assert set(REPLACING_PROPERTIES[resource_type]) - REFUSED == ours

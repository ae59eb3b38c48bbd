"""Changes that would part a cluster from its data."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from clusterwright.data_changes import REPLACING_PROPERTIES, find_data_changes

if TYPE_CHECKING:
    from pathlib import Path


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


def test_no_change_parts_nobody_from_data(deployed: dict[str, Any]) -> None:
    assert list(find_data_changes(deployed, copy.deepcopy(deployed))) == []


@pytest.mark.parametrize(
    ("word", "path", "value"),
    [
        ("LustreScratch", "LustreConfiguration.PerUnitStorageThroughput", 500),
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
    planned = copy.deepcopy(deployed)
    holder = planned["Resources"][find(deployed, word)]["Properties"]
    *sections, name = path.split(".")
    for section in sections:
        holder = holder[section]
    holder[name] = value
    (change,) = find_data_changes(deployed, planned)
    assert (change.effect, change.properties) == ("replaced", (path,))
    finding = change.as_finding("cluster.yaml")
    assert finding.is_error
    assert path in finding.message
    assert word.removesuffix("FileSystem").replace("Lustre", "")[:3] in finding.message


@pytest.mark.parametrize(
    ("word", "path", "value"),
    [
        ("LustreScratch", "StorageCapacity", 38400),
        ("LustreScratch", "LustreConfiguration.DataCompressionType", "NONE"),
        ("HomeFileSystem", "OpenZFSConfiguration.ThroughputCapacity", 2560),
        ("HomeVolume", "OpenZFSConfiguration.UserAndGroupQuotas", []),
        ("BucketCheckpoints", "LifecycleConfiguration", {}),
    ],
)
def test_what_changes_in_place_is_no_finding(
    deployed: dict[str, Any], word: str, path: str, value: object
) -> None:
    planned = copy.deepcopy(deployed)
    holder = planned["Resources"][find(deployed, word)]["Properties"]
    *sections, name = path.split(".")
    for section in sections:
        holder = holder[section]
    assert holder[name] != value
    holder[name] = value
    assert list(find_data_changes(deployed, planned)) == []


def test_what_is_taken_out_stays_or_goes_as_the_file_said(deployed: dict[str, Any]) -> None:
    scratch, archive = find(deployed, "LustreScratch"), find(deployed, "LustreArchive")
    before = copy.deepcopy(deployed)
    before["Resources"][archive]["DeletionPolicy"] = "Delete"
    planned = copy.deepcopy(before)
    del planned["Resources"][scratch], planned["Resources"][archive]
    effects = {change.path.split("/")[-2]: change.effect for change in find_data_changes(before, planned)}
    assert effects == {"LustreScratch": "kept", "LustreArchive": "deleted"}


def test_a_cluster_without_storage_has_nothing_to_lose() -> None:
    assert list(find_data_changes({}, {"Resources": {}})) == []

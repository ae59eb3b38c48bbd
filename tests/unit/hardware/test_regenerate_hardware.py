"""The script that writes the catalogue, and the one that writes its page."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "scripts"
CATALOGUE = ROOT / "constructs" / "clusterwright" / "hardware" / "data" / "catalogue.json"
PAGE = ROOT / "docs" / "reference" / "hardware.md"


@pytest.fixture(scope="module")
def scripts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        yield


@pytest.fixture(scope="module")
def generator(scripts: None) -> Any:
    del scripts
    return importlib.import_module("regenerate_hardware")


class FakePages:
    def __init__(self, key: str, entries: list[dict[str, Any]]) -> None:
        self.key, self.entries = key, entries

    def paginate(self, **arguments: Any) -> list[dict[str, Any]]:
        (wanted,) = arguments["Filters"]
        return [{self.key: [entry]} for entry in self.entries if entry["InstanceType"] in wanted["Values"]]


class FakeClient:
    """One region of EC2: what it offers, and its zones."""

    def __init__(self, offers: dict[str, list[str]], zones: list[dict[str, str]]) -> None:
        self.offers, self.zones = offers, zones
        self.described: list[str] = []

    def get_paginator(self, operation: str) -> FakePages:
        if operation == "describe_instance_type_offerings":
            pairs = [(name, zone_id) for name, zone_ids in self.offers.items() for zone_id in zone_ids]
            entries = [{"InstanceType": name, "Location": zone_id} for name, zone_id in pairs]
            return FakePages("InstanceTypeOfferings", entries)
        return FakePages("InstanceTypes", [{"InstanceType": name} for name in self.offers])

    def describe_availability_zones(self, **arguments: Any) -> dict[str, Any]:
        assert arguments == {"AllAvailabilityZones": True}
        return {"AvailabilityZones": self.zones}


def test_committed_catalogue_is_what_the_script_makes(generator: Any) -> None:
    assert generator.generate_from_moto() == CATALOGUE.read_text(encoding="utf-8"), (
        "run: python scripts/regenerate_hardware.py --bundled"
    )


def test_committed_page_is_what_the_script_makes(scripts: None) -> None:
    del scripts
    page = PAGE.read_text(encoding="utf-8")
    assert importlib.import_module("hardware_page").fill(page) == page, "run: python scripts/hardware_page.py"


def test_page_without_a_place_for_a_table_is_refused(scripts: None) -> None:
    del scripts
    with pytest.raises(ValueError, match="0 places for the table 'interfaces'"):
        importlib.import_module("hardware_page").fill("# Hardware\n")


def test_types_and_zones_are_collected_over_regions(generator: Any) -> None:
    zone_a = {"ZoneType": "availability-zone", "ZoneId": "aa1-az1"}
    clients = {
        "aa-north-1": FakeClient({"m9.large": ["aa1-az1", "aa1-az9"]}, [zone_a]),
        "bb-north-1": FakeClient({"m9.large": ["bb1-az1"], "p9.48xlarge": ["bb1-az1"]}, []),
        "cc-north-1": FakeClient({}, [{"ZoneType": "availability-zone", "ZoneId": "cc1-az1"}]),
    }
    facts = generator.collect(sorted(clients), ["m9.large", "p9.48xlarge"], clients.__getitem__)
    assert sorted(facts.types) == ["m9.large", "p9.48xlarge"]
    assert facts.offerings["m9.large"] == {"aa1-az1", "aa1-az9", "bb1-az1"}
    assert sorted(facts.zones) == ["aa1-az1", "aa1-az9", "bb1-az1"]


def test_control_planes_need_a_zone_that_ec2_lists(generator: Any) -> None:
    zones = [
        {"ZoneType": "availability-zone", "ZoneId": "aa1-az1"},
        {"ZoneType": "local-zone", "ZoneId": "aa1-xyz1-az1", "ParentZoneId": "aa1-az1"},
        {"ZoneType": "local-zone", "ZoneId": "aa1-idle1-az1", "ParentZoneId": "aa1-az1"},
        {"ZoneType": "wavelength-zone", "ZoneId": "aa1-wl1-az1"},
    ]
    offering = {"aa1-az1", "aa1-az2", "aa1-xyz1-az1"}
    found = generator.collect_zones(FakeClient({}, zones), "aa-north-1", offering)
    assert {zone_id: zone["hosts_eks_control_plane"] for zone_id, zone in found.items()} == {
        "aa1-az1": True,
        "aa1-az2": False,
        "aa1-xyz1-az1": False,
    }
    assert found["aa1-xyz1-az1"]["parent"] == "aa1-az1"


@pytest.mark.parametrize(
    ("words", "gigabits"),
    [
        ("Up to 12.5 Gigabit", 12.5),
        ("3200 Gigabit", 3200),
        ("16x 200 Gigabit", 3200),
        ("18.75 Gigabit", 18.75),
    ],
)
def test_network_performance_in_ec2s_words(generator: Any, words: str, gigabits: float) -> None:
    assert generator.read_gigabits(words) == gigabits


def test_unknown_words_for_network_performance_are_refused(generator: Any) -> None:
    with pytest.raises(ValueError, match="'Moderate' is in words that this script does not know"):
        generator.read_gigabits("Moderate")


def test_equal_cards_share_a_record(generator: Any) -> None:
    cards = [
        {
            "MaximumNetworkInterfaces": most,
            "InterfaceTypes": kinds,
            "BaselineBandwidthInGbps": 1.0,
            "NetworkCardIndex": i,
        }
        for i, (most, kinds) in enumerate([(2, ["interface"]), (1, ["efa-only"]), (2, ["interface"])])
    ]
    assert [group["indexes"] for group in generator.group_cards(cards)] == [[0, 2], [1]]


def amendment(changes: dict[str, Any]) -> dict[str, Any]:
    return {
        "types": ["p9.48xlarge"],
        "set": changes,
        "reason": "because\n",
        "source": "here",
        "verified": False,
    }


def test_amendment_changes_a_field_and_leaves_a_note(generator: Any) -> None:
    records = {"p9.48xlarge": {"accelerators": {"memory_mib": 1}, "vcpus": 8, "notes": []}}
    generator.amend(records, [amendment({"accelerators.memory_mib": 2})])
    note = {"fields": ["accelerators"], "reason": "because", "source": "here", "is_verified": False}
    assert records == {"p9.48xlarge": {"accelerators": {"memory_mib": 2}, "vcpus": 8, "notes": [note]}}


def test_amendment_of_a_misspelt_field_is_refused(generator: Any) -> None:
    records = {"p9.48xlarge": {"accelerators": {"memory_mib": 1}, "notes": []}}
    with pytest.raises(KeyError, match=r"accelerators\.memory_gib, which does not exist"):
        generator.amend(records, [amendment({"accelerators.memory_gib": 2})])


def test_chips_are_told_apart_by_memory(generator: Any) -> None:
    chips = {
        "small": {"ec2_name": "A100", "memory_mib": 40960},
        "large": {"ec2_name": "A100", "memory_mib": 81920},
        "any": {"ec2_name": "H100"},
    }
    assert generator.find_chip({"name": "A100", "memory_mib": 81920}, chips) == "large"
    assert generator.find_chip({"name": "H100", "memory_mib": 1}, chips) == "any"
    with pytest.raises(KeyError, match="no facts on A100, 5 MiB"):
        generator.find_chip({"name": "A100", "memory_mib": 5}, chips)


def test_overlay_cites_only_sources_that_it_has(generator: Any) -> None:
    overlay = yaml.safe_load((SCRIPTS / "hardware_overlay.yaml").read_text(encoding="utf-8"))
    cited = set(generator.find_cited(overlay)) | {"moto"}
    cited |= {key for zone in overlay["zones"].values() for key in zone["sources"]}
    cited |= {entry["source"] for entry in overlay["left_out"].values()}
    assert cited == set(overlay["sources"])


def test_a_failed_write_leaves_the_old_file(generator: Any, tmp_path: Path) -> None:
    file = tmp_path / "catalogue.json"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        generator.write(file, "\ud800")
    assert file.read_text() == "old"
    generator.write(file, "new")
    assert file.read_text() == "new"


def test_the_script_writes_where_it_is_told(
    generator: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "catalogue.json"
    monkeypatch.setattr(generator, "generate_from_moto", lambda: "{}")
    monkeypatch.setattr("sys.argv", ["regenerate_hardware.py", "--bundled", "--output", str(file)])
    generator.main()
    assert file.read_text() == "{}"
    assert capsys.readouterr().out == f"wrote {file}\n"


def test_asking_ec2_dates_the_catalogue_today(
    generator: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {}

    def generate(source: dict[str, str], regions: list[str]) -> str:
        asked.update(source, regions=regions)
        return "{}"

    monkeypatch.setattr(generator, "generate", generate)
    arguments = ["regenerate_hardware.py", "--regions", "us-east-2", "--output", str(tmp_path / "made.json")]
    monkeypatch.setattr("sys.argv", arguments)
    generator.main()
    assert asked["regions"] == ["us-east-2"]
    assert asked["date"] == generator.datetime.now(generator.UTC).date().isoformat()

"""Refusals in the storage section: each names the value and legal ones next to it, which then pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from storage_cases import LINK, bucket, home, lustre, storage, tiered
from test_rules import write

from clusterwright.checks import check_cluster
from clusterwright.checks.storage_rules import STORAGE_RULES
from clusterwright.config.loading import parse_cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage_cases import Sections

    from clusterwright.errors import Finding


def big_home(fields: str) -> Sections:
    """Homes of the largest size."""
    return storage(f"home: {{kind: openzfs, capacity_gib: 524288, throughput_mbps: 64, {fields}}}")


def two_mounts(mount: str) -> Sections:
    return storage(f"lustre: {{a: {{capacity_gib: 1200}}, b: {{capacity_gib: 1200, mount: {mount}}}}}")


REFUSALS: list[tuple[str, Callable[[str], Sections], str, tuple[str, ...]]] = [
    ("STO001", lambda value: lustre(f"capacity_gib: {value}"), "1201", ("1200", "2400")),
    ("STO001", lambda value: lustre(f"capacity_gib: {value}"), "3600", ("2400", "4800")),
    ("STO001", lambda value: lustre(f"capacity_gib: {value}"), "0", ("1200",)),
    ("STO001", lambda value: lustre(f"capacity_gib: {value}"), "-5", ("1200",)),
    ("STO001", lambda value: lustre(f"capacity_gib: {value}"), "2400000000", ("2147481600",)),
    (
        "STO001",
        lambda value: lustre(f"capacity_gib: {value}, efa: true, throughput_mbps_per_tib: 1000"),
        "2400000000",
        ("2147481600",),
    ),
    (
        "STO001",
        lambda value: lustre(f"capacity_gib: {value}, throughput_mbps_per_tib: 500, efa: true"),
        "4800",
        ("9600",),
    ),
    ("STO002", lambda value: lustre(f"capacity_gib: 1200, metadata_iops: {value}"), "4500", ("3000", "6000")),
    ("STO002", lambda value: lustre(f"capacity_gib: 1200, metadata_iops: {value}"), "9999999", ("192000",)),
    (
        "STO002",
        lambda value: tiered(f"throughput_mbps: 4000, metadata_iops: {value}"),
        "7000",
        ("6000", "12000"),
    ),
    ("STO003", lambda value: tiered(f"throughput_mbps: {value}"), "5000", ("4000", "8000")),
    ("STO003", lambda value: tiered(f"throughput_mbps: {value}"), "2004000", ("2000000",)),
    (
        "STO004",
        lambda value: tiered(f"throughput_mbps: 8000, read_cache_gib: {value}"),
        "10",
        ("0", "64"),
    ),
    (
        "STO005",
        lambda value: lustre(f"capacity_gib: 1200, links: [{{bucket: {value}, path: /d}}]"),
        "date",
        ("data",),
    ),
    (
        "STO009",
        lambda value: lustre(f"capacity_gib: 1200, backup_days: {value}, links: [{LINK}]"),
        "7",
        ("0",),
    ),
    ("STO010", two_mounts, "/fsx", ("/fsx-b",)),
    (
        "STO012",
        lambda value: lustre(f"capacity_gib: 1200, mount: {value}"),
        "/usr/share",
        ("/fsx", "/scratch"),
    ),
    ("STO013", lambda value: bucket(f"pools: [{value}]"), "trian", ("train",)),
    ("STO018", lambda value: home(f"throughput_mbps: {value}"), "1000", ("640", "1280")),
    ("STO018", lambda value: home(f"throughput_mbps: {value}"), "99999", ("10240",)),
    (
        "STO018",
        lambda value: home(f"throughput_mbps: {value}, deployment: single-az-1"),
        "640",
        ("512", "1024"),
    ),
    ("STO020", lambda value: home(f"throughput_mbps: 160, iops: {value}"), "100", ("3072",)),
    ("STO020", lambda value: home(f"throughput_mbps: 160, iops: {value}"), "99999999", ("400000",)),
    (
        "STO020",
        lambda value: home(f"throughput_mbps: 64, deployment: single-az-1, iops: {value}"),
        "200000",
        ("160000",),
    ),
    ("STO021", lambda value: bucket(f"transitions: {{glacier_ir: 90, glacier: {value}}}"), "60", ("91",)),
    ("STO021", lambda value: bucket(f"transitions: {{glacier_ir: {value}, glacier: 60}}"), "90", ("59",)),
    (
        "STO022",
        lambda value: bucket(f"transitions: {{glacier: 90}}, noncurrent_days: 7, expire_days: {value}"),
        "60",
        ("91",),
    ),
    ("STO025", lambda value: bucket(f"existing: {value}"), "a..b", ("research-datasets",)),
]
"""Rule, how the file is written with a value, one that is refused, and legal ones that the finding names."""

WITHOUT_A_NEIGHBOUR = {
    "STO006": "two links overlap: which of them moves is for the user to say",
    "STO007": "there are too many links",
    "STO008": "the section cannot be there",
    "STO014": "the section cannot be there",
    "STO024": "a name is too long: tells by how much",
    "STO029": "the entry is there twice",
    "STO033": "a key of the right region may have any ARN; but see the hint on replicas",
}


def find(code: str, sections: Sections) -> list[Finding]:
    """What a rule says of a cluster."""
    reading = parse_cluster(write(sections))
    assert reading.findings == ()
    assert reading.cluster is not None
    return [each for each in check_cluster(reading.cluster) if each.code == code]


@pytest.mark.parametrize(("code", "written", "value", "legal"), REFUSALS, ids=lambda each: str(each)[:20])
def test_refusal_names_legal_neighbours(
    code: str, written: Callable[[str], Sections], value: str, legal: tuple[str, ...]
) -> None:
    (finding,) = find(code, written(value))
    words = f"{finding.message} {finding.hint}".replace(",", " ").replace("?", " ").replace(":", " ").split()
    assert value.removeprefix("-") in {word.removeprefix("-") for word in words}
    for each in legal:
        assert each in words
        assert find(code, written(each)) == []


def test_every_refusal_is_in_the_table() -> None:
    errors = {rule.code for rule in STORAGE_RULES if rule.severity == "error"}
    assert {case[0] for case in REFUSALS} | WITHOUT_A_NEIGHBOUR.keys() == errors


def test_homes_too_large_for_any_number_of_iops() -> None:
    (finding,) = find("STO020", big_home("deployment: single-az-1, iops: 200000"))
    assert finding.message.startswith("200000 IOPS do not go with 524288 GiB of single-az-1 in us-east-2")
    assert finding.hint == "leave the field out, for 160000, or take at most 53333 GiB"
    assert find("STO020", big_home("deployment: single-az-1")) == []


@pytest.mark.parametrize(
    ("days", "hint"),
    [
        (
            "{standard_ia: 60, glacier: 60}",
            "the nearest are 61 for glacier or 59 for standard_ia",
        ),
        ("{standard_ia: 0, glacier: 0}", "the nearest is 1 for glacier"),
        (
            "{standard_ia: 60, glacier: 59, deep_archive: 60}",
            "the nearest is 58 for standard_ia",
        ),
        (
            "{glacier_ir: 1, glacier: 0, deep_archive: 2}",
            "give glacier 2 or more, and each class after it more still",
        ),
        ("{onezone_ia: 30, glacier_ir: 90}", "remove onezone_ia or glacier_ir"),
    ],
)
def test_days_that_put_transitions_in_order(days: str, hint: str) -> None:
    assert find("STO021", bucket(f"transitions: {days}"))[0].hint == hint


def test_a_key_with_replicas_is_named_where_the_cluster_is() -> None:
    arn = "arn:aws:kms:us-west-2:111122223333:key/mrk-1234abcd12ab34cd56ef1234567890ab"
    (finding,) = find("STO033", bucket(f"kms: {arn}"))
    replica = arn.replace("us-west-2", "us-east-2")
    assert finding.hint == f"name its replica in us-east-2, if it has one: {replica}"
    assert find("STO033", bucket(f"kms: {replica}")) == []

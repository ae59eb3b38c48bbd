"""The storage section: what it takes, and what is said of what it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterwright.config.base import NO_INTERRUPTION
from clusterwright.config.loading import parse_cluster
from clusterwright.config.openzfs import OpenZfsConfig, QuotaConfig
from clusterwright.config.storage import StorageConfig

if TYPE_CHECKING:
    from pydantic import BaseModel

HEAD = """\
version: 1
name: atlas
region: us-east-2
orchestrator: {kind: eks}
pools: {train: {instance_type: p5en.48xlarge, count: 2}}
storage:
"""

CONTRACT = """\
  buckets:
    datasets: {tiering: intelligent}
    checkpoints: {expire_days: 60, noncurrent_days: 7}
  express:
    hot: {}
  lustre:
    scratch:
      capacity_gib: 19200
      throughput_mbps_per_tib: 1000
      efa: true
      mount: /fsx
      links: [{bucket: datasets, path: /datasets, import: [new, changed, deleted], export: []}]
  home: {kind: openzfs, capacity_gib: 1024, throughput_mbps: 1280, mount: /home}
  local_nvme: {raid: 0, mount: /scratch}
"""


def read(text: str) -> StorageConfig:
    reading = parse_cluster(HEAD + text)
    assert reading.findings == ()
    assert reading.cluster is not None
    return reading.cluster.storage


def test_section_of_the_contract() -> None:
    storage = read(CONTRACT)
    (link,) = storage.lustre["scratch"].links
    assert link.import_ == ("new", "changed", "deleted")
    assert (link.export, link.batch_import, link.prefix) == ((), True, "")
    assert storage.buckets["datasets"].retain
    assert storage.home is not None
    assert storage.home.deployment is None
    assert storage.local_nvme is not None
    assert storage.local_nvme.uses == ("containerd", "scratch")


def test_without_a_section_there_is_no_storage() -> None:
    reading = parse_cluster(HEAD.removesuffix("storage:\n"))
    assert reading.cluster is not None
    assert reading.cluster.storage == StorageConfig()


def test_transitions_are_listed_from_the_dearest_class() -> None:
    storage = read("  buckets: {a: {transitions: {deep_archive: 365, standard_ia: 30}}}\n")
    transitions = storage.buckets["a"].transitions
    assert transitions is not None
    assert list(transitions.days.items()) == [("standard_ia", 30), ("deep_archive", 365)]


MISTAKES = [
    (
        "buckets: {a: {existing: data-lake, expire_days: 3}}",
        "CFG013",
        "keeps the settings it has: remove expire",
    ),
    ("buckets: {a: {existing: data-lake, kms: own}}", "CFG013", "give that key's ARN, or nothing"),
    ("express: {a: {existing: hot--usw2-az3--x-s3, retain: false}}", "CFG013", "remove retain here"),
    ("express: {a: {existing: hot--usw2-az3--x-s3, kms: own}}", "CFG013", "give that key's ARN"),
    ("buckets: {a: {noncurrent_days: 3, versioned: false}}", "CFG013", "only a versioned bucket"),
    ("buckets: {a: {tiering: intelligent, transitions: {glacier: 3}}}", "CFG013", "not both"),
    ("buckets: {a: {transitions: {glacier_it: 3}}}", "CFG007", "no field glacier_it"),
    ("buckets: {a: {existing: Data_Lake}}", "CFG011", "is not the name of an S3 bucket"),
    ("buckets: {a: {kms: mine}}", "CFG011", "aws for a key that AWS manages"),
    ("buckets: {a: {versioned: 1}}", "CFG009", "takes true or false, not the number 1"),
    ("buckets: {a: {expire_days: 0}}", "CFG012", "it must be at least 1"),
    ("lustre: {a: {}}", "CFG013", "the type ssd needs capacity_gib"),
    (
        "lustre: {a: {capacity_gib: 1200, links: [{bucket: b, path: /b, import: [new, new]}]}}",
        "CFG011",
        "new is in the list twice",
    ),
    (
        "lustre: {a: {capacity_gib: 1200, links: [{bucket: b, path: /b, export: [new, deleted, new]}]}}",
        "CFG011",
        "new is in the list twice",
    ),
    ("lustre: {a: {type: intelligent-tiering}}", "CFG013", "needs throughput_mbps"),
    (
        "lustre: {a: {capacity_gib: 1200, throughput_mbps: 4000}}",
        "CFG013",
        "for the type intelligent-tiering only",
    ),
    (
        "lustre: {a: {type: intelligent-tiering, throughput_mbps: 4000, capacity_gib: 1200}}",
        "CFG013",
        "capacity_gib is for the type ssd only",
    ),
    (
        "lustre: {a: {capacity_gib: 1200, throughput_mbps_per_tib: 300}}",
        "CFG010",
        "allowed: 125, 250, 500, 1000",
    ),
    ("lustre: {a: {capacity_gib: 1200, mount: fsx}}", "CFG011", "is not a path to mount at"),
    ("lustre: {a: {capacity_gib: 1200, mount: /}}", "CFG011", "is not a path to mount at"),
    ("lustre: {a: {capacity_gib: 1200, mount: /a/../etc}}", "CFG011", "without the parts . and .."),
    ("lustre: {a: {capacity_gib: 1200, maintenance: '8:03:00'}}", "CFG011", "1 for Monday"),
    ("lustre: {a: {capacity_gib: 1200, root_squash: '1:1'}}", "CFG014", "CloudFormation has no property"),
    (
        "lustre: {a: {capacity_gib: 1200, links: [{bucket: b, path: /b, import: [news]}]}}",
        "CFG010",
        'links[0].import[0] cannot be "news"; allowed: new, changed, deleted',
    ),
    (
        "lustre: {a: {capacity_gib: 1200, links: [{bucket: b, path: /b, imports: [new]}]}}",
        "CFG007",
        "there is no field imports",
    ),
    ("lustre: {a: {capacity_gib: 1200, links: [{bucket: b}]}}", "CFG008", "links[0] lacks the field path"),
    (
        "home: {kind: efs, capacity_gib: 64, throughput_mbps: 64}",
        "CFG010",
        'cannot be "efs"; allowed: openzfs',
    ),
    ("home: {kind: openzfs, capacity_gib: 63, throughput_mbps: 64}", "CFG012", "at least 64"),
    (
        "home: {kind: openzfs, capacity_gib: 64, throughput_mbps: 64, quotas: [{gib: 1}]}",
        "CFG013",
        "give user or group",
    ),
    ("local_nvme: {raid: 1}", "CFG010", "allowed: 0, none"),
    ("local_nvme: {uses: []}", "CFG012", "at least 1"),
]


@pytest.mark.parametrize(("fields", "code", "words"), MISTAKES)
def test_mistake_is_explained_once(fields: str, code: str, words: str) -> None:
    (finding,) = parse_cluster(f"{HEAD}  {fields}\n").findings
    assert finding.code == code
    assert words in finding.message
    assert finding.path.startswith("storage.")


def test_hints_know_the_words_of_the_file() -> None:
    link = "{bucket: b, path: /b, imprt: [new]}"
    (finding,) = parse_cluster(f"{HEAD}  lustre: {{a: {{capacity_gib: 1200, links: [{link}]}}}}\n").findings
    assert finding.hint == "did you mean import?"


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        ("300", "the nearest are 250 or 500"),
        ("100", "the nearest is 125"),
        ("2000", "the nearest is 1000"),
        ("0.5", "the nearest is 125"),
        ("yes", ""),
    ],
)
def test_numbers_are_answered_with_the_nearest(number: str, hint: str) -> None:
    text = f"{HEAD}  lustre: {{a: {{capacity_gib: 1200, throughput_mbps_per_tib: {number}}}}}\n"
    (finding,) = parse_cluster(text).findings
    assert finding.code == "CFG010"
    assert finding.hint == hint


def test_one_number_among_words_is_no_hint() -> None:
    (finding,) = parse_cluster(f"{HEAD}  local_nvme: {{raid: 1}}\n").findings
    assert finding.hint == ""


@pytest.mark.parametrize(
    ("section", "fields"),
    [(OpenZfsConfig, ("quotas", "compression")), (QuotaConfig, ("user", "group", "gib"))],
)
def test_what_is_on_the_volume_of_the_homes_changes_in_place(
    section: type[BaseModel], fields: tuple[str, ...]
) -> None:
    for name in fields:
        field = section.model_fields[name]
        assert NO_INTERRUPTION in field.metadata
        assert "replaces" not in (field.description or "")

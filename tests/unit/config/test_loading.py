"""Mistakes in a cluster.yaml: what is said, where, and that it is said once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusterwright import ClusterConfig, InvalidClusterError, UnreadableFileError, load_cluster
from clusterwright.config.cluster import LATER_SECTIONS
from clusterwright.config.loading import SIZE_LIMIT_BYTES, parse_cluster, read_cluster

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
version: 1
name: atlas
region: us-east-2
account: "111122223333"
tags: {team: research}
orchestrator:
  kind: eks
  version: "1.34"
  admins: [arn:aws:iam::111122223333:role/Admin]
network:
  cidr: 10.0.0.0/16
capacity:
  h200:
    kind: capacity-block
    id: cr-0123456789abcdef0
    instance_type: p5en.48xlarge
    count: 32
    zone: use2-az3
    starts: 2026-12-01T11:30:00Z
    ends: 2026-12-15T11:30:00Z
pools:
  train:
    instance_type: p5en.48xlarge
    count: 32
    capacity: h200
    taints: ["team=research:NoSchedule"]
"""

POOL_COUNT = "    count: 32\n    cap"

MISTAKES: list[tuple[str, str, str, str, str]] = [
    ("name: atlas", "nmae: atlas", "CFG007", "nmae", "did you mean name?"),
    (POOL_COUNT, "    cuont: 32\n    cap", "CFG007", "cuont", "did you mean count?"),
    ("  kind: eks", "  kind: eks\n  frobnicate: 1", "CFG007", "frobnicate", "fields here are kind"),
    ("    kind: capacity-block", "    kind: spot", "CFG007", "is of the kind spot", "fields here are kind"),
    ("name: atlas\n", "", "CFG008", "the file lacks the field name", "Name of the cluster"),
    ("  kind: eks\n", "", "CFG008", "orchestrator lacks the field kind", "kind: eks, hyper"),
    ("    kind: capacity-block\n", "", "CFG008", "capacity.h200 lacks the field kind", "on-demand, spot"),
    ('"1.34"', "1.30", "CFG009", "not the number 1.30", 'put it in quotes: "1.30"'),
    ('"111122223333"', "011122223333", "CFG009", "not the number 011122223333", '"011122223333"'),
    ("research}", "on}", "CFG009", "not on, which is true for YAML", 'put it in quotes: "on"'),
    (POOL_COUNT, "    count: three\n    cap", "CFG009", "takes a whole number, not the text three", ""),
    (POOL_COUNT, '    count: "3"\n    cap', "CFG009", 'not the text "3"', "remove the quotes"),
    (POOL_COUNT, "    count: 1.5\n    cap", "CFG009", "takes a whole number, not the number 1.5", ""),
    ("[arn:aws:iam::111122223333:role/Admin]", "someone", "CFG009", "takes a list, not the text", "hyphen"),
    ("{team: research}", "[team]", "CFG009", "tags takes a mapping, not a list", ""),
    ("  cidr: 10.0.0.0/16\n", "", "CFG009", "network has no value; it takes a mapping", ""),
    ("starts: 2026-12-01T11:30:00Z", "starts: 2026-12-01", "CFG009", "takes a time such as", ""),
    ("kind: eks", "kind: ecs", "CFG010", 'cannot be "ecs"; allowed: eks', "did you mean pcs?"),
    ("kind: eks", "kind: hyperpod-eks\n  login: x", "CFG007", "is of the kind hyperpod-eks", "endpoint"),
    ('kind: eks\n  version: "1.34"\n  admins: [arn:aws:iam::111122223333:role/Admin]',
     "kind: pcs\n  version: 25.11", "CFG010", "cannot be 25.11", 'put it in quotes: "25.11"'),
    ("kind: capacity-block", "kind: capacity-blok", "CFG010", '"capacity-blok"', "mean capacity-block?"),
    ("version: 1\n", "version: 2\n", "CFG010", "version cannot be 2; allowed: 1", ""),
    ("version: 1\n", 'version: "1"\n', "CFG010", 'cannot be "1"', "remove the quotes"),
    ("name: atlas", "name: Atlas", "CFG011", '"Atlas" is not a name: lower-case', "for example"),
    ("  train:", "  Train:", "CFG011", 'the key "Train" in pools is not a name', "for example train"),
    ("  train:", "  train-:", "CFG011", 'the key "train-" in pools is not a name: lower', ""),
    ("name: atlas", "name: at--las", "CFG011", '"at--las" is not a name: lower-case', ""),
    ("name: atlas", f"name: {'a' * 33}", "CFG012", "name has 33 characters; it must have at most 32", ""),
    ("zone: use2-az3", "zone: us-east-2a", "CFG011", "the id, not the name", "for example use2-az3"),
    ("10.0.0.0/16", "10.0.0.1/16", "CFG011", "the block that holds this address is 10.0.0.0/16", ""),
    ("10.0.0.0/16", "10.0.0.999/16", "CFG011", "four numbers of 0 to 255", ""),
    ("starts: 2026-12-01T11:30:00Z", "starts: 2026-12-01T11:30:00", "CFG011", "in UTC, with a Z", ""),
    ("starts: 2026-12-01T11:30:00Z", "starts: 2026-02-30T11:30:00Z", "CFG011", "it is no time", ""),
    ("{team: research}", "{aws:team: research}", "CFG011", "belong to AWS", ""),
    (POOL_COUNT, "    count: -3\n    cap", "CFG012", "is -3; it must be at least 0", ""),
    (POOL_COUNT, "    count: 99999\n    cap", "CFG012", "it must be at most 10000", ""),
    ("research}", "x" * 257 + "}", "CFG012", "has 257 characters; it must have at most 256", ""),
    (POOL_COUNT, "    min: 4\n    max: 2\n    cap", "CFG013", "min is 4, more than max", ""),
    (POOL_COUNT, "    cap", "CFG013", "say how many nodes", ""),
    (POOL_COUNT, "    count: 1\n    max: 2\n    cap", "CFG013", "give either count", ""),
    ("ends: 2026-12-15", "ends: 2026-11-15", "CFG013", "ends before it starts", ""),
    ("    instance_type: p5en.48xlarge\n    count: 32\n    z", "    count: 1\n    z", "CFG013", "miss", ""),
    ("pools:", "health: {}\npools:", "CFG014", "section health is not yet built", "remove it"),
    ("kind: eks", "kind: eks\n  autoscaler: karpenter", "CFG014", "karpenter is not yet", "write none"),
    ("kind: eks", "kind: eks\n  node_recovery: automatic", "CFG007", "which is of the kind eks", "fields"),
    ("kind: capacity-block", "kind: training-plan", "CFG014", "plan is not yet", "capacity-block are"),
]  # fmt: skip
"""What is replaced, by what, and the code, words and hint of the one finding that follows."""


@pytest.mark.parametrize(("old", "new", "code", "words", "hint"), MISTAKES, ids=lambda text: text[:30])
def test_mistake_is_explained_once(old: str, new: str, code: str, words: str, hint: str) -> None:
    assert GOOD.count(old) == 1
    reading = parse_cluster(GOOD.replace(old, new))
    assert reading.cluster is None
    findings = [finding for finding in reading.findings if finding.code == code]
    assert {finding.code for finding in reading.findings} == {code}
    assert any(words in finding.message and hint in finding.hint for finding in findings), findings
    assert "kind: spot" in new or len(findings) == 1


PLACES = [
    ("name: atlas", "name: Atlas", (2, 7), "name"),
    ("  kind: eks", "  kind: eks\n  frobnicate: 1", (8, 3), "orchestrator.frobnicate"),
    ("  kind: eks\n", "", (6, 1), "orchestrator.kind"),
    ("    zone: use2-az3\n", "", (13, 3), "capacity.h200.zone"),
    ("zone: use2-az3", "zone: us-east-2a", (18, 11), "capacity.h200.zone"),
    ("ends: 2026-12-15", "ends: 2026-11-15", (20, 11), "capacity.h200.ends"),
    ("  train:", "  Train:", (22, 3), "pools.Train"),
    ('"team=research:NoSchedule"', "a:NoSchedule, b", (26, 28), "pools.train.taints[1]"),
    ("name: atlas\n", "", (1, 1), "name"),
]


@pytest.mark.parametrize(("old", "new", "place", "path"), PLACES)
def test_finding_is_placed(old: str, new: str, place: tuple[int, int], path: str) -> None:
    (finding,) = parse_cluster(GOOD.replace(old, new), file="some.yaml").findings
    assert ((finding.line, finding.column), finding.path, finding.file) == (place, path, "some.yaml")


def test_good_file_has_no_findings() -> None:
    reading = parse_cluster(GOOD)
    assert reading.findings == ()
    assert isinstance(reading.cluster, ClusterConfig)
    assert reading.cluster.pools["train"].largest_size == 32


def test_time_may_be_in_quotes() -> None:
    quoted = GOOD.replace("2026-12-01T11:30:00Z", '"2026-12-01T11:30:00Z"')
    assert parse_cluster(quoted).cluster == parse_cluster(GOOD).cluster


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    text = (
        GOOD.replace("name: atlas", "nmae: atlas").replace("kind: eks", "kind: ecs")
        + "  system:\n  train: {}\n"
    )
    findings = parse_cluster(text).findings
    assert [finding.code for finding in findings] == ["CFG007", "CFG010", "CFG009", "CFG003"]


HIDING = [
    ("network:\n", "<<: {region: us-east-2}\nnetwork:\n", "CFG006"),
    ("capacity:\n", "---\ncapacity:\n", "CFG005"),
    ("    count: 32\n    cap", "    <<: {count: 32}\n    cap", "CFG006"),
]
"""What is replaced, by what that hides fields from the reader, and the code of that."""


@pytest.mark.parametrize(("old", "new", "code"), HIDING)
def test_what_hides_fields_is_told_alone(old: str, new: str, code: str) -> None:
    assert GOOD.count(old) == 1
    reading = parse_cluster(GOOD.replace(old, new))
    assert [finding.code for finding in reading.findings] == [code]
    assert (reading.cluster, reading.partial) == (None, None)


def test_no_message_speaks_of_the_validator() -> None:
    said = " ".join(
        finding.message + finding.hint
        for old, new, *_ in MISTAKES
        for finding in parse_cluster(GOOD.replace(old, new)).findings
    )
    for jargon in (
        "pydantic",
        "Input should",
        "union",
        "tuple",
        "Extra inputs",
        "PoolConfig",
        "NoneType",
        "dict",
    ):
        assert jargon not in said


@pytest.mark.parametrize("section", LATER_SECTIONS)
def test_sections_to_come_are_refused_with_a_word_of_their_own(section: str) -> None:
    (finding,) = parse_cluster(GOOD + f"{section}: {{set: x}}\n").findings
    assert (finding.code, finding.path, finding.line) == ("CFG014", section, 27)


def test_network_is_described_once() -> None:
    existing = (
        "  existing: {vpc: vpc-12345678, subnets: {use2-az1: subnet-12345678, use2-az2: subnet-87654321}}\n"
    )
    (finding,) = parse_cluster(GOOD.replace("capacity:\n", existing + "capacity:\n")).findings
    assert (finding.code, finding.path) == ("CFG013", "network.existing")
    assert "cidr" in finding.message


@pytest.fixture
def unreadable(tmp_path: Path) -> dict[str, tuple[Path, str]]:
    """Files that cannot be read, by name, and a word of what is said of each."""
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("version: 1\nname: caf\xe9\n".encode("latin-1"))
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * (SIZE_LIMIT_BYTES + 1))
    return {
        "missing": (tmp_path / "none.yaml", "there is no such file"),
        "directory": (tmp_path, "is a directory"),
        "not UTF-8": (latin, "line 2 holds the byte 0xe9"),
        "too large": (large, "larger than"),
        "not a path": (tmp_path / "a\0b", "cannot be read"),
    }


@pytest.mark.parametrize("name", ["missing", "directory", "not UTF-8", "too large", "not a path"])
def test_unreadable(name: str, unreadable: dict[str, tuple[Path, str]]) -> None:
    path, words = unreadable[name]
    with pytest.raises(UnreadableFileError, match=words):
        read_cluster(path)


def test_load_cluster_raises_with_every_finding(tmp_path: Path) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(GOOD.replace("name: atlas", "name: Atlas").replace("kind: eks", "kind: ecs"))
    with pytest.raises(InvalidClusterError, match=r"cluster.yaml:2:7: CFG011") as caught:
        load_cluster(path)
    assert [finding.code for finding in caught.value.findings] == ["CFG011", "CFG010"]


def test_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(GOOD, encoding="utf-8-sig")
    assert load_cluster(path).name == "atlas"

"""Errors of the file hide neither what else can be known, nor do rules draw conclusions from them."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from test_rules import FIRES, Sections, write

from clusterwright.checks.engine import check_reading
from clusterwright.config.loading import parse_cluster
from clusterwright.config.structure import find_section, item

if TYPE_CHECKING:
    from clusterwright.config.source_map import Path

MANY_MISTAKES = """\
version: 1
name: atlas
region: us-east-9
orchestrator: {kind: eks, admins: ["arn:aws:iam::111122223333:role/Admin"]}
zone: use2-az3
network: {cidr: 10.0.0.0/24}
capacity:
  h200:
    kind: capacity-block
    id: cr-0123456789abcdef0
    instance_type: p5en.48xlarge
    count: 600
    zone: use2-az3
    starts: 2026-12-15T11:30:00Z
    ends: 2026-12-01T11:30:00Z
pools:
  train: {instance_type: p5en.48xlarge, count: 600, capacity: h2000}
  serve: {instance_type: p5en.48xlarg, count: 6}
"""


def find(text: str) -> set[tuple[str, str]]:
    """Code and path of every finding."""
    return {(finding.code, finding.path) for finding in check_reading(parse_cluster(text)).findings}


def count_by_rule(text: str) -> Counter[str]:
    """How many findings each rule has, but for those on the file itself."""
    return Counter(code for code, _ in find(text) if not code.startswith("CFG"))


def test_one_run_tells_all() -> None:
    assert find(MANY_MISTAKES) == {
        ("ZON001", "region"),
        ("NET001", "network.cidr"),
        ("CAP007", "capacity.h200.count"),
        ("CFG013", "capacity.h200.ends"),
        ("CAP001", "pools.train.capacity"),
        ("POL001", "pools.serve.instance_type"),
    }


def test_a_file_with_errors_has_no_cluster() -> None:
    assert check_reading(parse_cluster(MANY_MISTAKES)).cluster is None


@pytest.mark.parametrize(
    ("code", "sections", "path"), [case[:3] for case in FIRES], ids=lambda each: str(each)[:40]
)
def test_every_rule_speaks_beside_an_error_that_has_nothing_to_do_with_it(
    code: str, sections: Sections, path: str
) -> None:
    text = write(sections | {"tags": "3"})
    assert {("CFG009", "tags"), (code, path)} <= find(text)


SILENT = {
    "pool without a size": ("count: 2}", "cuont: 2}", "POL008"),
    "pool that is no mapping": ("{instance_type: m7i.2xlarge, count: 2}", "3", "POL008"),
    "pool of a wrong name": ("system:", "System:", "POL008"),
    "capacity of an unknown kind": ("kind: reservation", "kind: reservatoin", "CAP001"),
    "capacity of a wrong name": ("  odcr: {", "  ODCR: {", "CAP001"),
    "capacity without a zone": (", zone: use2-az3}", "}", "ZON003"),
    "capacity that comes later": ("kind: reservation", "kind: training-plan", "ZON003"),
    "misspelt capacity": ("capacity: odcr", "capacityy: odcr", "CAP008"),
    "field that may mean the capacity": ("capacity: odcr", "reserved: odcr", "CAP008"),
    "field that may mean the zone": ("name: atlas", "name: atlas\nlocation: x", "ZON003"),
    "wrong administrator": ("arn:aws:iam::111122223333:role/Admin", "Admin", "EKS006"),
    "misspelt administrators": ("admins:", "admin:", "EKS006"),
    "orchestrator of an unknown kind": ("kind: eks, admins: [", "kind: ekz, login: [", "EKS006"),
    "key given twice": ("name: atlas", "name: atlas\npools: {}", "POL008"),
}
"""What is replaced in the text below, by what, and what must not be said then."""

RIGHT = """\
version: 1
name: atlas
region: us-east-2
orchestrator: {kind: eks, admins: ["arn:aws:iam::111122223333:role/Admin"]}
capacity:
  odcr: {kind: reservation, id: cr-0123456789abcdef0, instance_type: p5en.48xlarge, count: 4, zone: use2-az3}
pools:
  train: {instance_type: p5en.48xlarge, count: 4, capacity: odcr}
  system: {instance_type: m7i.2xlarge, count: 2}
"""


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_concluded_from_an_error(name: str) -> None:
    old, new, code = SILENT[name]
    assert find(RIGHT) == set()
    assert RIGHT.count(old) == 1
    found = find(RIGHT.replace(old, new))
    assert found
    assert {each for each, _ in found if not each.startswith("CFG")} == set(), code


def list_fields(data: dict[str, Any]) -> list[Path]:
    """The path of every field of a section that a file gives."""
    found: list[Path] = []
    pending: list[tuple[Path, Any]] = [((), data)]
    while pending:
        path, value = pending.pop()
        section = find_section(path, data)
        for name in value if isinstance(value, dict) else ():
            if section is not None:
                found.append((*path, name))
            pending.append(((*path, name), value[name]))
    return sorted(found, key=str)


def break_field(data: dict[str, Any], path: Path, how: str) -> dict[str, Any]:
    """The data with one field misspelt, or holding what no field takes."""
    data = deepcopy(data)
    section = data
    for part in path[:-1]:
        section = item(section, part)  # type: ignore[assignment]  a field's path leads through mappings
    value = section.pop(path[-1])
    section.update({f"{path[-1]}z": value} if how == "misspelt" else {path[-1]: {"?": [{}]}})
    return data


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_an_error_more_is_no_finding_of_a_rule_more(draws: st.DataObject) -> None:
    text = write(draws.draw(st.sampled_from(FIRES))[1])
    data = yaml.safe_load(text)
    path = draws.draw(st.sampled_from(list_fields(data)))
    broken = yaml.safe_dump(break_field(data, path, draws.draw(st.sampled_from(["misspelt", "nonsense"]))))
    assert any(code.startswith("CFG") for code, _ in find(broken))
    assert count_by_rule(broken) <= count_by_rule(text)

"""Each rule: clusters that it fires on, with the exact place, and near misses.

A case is written as the sections that differ from a cluster without findings. The place is named by the
field's path and by the text that stands there in the file.
"""

from __future__ import annotations

import pytest
import slurm_cases
import software_cases
import storage_cases

from clusterwright.checks import check_cluster
from clusterwright.checks.registry import RULES
from clusterwright.config.loading import Reading, parse_cluster

ADMIN = "arn:aws:iam::111122223333:role/Admin"
BASE = {
    "name": "atlas",
    "region": "us-east-2",
    "zone": "use2-az3",
    "orchestrator": f'{{kind: eks, version: "1.34", admins: ["{ADMIN}"]}}',
    "pools": "{system: {instance_type: m7i.2xlarge, count: 2}}",
}
SYSTEM = "system: {instance_type: m7i.2xlarge, count: 2}"

Sections = dict[str, str]


def block(
    what: str = "instance_type: p5en.48xlarge, count: 4", zone: str = "use2-az3", number: int = 0
) -> str:
    """A capacity block, as YAML."""
    window = "starts: 2026-12-01T11:30:00Z, ends: 2026-12-15T11:30:00Z"
    return f"{{kind: capacity-block, id: cr-0123456789abcdef{number}, {what}, zone: {zone}, {window}}}"


def pools(*entries: str) -> Sections:
    """A system pool and others, as `NAME: fields`."""
    named = (entry.split(": ", 1) for entry in entries)
    return {"pools": "{" + ", ".join([SYSTEM, *(f"{name}: {{{fields}}}" for name, fields in named)]) + "}"}


def on_block(fields: str, **blocks: str) -> Sections:
    """Capacity blocks, `h200` unless others are named, and a pool `train`."""
    blocks = blocks or {"h200": block()}
    capacity = ", ".join(f"{name}: {text}" for name, text in blocks.items())
    return {"capacity": f"{{{capacity}}}", **pools(f"train: {fields}")}


def on_ultraserver(fields: str, count: int = 1) -> Sections:
    """A capacity block of UltraServers in their local zone, and a pool `train`."""
    gb = block(f"ultraserver_type: u-p6e-gb200x72, count: {count}", "use1-dfw2-az1")
    return {"region": "us-east-1", "zone": "", **on_block(f"{fields}, capacity: gb", gb=gb)}


def eks(fields: str) -> Sections:
    """An orchestrator with an administrator."""
    return {"orchestrator": f'{{kind: eks, admins: ["{ADMIN}"], {fields}}}'}


def existing(*zones: str) -> Sections:
    """A VPC that exists, with a subnet in each zone."""
    subnets = ", ".join(f"{zone}: subnet-0123456789abcdef{at}" for at, zone in enumerate(zones))
    return {"network": f"{{existing: {{vpc: vpc-0123456789abcdef0, subnets: {{{subnets}}}}}}}"}


def network(fields: str) -> Sections:
    return {"network": f"{{{fields}}}"}


P5EN = "instance_type: p5en.48xlarge, count: 4"
GB200 = "instance_type: p6e-gb200.36xlarge, count: 18"
BIG = "train: instance_type: p5en.48xlarge, count: 300"

FIRES: list[tuple[str, Sections, str, str]] = [
    ("NAM001", {"name": "atlas-pool"}, "name", "atlas-pool"),
    ("NAM001", {"name": "atlas-pool-b"}, "name", "atlas-pool-b"),
    ("ZON001", {"region": "us-east-9"}, "region", "us-east-9"),
    ("ZON002", {"zone": "use1-az4"}, "zone", "use1-az4"),
    ("ZON002", on_block(f"{P5EN}, capacity: a", a=block(zone="use2-az9")), "capacity.a.zone", "use2-az9"),
    ("ZON002", existing("use2-az3", "use2-az2", "usw2-az1"), "network.existing.subnets.usw2-az1", "usw2-az1"),
    ("ZON003", {"zone": ""}, "zone", ""),
    ("ZON004", pools("gpu: instance_type: p6-b300.48xlarge, count: 1"), "pools.gpu.instance_type", "p6-b300"),
    ("POL001", pools("gpu: instance_type: p5em.48xlarge, count: 1"), "pools.gpu.instance_type", "p5em.48xl"),
    (
        "POL001",
        {"capacity": f"{{a: {block('instance_type: p5.1xlarge, count: 4')}}}"},
        "capacity.a.instance_type",
        "p5.1",
    ),
    (
        "POL002",
        on_ultraserver(f"{GB200}, ultraserver: u-p6e-gb200x99"),
        "pools.train.ultraserver",
        "u-p6e-gb200x99",
    ),
    ("POL003", on_ultraserver(GB200), "pools.train.instance_type", "p6e-gb200.36xlarge"),
    ("POL004", on_ultraserver(f"{GB200}, ultraserver: u-trn2x64"), "pools.train.ultraserver", "u-trn2x64"),
    (
        "POL005",
        on_ultraserver(f"{GB200.replace('18', '17')}, ultraserver: u-p6e-gb200x72"),
        "pools.train.count",
        "17",
    ),
    (
        "POL006",
        pools('gpu: instance_type: m7i.large, count: 1, taints: ["a=b:NoSchedule", "a=c:NoSchedule"]'),
        "pools.gpu.taints[1]",
        '"a=c',
    ),
    (
        "POL007",
        pools('gpu: instance_type: m7i.large, count: 1, taints: ["x.k8s.io/a:NoSchedule"]'),
        "pools.gpu.taints[0]",
        '"x.k8s',
    ),
    (
        "POL007",
        pools("gpu: instance_type: m7i.large, count: 1, labels: {kubernetes.io/role: a}"),
        "pools.gpu.labels.kubernetes.io/role",
        "kubernetes.io/role",
    ),
    ("POL008", {"pools": "{gpu: {instance_type: p5en.48xlarge, count: 1}}"}, "pools", "pools"),
    (
        "POL008",
        {"pools": '{cpu: {instance_type: m7i.large, count: 1, taints: ["a:NoExecute"]}}'},
        "pools",
        "pools",
    ),
    ("CAP001", on_block(f"{P5EN}, capacity: h2oo"), "pools.train.capacity", "h2oo"),
    (
        "CAP002",
        on_block("instance_type: p5.48xlarge, count: 4, capacity: h200"),
        "pools.train.instance_type",
        "p5.48xlarge",
    ),
    (
        "CAP002",
        on_ultraserver(f"{GB200}, ultraserver: u-p6e-gb200x36"),
        "pools.train.ultraserver",
        "u-p6e-gb200x36",
    ),
    ("CAP003", on_block(f"{P5EN}, capacity: a", a=block(zone="use2-az1")), "pools.train.capacity", "a"),
    (
        "CAP004",
        {
            "zone": "",
            "capacity": f"{{a: {block()}, b: {block(zone='use2-az1', number=1)}}}",
            **pools(f"x: {P5EN}, capacity: a", f"y: {P5EN}, capacity: b"),
        },
        "pools.y.capacity",
        "b",
    ),
    (
        "CAP005",
        {
            "capacity": f"{{a: {block()}}}",
            **pools(
                f"x: {P5EN}, capacity: a", "y: instance_type: p5en.48xlarge, min: 0, max: 1, capacity: a"
            ),
        },
        "capacity.a.count",
        "4",
    ),
    (
        "CAP005",
        on_ultraserver("instance_type: p6e-gb200.36xlarge, count: 36, ultraserver: u-p6e-gb200x72"),
        "capacity.gb.count",
        "1",
    ),
    (
        "CAP006",
        on_block(
            "instance_type: g5.xlarge, count: 4, capacity: h200",
            h200=block("instance_type: g5.xlarge, count: 4"),
        ),
        "pools.train.capacity",
        "h200",
    ),
    (
        "CAP006",
        {
            "region": "us-east-1",
            "zone": "use1-dfw2-az1",
            **pools(f"train: {GB200}, ultraserver: u-p6e-gb200x72"),
        },
        "pools.train.instance_type",
        "p6e-gb200",
    ),
    (
        "CAP007",
        on_block(
            "instance_type: p5en.48xlarge, count: 65, capacity: h200",
            h200=block("instance_type: p5en.48xlarge, count: 65"),
        ),
        "capacity.h200.count",
        "65",
    ),
    ("CAP008", {"capacity": f"{{spare: {block()}}}"}, "capacity.spare", "spare"),
    (
        "CAP009",
        {
            "capacity": f"{{a: {block()}, b: {block()}}}",
            **pools(f"x: {P5EN}, capacity: a", f"y: {P5EN}, capacity: b"),
        },
        "capacity.b.id",
        "cr-",
    ),
    ("NET001", network("cidr: 10.0.0.0/15"), "network.cidr", "10.0.0.0/15"),
    ("NET001", network("cidr: 10.0.0.0/23"), "network.cidr", "10.0.0.0/23"),
    ("NET001", network("cidr: 10.0.0.0/32"), "network.cidr", "10.0.0.0/32"),
    ("NET002", network("pod_cidr: 100.64.0.0/32"), "network.pod_cidr", "100.64.0.0/32"),
    ("NET002", network("pod_cidr: 100.64.0.0/25"), "network.pod_cidr", "100.64.0.0/25"),
    ("NET003", network("cidr: 10.2.0.0/16, pod_cidr: 10.2.128.0/17"), "network.pod_cidr", "10.2.128.0/17"),
    ("NET004", network("cidr: 169.254.0.0/16"), "network.cidr", "169.254"),
    ("NET005", network("cidr: 10.2.0.0/16, pod_cidr: 192.168.0.0/17"), "network.pod_cidr", "192.168"),
    ("NET005", network("cidr: 10.1.0.0/16, pod_cidr: 10.0.0.0/16"), "network.pod_cidr", "10.0.0.0/16"),
    ("NET005", network("cidr: 172.16.0.0/16, pod_cidr: 172.31.0.0/16"), "network.pod_cidr", "172.31"),
    ("NET005", network("cidr: 100.64.0.0/16, pod_cidr: 10.0.0.0/16"), "network.pod_cidr", "10.0.0.0/16"),
    ("NET006", network("cidr: 172.20.0.0/16, pod_cidr: 10.100.0.0/16"), "network.pod_cidr", "10.100.0.0/16"),
    (
        "NET006",
        network("cidr: 10.2.0.0/16, service_cidr: 10.0.0.0/12"),
        "network.service_cidr",
        "10.0.0.0/12",
    ),
    (
        "NET006",
        network("pod_cidr: 10.1.0.0/17, service_cidr: 10.1.64.0/24"),
        "network.service_cidr",
        "10.1.64.0",
    ),
    (
        "NET007",
        network("cidr: 10.0.0.0/22") | pools("x: instance_type: m7i.large, count: 600"),
        "network.cidr",
        "10.0.0.0/22",
    ),
    ("NET008", network("cidr: 10.0.0.0/18") | pools(BIG), "network.cidr", "10.0.0.0/18"),
    ("NET008", network("pod_cidr: 100.64.0.0/20") | pools(BIG), "network.pod_cidr", "100.64.0.0/20"),
    (
        "NET009",
        network("pod_cidr: 100.64.0.0/16") | pools("x: instance_type: p5.48xlarge, count: 1"),
        "pools.x.instance_type",
        "p5.48xlarge",
    ),
    ("NET010", existing("use2-az1", "use2-az2"), "network.existing.subnets", "subnets"),
    (
        "NET011",
        {"region": "us-east-1", "zone": "use1-az3", **existing("use1-az3", "use1-az1")},
        "network.existing.subnets",
        "subnets",
    ),
    ("NET012", network("cidr: 52.0.0.0/16"), "network.cidr", "52.0.0.0/16"),
    ("NET013", network("service_cidr: 172.20.0.0/25"), "network.service_cidr", "172.20.0.0/25"),
    (
        "NET013",
        network("cidr: 192.168.0.0/16, service_cidr: 10.0.0.0/11"),
        "network.service_cidr",
        "10.0.0.0/11",
    ),
    ("NET013", network("service_cidr: 100.64.0.0/16"), "network.service_cidr", "100.64.0.0/16"),
    ("EKS001", eks("endpoint: both"), "orchestrator.endpoint", "both"),
    (
        "EKS002",
        eks("endpoint: both, public_access_cidrs: [203.0.113.0/24, 0.0.0.0/0]"),
        "orchestrator.public_access_cidrs[1]",
        "0.0.0.0/0",
    ),
    (
        "EKS003",
        eks("public_access_cidrs: [203.0.113.0/24]"),
        "orchestrator.public_access_cidrs",
        "public_access_cidrs",
    ),
    ("EKS004", eks('version: "1.29"'), "orchestrator.version", '"1.29"'),
    (
        "EKS005",
        eks('version: "1.32"') | on_ultraserver(f"{GB200}, ultraserver: u-p6e-gb200x72"),
        "orchestrator.version",
        '"1.32"',
    ),
    ("EKS006", {"orchestrator": "{kind: eks}"}, "orchestrator.admins", "orchestrator"),
    ("EKS007", {"account": '"444455556666"'}, "orchestrator.admins[0]", f'"{ADMIN}"'),
    (
        "EKS008",
        {"orchestrator": f'{{kind: eks, admins: ["{ADMIN}", {ADMIN}]}}'},
        "orchestrator.admins[1]",
        ADMIN,
    ),
]
"""Rule, sections that differ, path of the finding, what stands at its place."""

NEAR_MISSES: list[tuple[str, Sections]] = [
    ("NAM001", {"name": "pool-atlas-pools"}),
    ("ZON001", {"region": "us-west-2", "zone": "usw2-az1"}),
    ("ZON002", existing("use2-az3", "use2-az2")),
    ("ZON003", {"zone": "", **on_block(f"{P5EN}, capacity: h200")}),
    ("ZON004", pools("gpu: instance_type: p5en.48xlarge, count: 1")),
    (
        "ZON004",
        {
            "region": "us-west-2",
            "zone": "usw2-az1",
            **on_block(f"{P5EN}, capacity: a", a=block(zone="usw2-az1")),
        },
    ),
    ("POL001", pools("gpu: instance_type: p5en.48xlarge, count: 1")),
    ("POL002", on_ultraserver(f"{GB200}, ultraserver: u-p6e-gb200x72")),
    ("POL003", pools("gpu: instance_type: trn2.48xlarge, count: 1")),
    ("POL004", on_ultraserver(f"{GB200}, ultraserver: u-p6e-gb200x72")),
    (
        "POL005",
        on_ultraserver("instance_type: p6e-gb200.36xlarge, min: 0, max: 36, ultraserver: u-p6e-gb200x72", 2),
    ),
    ("POL006", pools('gpu: instance_type: m7i.large, count: 1, taints: ["a=b:NoSchedule", "a=b:NoExecute"]')),
    (
        "POL007",
        pools(
            "gpu: instance_type: m7i.large, count: 1, labels: {notk8s.io/a: b}, "
            'taints: ["nvidia.com/gpu:NoSchedule"]'
        ),
    ),
    ("POL008", {"pools": '{cpu: {instance_type: m7i.large, count: 1, taints: ["a:PreferNoSchedule"]}}'}),
    ("CAP001", pools("gpu: instance_type: p5en.48xlarge, count: 1")),
    ("CAP002", on_ultraserver(f"{GB200}, ultraserver: u-p6e-gb200x72")),
    ("CAP003", on_block(f"{P5EN}, capacity: h200")),
    (
        "CAP004",
        {
            "zone": "",
            "capacity": f"{{a: {block()}, b: {block(number=1)}}}",
            **pools(f"x: {P5EN}, capacity: a", f"y: {P5EN}, capacity: b"),
        },
    ),
    ("CAP005", on_block(f"{P5EN}, capacity: h200")),
    (
        "CAP006",
        {
            "capacity": "{cheap: {kind: spot}}",
            **pools("gpu: instance_type: p5en.48xlarge, count: 1, capacity: cheap"),
        },
    ),
    (
        "CAP007",
        on_block(
            "instance_type: p5en.48xlarge, count: 64, capacity: h200",
            h200=block("instance_type: p5en.48xlarge, count: 64"),
        ),
    ),
    ("CAP008", {"capacity": "{cheap: {kind: spot}}"}),
    (
        "CAP009",
        {
            "capacity": f"{{a: {block()}, b: {block(number=1)}}}",
            **pools(f"x: {P5EN}, capacity: a", f"y: {P5EN}, capacity: b"),
        },
    ),
    ("NET001", network("cidr: 10.0.0.0/22")),
    ("NET002", network("pod_cidr: 100.64.0.0/24")),
    ("NET003", network("cidr: 10.2.0.0/17, pod_cidr: 10.2.128.0/17")),
    ("NET004", network("cidr: 169.253.0.0/16") | {"also": "NET012"}),
    ("NET005", network("cidr: 10.2.0.0/16, pod_cidr: 10.0.0.0/16")),
    ("NET006", network("cidr: 172.20.0.0/16")),
    ("NET006", network("cidr: 172.20.0.0/16, pod_cidr: 100.64.0.0/16, service_cidr: 172.21.0.0/16")),
    (
        "NET007",
        network("cidr: 10.0.0.0/22, pod_cidr: 100.64.0.0/16")
        | pools("x: instance_type: m7i.large, count: 500"),
    ),
    ("NET008", network("pod_cidr: 100.64.0.0/16") | pools("x: instance_type: p5en.48xlarge, count: 200")),
    ("NET009", network("pod_cidr: 100.64.0.0/16") | pools("x: instance_type: p5en.48xlarge, count: 1")),
    ("NET010", existing("use2-az1", "use2-az3")),
    (
        "NET011",
        existing("use1-az3", "use1-az1", "use1-az2")
        | {"region": "us-east-1", "zone": "use1-az3", "also": "ZON004"},
    ),
    ("NET012", network("cidr: 100.64.0.0/16")),
    ("NET013", network("cidr: 192.168.0.0/16, service_cidr: 10.0.0.0/12")),
    ("NET013", network("service_cidr: 172.31.255.0/24")),
    ("EKS001", eks("endpoint: both, public_access_cidrs: [203.0.113.0/24]")),
    ("EKS002", eks("endpoint: both, public_access_cidrs: [203.0.113.0/24]")),
    ("EKS003", eks("endpoint: private")),
    ("EKS004", eks('version: "1.30"')),
    ("EKS005", eks('version: "1.33"') | on_ultraserver(f"{GB200}, ultraserver: u-p6e-gb200x72")),
    ("EKS006", {}),
    ("EKS007", {"account": '"111122223333"'}),
    ("EKS008", {"orchestrator": f'{{kind: eks, admins: ["{ADMIN}", "{ADMIN}2"]}}'}),
]
"""Rule, sections that differ: close to the rule, without any finding but those of the rule under ``also``."""

FIRES += storage_cases.FIRES + slurm_cases.FIRES + software_cases.FIRES
NEAR_MISSES += storage_cases.NEAR_MISSES + slurm_cases.NEAR_MISSES + software_cases.NEAR_MISSES


def write(sections: Sections) -> str:
    """The YAML of a cluster; an empty section is left out."""
    return "version: 1\n" + "".join(f"{name}: {text}\n" for name, text in (BASE | sections).items() if text)


def read(sections: Sections) -> Reading:
    reading = parse_cluster(write(sections))
    assert reading.findings == ()
    return reading


@pytest.mark.parametrize(("code", "sections", "path", "token"), FIRES, ids=lambda value: str(value)[:40])
def test_rule_fires_at_the_place(code: str, sections: Sections, path: str, token: str) -> None:
    reading = read(sections)
    assert reading.cluster is not None
    findings = check_cluster(reading.cluster, file="cluster.yaml", source_map=reading.source_map)
    (finding,) = [each for each in findings if each.code == code]
    assert finding.path == path
    assert reading.text.splitlines()[finding.line - 1][finding.column - 1 :].startswith(token)
    assert finding.message


@pytest.mark.parametrize(("code", "sections"), NEAR_MISSES, ids=lambda value: str(value)[:40])
def test_near_miss_is_silent(code: str, sections: Sections) -> None:
    allowed = {sections["also"]} if "also" in sections else set()
    reading = read({name: text for name, text in sections.items() if name != "also"})
    assert reading.cluster is not None
    assert {finding.code for finding in check_cluster(reading.cluster)} == allowed, code


@pytest.mark.parametrize("cases", [[each[0] for each in FIRES], [each[0] for each in NEAR_MISSES]])
def test_every_rule_has_a_case(cases: list[str]) -> None:
    assert set(cases) == {rule.code for rule in RULES}

"""Cases of the rules on Slurm; `test_rules` runs them."""

from __future__ import annotations

Sections = dict[str, str]

HEAD = "head: {instance_type: m7i.4xlarge, count: 1}"
LOGIN = "login: {instance_type: m7i.2xlarge, count: 1}"
WORK = "work: {instance_type: c7i.8xlarge, count: 4}"
MIRROR = f"{{mirror: {{url: 's3://atlas-mirror/2026.11', manifest_sha256: '{'0' * 64}'}}}}"


def hyperpod(fields: str = "login: login", *pools: str) -> Sections:
    """Slurm on HyperPod with a pool for each role, and a mirror."""
    return {
        "orchestrator": f"{{kind: hyperpod-slurm, controller: head, {fields}}}",
        "software": MIRROR,
        "pools": "{" + ", ".join(pools or (HEAD, LOGIN, WORK)) + "}",
    }


def pcs(fields: str = "login: login", *pools: str) -> Sections:
    """Slurm on PCS with a pool for each role, and a mirror."""
    return {
        "orchestrator": f"{{kind: pcs, {fields}}}",
        "software": MIRROR,
        "pools": "{" + ", ".join(pools or (LOGIN, WORK)) + "}",
    }


RDS = (
    "{kind: rds, endpoint: db.example.com, "
    "secret_arn: 'arn:aws:secretsmanager:us-east-2:111122223333:secret:db-AbCdEf'}"
)

FIRES: list[tuple[str, Sections, str, str]] = [
    ("ORC001", hyperpod("login: logn"), "orchestrator.login", "logn"),
    ("ORC001", hyperpod("", LOGIN, WORK), "orchestrator.controller", "head"),
    (
        "ORC002",
        hyperpod("login: login", HEAD.replace("count: 1", "count: 2"), LOGIN, WORK),
        "pools.head.count",
        "2",
    ),
    (
        "ORC002",
        hyperpod("login: login", HEAD.replace("count: 1", "min: 0, max: 1"), LOGIN, WORK),
        "pools.head.max",
        "1",
    ),
    ("ORC003", hyperpod("login: head"), "orchestrator.login", "head"),
    ("ORC004", hyperpod("login: login", HEAD, LOGIN), "pools", "pools"),
    ("ORC005", hyperpod("accounting: {kind: managed}"), "orchestrator.accounting.kind", "managed"),
    ("ORC005", pcs("accounting: {kind: local}"), "orchestrator.accounting.kind", "local"),
    ("ORC006", pcs("users: {a: {uid: 2001}, b: {uid: 2001}}"), "orchestrator.users.b.uid", "2001"),
    ("ORC007", pcs("users: {ubuntu: {uid: 2001}}"), "orchestrator.users.ubuntu", "ubuntu"),
    ("ORC008", pcs() | {"network": "{pod_cidr: 100.64.0.0/16}"}, "network.pod_cidr", "pod_cidr"),
    ("ORC008", pcs("login: login", LOGIN, WORK[:-1] + ", labels: {a: b}}"), "pools.work.labels", "labels"),
    ("ORC009", hyperpod() | {"software": ""}, "orchestrator.kind", "hyperpod-slurm"),
    ("ORC009", pcs() | {"software": "{}", "network": "{egress: none}"}, "orchestrator.kind", "pcs"),
    ("ORC008", pcs("login: login", LOGIN, WORK[:-1] + ", taints: [a:NoExecute]}"), "pools.work.taints", "t"),
]  # fmt: skip
"""As in `test_rules`."""

NEAR_MISSES: list[tuple[str, Sections]] = [
    ("ORC001", hyperpod()),
    ("ORC002", hyperpod("accounting: {kind: local}")),
    ("ORC003", hyperpod("node_recovery: none")),
    ("ORC004", pcs("users: {}", WORK)),
    ("ORC005", hyperpod(f"accounting: {RDS}")),
    ("ORC005", pcs("accounting: {kind: managed, keep_days: 30}")),
    ("ORC006", pcs("users: {a: {uid: 2001}, b: {uid: 2002}}")),
    ("ORC007", pcs("users: {ubuntu2: {uid: 2001}}")),
    ("ORC008", pcs('version: "25.05"')),
    ("ORC009", pcs()),
]
"""As in `test_rules`. None of them has a finding of a rule on Kubernetes either."""

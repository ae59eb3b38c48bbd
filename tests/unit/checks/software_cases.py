"""Cases of the rules on versions, in the form that test_rules.py explains.

The rows of the compatibility tables have their cases in tests/unit/software.
"""

from __future__ import annotations

Sections = dict[str, str]

SYSTEM = "system: {instance_type: m7i.2xlarge, count: 2}"
HYPERPOD = {
    "orchestrator": '{kind: hyperpod-eks, version: "1.34", admins: ["arn:aws:iam::111122223333:role/Admin"]}'
}
P5EN = "train: {instance_type: p5en.48xlarge, count: 2}"


def software(fields: str) -> Sections:
    """A software section, and a pool of p5en.48xlarge."""
    return {"software": f"{{{fields}}}", "pools": f"{{{SYSTEM}, {P5EN}}}"}


def of_type(instance_type: str, region: str = "us-east-1", zone: str = "use1-az2") -> Sections:
    """A pool of an instance type, and no software section."""
    pool = f"render: {{instance_type: {instance_type}, count: 2}}"
    return {"region": region, "zone": zone, "pools": f"{{{SYSTEM}, {pool}}}"}


def long_environment(count: int, length: int) -> str:
    """So many variables, with values of so many characters."""
    variables = ", ".join(f"JOB_{number:02}: {'x' * length}" for number in range(count))
    return f"environment: {{{variables}}}"


FIRES: list[tuple[str, Sections, str, str]] = [
    ("SOF001", of_type("g7.2xlarge"), "pools.render.instance_type", "g7.2xlarge"),
    (
        "SOF001",
        of_type("p6e-gb200.36xlarge") | {"orchestrator": "{kind: pcs}"},
        "pools.render.instance_type",
        "p6e-gb200.36xlarge",
    ),
    ("SOF002", software('set: "2026.10"'), "software.set", '"2026.10"'),
    ("SOF003", software('overrides: {ncll: "2.30.4"}'), "software.overrides.ncll", "ncll"),
    ("SOF004", software('overrides: {nccl: "2.31.22"}'), "software.overrides.nccl", '"2.31.22"'),
    ("SOF005", software(long_environment(90, 120)), "software.environment", "environment"),
    (
        "SOF005",
        software(long_environment(90, 120)) | {"orchestrator": "{kind: pcs}"},
        "software.environment",
        "environment",
    ),
]

NEAR_MISSES: list[tuple[str, Sections]] = [
    ("SOF001", of_type("g7e.2xlarge")),
    ("SOF002", software('set: "2026.11"')),
    ("SOF002", software("")),
    ("SOF003", software('overrides: {gdrcopy: "2.5.1"}')),
    ("SOF004", software('overrides: {gdrcopy: "2.6"}')),
    ("SOF005", software(long_environment(15, 120))),
    ("SOF005", software(long_environment(90, 120)) | HYPERPOD),
]

"""Each compatibility rule fires, and its near miss does not; the default set serves what it should."""

from __future__ import annotations

import re

import pytest
from rule_cases import CASES, SETTINGS, read_case

from clusterwright.checks.rules.unserved_instance_type import UNSERVED_FAMILIES
from clusterwright.checks.software_items import make_target
from clusterwright.config.orchestrator import EKS_VERSIONS
from clusterwright.hardware import find_instance_type, instance_types
from clusterwright.software import (
    DEFAULT_SET,
    HARMFUL_SETTINGS,
    RULES,
    Target,
    components,
    find_conflicts,
    harmful_names,
    make_environment,
    select,
    set_names,
)
from clusterwright.software.rules import LEFT_OUT

BY_CODE = {rule.code: rule for rule in RULES}
SETTING_BY_CODE = {setting.code: setting for setting in HARMFUL_SETTINGS}
ACCELERATED = [name for name in instance_types() if find_instance_type(name).is_accelerated]
SERVED = [name for name in ACCELERATED if name.partition(".")[0] != "g7"]
"""What AWS's images for EKS serve."""


def targets_of(instance_type: str) -> list[Target]:
    """The nodes of a type under every orchestrator, and with EKS under every Kubernetes version."""
    spec = find_instance_type(instance_type)
    eks = [make_target(spec, "eks", version) for version in EKS_VERSIONS]
    hyperpod = [make_target(spec, "hyperpod-eks", version) for version in EKS_VERSIONS[:-1]]
    return [*eks, *hyperpod, *(make_target(spec, kind) for kind in ("hyperpod-slurm", "pcs"))]


@pytest.mark.parametrize("code", BY_CODE)
def test_rule_fires(code: str) -> None:
    assert BY_CODE[code].condition.holds(read_case(CASES[code][0]))


@pytest.mark.parametrize("code", BY_CODE)
def test_near_miss_is_silent(code: str) -> None:
    assert not BY_CODE[code].condition.holds(read_case(CASES[code][1]))


@pytest.mark.parametrize("code", SETTING_BY_CODE)
def test_setting_does_harm_where_it_does(code: str) -> None:
    software = select(DEFAULT_SET)
    harmful, there, harmless, elsewhere = SETTINGS[code]
    for text, instance_type, expected in ((harmful, there, True), (harmless, elsewhere, False)):
        target = make_target(find_instance_type(instance_type), "eks", "1.34")
        environment = dict([text.split("=", 1)])
        names = harmful_names(SETTING_BY_CODE[code], environment, software, target)
        assert names == (tuple(environment) if expected else ())


def test_every_row_has_its_cases_and_no_other() -> None:
    assert list(CASES) == [rule.code for rule in RULES]
    assert list(SETTINGS) == [setting.code for setting in HARMFUL_SETTINGS]


@pytest.mark.parametrize("row", [*RULES, *HARMFUL_SETTINGS], ids=lambda row: row.code)
def test_every_row_says_what_why_and_who(row: object) -> None:
    code, title, effect, fix, source = (
        getattr(row, name) for name in ("code", "title", "effect", "fix", "source")
    )
    assert re.fullmatch(r"SOF[0-9]{3}", code)
    assert title.endswith(".")
    assert effect
    assert effect[-1] != "."
    assert fix
    assert re.search(r"20[0-9]{2}|#[0-9]+|RELEASENOTES", source)


def test_rules_are_about_components_that_sets_pin() -> None:
    named = {component for rule in RULES for component in rule.condition.components}
    assert named <= set(components())


def test_what_is_left_out_has_a_reason() -> None:
    assert all(LEFT_OUT.values())


@pytest.mark.parametrize("instance_type", ACCELERATED)
def test_the_default_set_serves_all_but_what_is_said_to_be_unserved(instance_type: str) -> None:
    software = select(DEFAULT_SET)
    reason = UNSERVED_FAMILIES.get(instance_type.partition(".")[0])
    for target in targets_of(instance_type):
        severities = [conflict.rule.severity for conflict in find_conflicts(software, target)]
        is_unserved = reason is not None and target.orchestrator in reason.orchestrators
        assert severities == (["error"] if is_unserved else []), target


def test_what_is_unserved_on_pcs_is_served_by_the_image_that_is_named() -> None:
    for family in ("p6e-gb200", "p6e-gb300"):
        target = make_target(find_instance_type(f"{family}.36xlarge"), "pcs")
        software = select(DEFAULT_SET, {"pcs-image": "20251205"})
        assert find_conflicts(software, target) == ()
        assert UNSERVED_FAMILIES[family].hint.count("20251205") == 2


@pytest.mark.parametrize(
    ("instance_type", "orchestrator", "kubernetes", "overrides", "codes"),
    [
        ("p6-b300.48xlarge", "eks", "1.33", {"eks-ami": "v20250807"}, {"SOF104", "SOF201"}),
        ("p5.48xlarge", "eks", "1.33", {"eks-ami": "v20250715"}, {"SOF108"}),
        ("p5.48xlarge", "eks", "1.33", {"eks-ami": "v20250807"}, {"SOF201"}),
        ("p6-b200.48xlarge", "hyperpod-slurm", "", {"hyperpod-image": "2025-11-22"}, set()),
        ("p5.48xlarge", "hyperpod-eks", "1.33", {"hyperpod-eks-image": "1.0.3"}, set()),
    ],
)
def test_rules_judge_what_the_image_brings(
    instance_type: str, orchestrator: str, kubernetes: str, overrides: dict[str, str], codes: set[str]
) -> None:
    target = make_target(find_instance_type(instance_type), orchestrator, kubernetes)
    found = {each.rule.code: each for each in find_conflicts(select(DEFAULT_SET, overrides), target)}
    assert {code for code in found if code[:4] in {"SOF1", "SOF2"}} - {"SOF201"} == codes - {"SOF201"}
    assert found.keys() >= codes
    for conflict in found.values():
        assert conflict.culprits == tuple(overrides)
        assert " ".join(f"{name} {version}" for name, version in overrides.items()) in conflict.message


def test_a_driver_of_an_image_is_told_with_the_image() -> None:
    target = make_target(find_instance_type("p6e-gb200.36xlarge"), "pcs")
    (broken,) = find_conflicts(select(DEFAULT_SET), target)
    assert (broken.rule.code, broken.culprits) == ("SOF107", ())
    assert "With nvidia-driver 595.91.07, pcs-image 20261006, NCCL aborts" in broken.message
    assert "override pcs-image with 20251205" in broken.remedy


@pytest.mark.parametrize("release", ["v20251029", "v20251217"])
def test_a_release_is_built_for_what_an_older_one_is_built_for(release: str) -> None:
    target = make_target(find_instance_type("p5.48xlarge"), "eks", "1.34")
    found = find_conflicts(select(DEFAULT_SET, {"eks-ami": release}), target)
    assert "SOF401" not in {each.rule.code for each in found}
    newer = make_target(find_instance_type("p5.48xlarge"), "eks", "1.35")
    found = find_conflicts(select(DEFAULT_SET, {"eks-ami": release}), newer)
    assert "SOF401" in {each.rule.code for each in found}


@pytest.mark.parametrize(
    ("image", "release", "orchestrator", "kubernetes"),
    [
        ("hyperpod-eks-image", "1.3.0", "hyperpod-eks", "1.33"),
        ("eks-ami", "v20261101", "eks", "1.34"),
    ],
)
def test_what_the_step_advises_to_pin_is_accepted(
    image: str, release: str, orchestrator: str, kubernetes: str
) -> None:
    target = make_target(find_instance_type("p5.48xlarge"), orchestrator, kubernetes)
    assert find_conflicts(select(DEFAULT_SET, {image: release, "efa-driver": "3.1.0"}), target) == ()


@pytest.mark.parametrize("override", ["slurm", "lustre-client"])
def test_what_the_image_owns_cannot_be_overridden_with_what_the_set_has(override: str) -> None:
    software = select(DEFAULT_SET, {override: select(DEFAULT_SET).versions[override]})
    target = make_target(find_instance_type("p5.48xlarge"), "hyperpod-slurm")
    (refused,) = find_conflicts(software, target)
    assert refused.rule.code == {"slurm": "SOF431", "lustre-client": "SOF414"}[override]
    assert refused.culprits == (override,)
    assert f"With {override} {software.versions[override]}, hyperpod-image 2026-07-09, " in refused.message


@pytest.mark.parametrize(
    ("setting", "codes"),
    [
        ("FI_PROVIDER=sockets", {"SOF608"}),
        ("FI_PROVIDER=shm,efa", set()),
        ("NCCL_SOCKET_IFNAME=enp71s0", {"SOF606"}),
        ("NCCL_SOCKET_IFNAME=en", set()),
        ("NCCL_SOCKET_IFNAME=^eth0", set()),
        ("NCCL_NET=ib", {"SOF612"}),
        ("FI_EFA_FORK_SAFE=1", {"SOF602"}),
        ("FI_PROVIDER=efa", {"SOF609"}),
        ("NCCL_MIN_NCHANNELS=8", {"SOF605"}),
    ],
)
def test_values_in_their_many_forms(setting: str, codes: set[str]) -> None:
    software = select(DEFAULT_SET)
    target = make_target(find_instance_type("p5.48xlarge"), "eks", "1.34")
    environment = dict([setting.split("=", 1)])
    found = {row.code for row in HARMFUL_SETTINGS if harmful_names(row, environment, software, target)}
    assert found == codes


def test_only_what_is_of_no_use_is_but_warned_of() -> None:
    warnings = {row.code for row in HARMFUL_SETTINGS if row.severity == "warning"}
    assert warnings == {"SOF602", "SOF609", "SOF611"}


@pytest.mark.parametrize("name", set_names())
def test_no_set_has_an_error_on_the_kubernetes_that_all_were_made_for(name: str) -> None:
    for instance_type in SERVED:
        target = make_target(find_instance_type(instance_type), "eks", "1.34")
        errors = [each for each in find_conflicts(select(name), target) if each.rule.severity == "error"]
        assert errors == [], instance_type


def test_a_conflict_names_the_override_to_drop() -> None:
    software = select(DEFAULT_SET, {"gdrcopy": "2.6", "nccl": "2.28.3"})
    target = make_target(find_instance_type("p5en.48xlarge"), "eks", "1.34")
    corrupting = find_conflicts(software, target)[0]
    assert corrupting.rule.code == "SOF305"
    assert corrupting.culprits == ("nccl",)
    assert "With nccl 2.28.3, results are wrong" in corrupting.message
    assert f"without the override of nccl, the set {DEFAULT_SET} is free of this" in corrupting.remedy


def test_a_conflict_of_a_set_names_a_set_without_it() -> None:
    target = make_target(find_instance_type("p5en.48xlarge"), "eks", "1.34")
    (leak,) = find_conflicts(select("2025.11"), target)
    assert (leak.rule.code, leak.culprits) == ("SOF303", ())
    assert leak.remedy.endswith(f"; the set {DEFAULT_SET} is free of this")


def test_what_no_set_serves_has_the_plain_fix() -> None:
    target = make_target(find_instance_type("g7.2xlarge"), "eks", "1.34")
    (unserved,) = find_conflicts(select(DEFAULT_SET), target)
    assert unserved.remedy == unserved.rule.fix


def test_two_overrides_that_are_to_blame_together() -> None:
    own = {"pcs-image": "20270101", "nvidia-driver": "595.45.04", "fabric-manager": "580.159.03"}
    software = select(DEFAULT_SET, own)
    target = make_target(find_instance_type("p5en.48xlarge"), "pcs")
    (mismatch,) = find_conflicts(software, target)
    assert mismatch.rule.code == "SOF110"
    assert mismatch.culprits == ("nvidia-driver",)


@pytest.mark.parametrize("instance_type", ACCELERATED)
def test_what_the_toolkit_sets_does_no_harm(instance_type: str) -> None:
    software = select(DEFAULT_SET)
    for target in targets_of(instance_type):
        own = make_environment(
            target.vendor, has_efa=target.has_efa, family=target.family, versions=software.versions
        )
        assert [row.code for row in HARMFUL_SETTINGS if harmful_names(row, own, software, target)] == []

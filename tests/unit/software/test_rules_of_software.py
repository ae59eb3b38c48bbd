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
SERVED = [name for name in ACCELERATED if name.partition(".")[0] not in UNSERVED_FAMILIES]


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


@pytest.mark.parametrize("instance_type", SERVED)
def test_the_default_set_is_free_of_findings(instance_type: str) -> None:
    software = select(DEFAULT_SET)
    found = {target: find_conflicts(software, target) for target in targets_of(instance_type)}
    assert {target: conflicts for target, conflicts in found.items() if conflicts} == {}


@pytest.mark.parametrize("family", UNSERVED_FAMILIES)
def test_what_is_said_to_be_unserved_is(family: str) -> None:
    (name, *_) = [each for each in ACCELERATED if each.partition(".")[0] == family]
    conflicts = find_conflicts(select(DEFAULT_SET), targets_of(name)[0])
    assert "error" in {conflict.rule.severity for conflict in conflicts}


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
    software = select(DEFAULT_SET, {"nvidia-driver": "595.45.04", "fabric-manager": "580.159.03"})
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

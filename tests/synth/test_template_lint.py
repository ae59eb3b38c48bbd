"""What other people's tools say of our templates: cfn-lint, cdk-nag, and the CDK's own validator."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from aws_cdk import Validations
from aws_cdk import aws_ec2 as ec2
from cdk_nag import AwsSolutionsChecks
from cfnlint.api import lint
from cfnlint.config import ManualArgs
from synthesis import make_cluster

from clusterwright.config.loading import load_cluster
from clusterwright_stacks.app import build_app

if TYPE_CHECKING:
    from pathlib import Path

    from aws_cdk import App

IGNORED_CHECKS = [
    # Instance types by region, read from public price lists: p6e-gb200 and trn2u are in none of them, p5e in
    # one region only. Our own catalogue knows better.
    "E3628",
]

BYTES_PER_TEMPLATE = 1_000_000
RESOURCES_PER_TEMPLATE = 500
"""CloudFormation's limits (user guide, "Understand CloudFormation quotas")."""


def lint_template(text: str, region: str) -> list[str]:
    """What cfn-lint says, but for W3005 (a dependency said twice) in the CDK's own kubectl provider."""
    config = ManualArgs(regions=[region], ignore_checks=IGNORED_CHECKS)
    found = [str(match) for match in lint(text, config=config)]
    return [each for each in found if not ("W3005" in each and "Kubectl" in each)]


def test_cfn_lint_finds_nothing(example: Path, tmp_path: Path) -> None:
    cluster = load_cluster(example)
    build_app(cluster, outdir=str(tmp_path)).synth()
    templates = sorted(tmp_path.glob("*.template.json"))
    assert templates
    for template in templates:
        assert lint_template(template.read_text(), cluster.region) == []


def test_cfn_lint_would_find_a_mistake(tmp_path: Path) -> None:
    build_app(make_cluster(), outdir=str(tmp_path)).synth()
    text = (tmp_path / "atlas-cluster.template.json").read_text()
    found = lint_template(text.replace('"DeletionProtection"', '"DeletionProtektion"'), "us-east-2")
    assert any("DeletionProtektion" in each for each in found)


def with_nag(app: App) -> App:
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


def test_cdk_nag_finds_nothing(example: Path, tmp_path: Path) -> None:
    with_nag(build_app(load_cluster(example), outdir=str(tmp_path))).synth()


@pytest.mark.parametrize("endpoint", ["public", "both"])
def test_cdk_nag_finds_nothing_at_an_open_endpoint(endpoint: str, tmp_path: Path) -> None:
    orchestrator = {"kind": "eks", "endpoint": endpoint, "public_access_cidrs": ["203.0.113.0/24"]}
    with_nag(build_app(make_cluster(orchestrator=orchestrator), outdir=str(tmp_path))).synth()


def test_cdk_nag_would_find_a_mistake(tmp_path: Path) -> None:
    app = build_app(make_cluster(), outdir=str(tmp_path))
    ec2.CfnSecurityGroupIngress(
        app.node.find_child("atlas-network"),
        "Open",
        group_id="sg-12345678",
        ip_protocol="tcp",
        from_port=22,
        to_port=22,
        cidr_ip="0.0.0.0/0",
    )
    with pytest.raises(RuntimeError, match="EC23"):
        with_nag(app).synth()


def test_the_cdks_own_validator_finds_nothing(root: Path, tmp_path: Path) -> None:
    """It costs seconds a process, so it is on in this one place."""
    result = subprocess.run(
        [sys.executable, "-m", "clusterwright_stacks"],
        env=os.environ
        | {
            "CDK_VALIDATION": "true",
            "CDK_OUTDIR": str(tmp_path / "out"),
            "CDK_CONTEXT_JSON": f'{{"cluster": "{root}/docs/examples/eks-h200.yaml", '
            '"@aws-cdk/core:validateAgainstDefaultRules": true}',
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout + result.stderr == ""


def test_the_largest_cluster_stays_under_cloudformations_limits(tmp_path: Path) -> None:
    pools = {
        f"pool{number:02}": {"instance_type": "p5.48xlarge", "count": 64, "purpose": "batch"}
        for number in range(99)
    }
    build_app(
        make_cluster(pools=pools, tags={f"tag{n}": "x" * 200 for n in range(40)}), outdir=str(tmp_path)
    ).synth()
    templates = sorted(tmp_path.glob("*.template.json"))
    assert len(templates) == 103
    for template in templates:
        assert template.stat().st_size < BYTES_PER_TEMPLATE
        assert template.read_text().count('"Type": "AWS::') < RESOURCES_PER_TEMPLATE


def test_the_same_file_gives_the_same_bytes(root: Path, tmp_path: Path) -> None:
    cluster = load_cluster(root / "docs" / "examples" / "eks-h200.yaml")
    for name in ("one", "two"):
        build_app(cluster, outdir=str(tmp_path / name)).synth()
    for path in (tmp_path / "one").glob("*.template.json"):
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()

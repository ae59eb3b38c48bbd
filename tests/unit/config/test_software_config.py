"""What the ``software`` section takes, and what it says where it does not."""

from __future__ import annotations

import pytest

from clusterwright.config.loading import parse_cluster

CLUSTER = """\
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {{kind: eks, admins: ["arn:aws:iam::111122223333:role/Admin"]}}
pools:
  system: {{instance_type: m7i.2xlarge, count: 2}}
software: {software}
"""
DIGEST = "0" * 64


@pytest.mark.parametrize(
    "software",
    [
        "{}",
        '{set: "2026.11"}',
        '{overrides: {cuda: "13.0U2", lustre-client: "2.15.6-1fsx34", eks-ami: v20260714}}',
        '{environment: {NCCL_DEBUG: INFO, EMPTY: ""}}',
        f"{{mirror: {{url: s3://atlas-mirror, manifest_sha256: '{DIGEST}'}}}}",
        f"{{mirror: {{url: s3://atlas-mirror/a/b, manifest_sha256: '{DIGEST}'}}}}",
    ],
)
def test_what_is_right(software: str) -> None:
    assert parse_cluster(CLUSTER.format(software=software)).findings == ()


@pytest.mark.parametrize(
    ("software", "path", "words"),
    [
        ("{set: 2026.11}", "software.set", "takes text, not the number 2026.11"),
        ('{set: "newest"}', "software.set", "year, dot, month, in quotes"),
        ("{overrides: {nccl: 2.30}}", "software.overrides.nccl", "takes text, not the number 2.30"),
        ("{overrides: {nccl: latest}}", "software.overrides.nccl", "as its publisher writes it"),
        ("{overrides: {hyperpod-image: 2026-07-09}}", "software.overrides.hyperpod-image", "not the date"),
        ("{environment: {1A: x}}", "software.environment.1A", "environment variable"),
        ('{environment: {A: "x\\ny"}}', "software.environment.A", "one line"),
        ("{environment: {A: 1}}", "software.environment.A", "takes text"),
        ("{mirror: {url: s3://atlas-mirror}}", "software.mirror.manifest_sha256", "lacks the field"),
        (
            f"{{mirror: {{url: 'https://a/b', manifest_sha256: '{DIGEST}'}}}}",
            "software.mirror.url",
            "s3://, bucket",
        ),
        (
            f"{{mirror: {{url: s3://atlas-mirror/, manifest_sha256: '{DIGEST}'}}}}",
            "software.mirror.url",
            "without a slash at its end",
        ),
        (
            "{mirror: {url: s3://atlas-mirror, manifest_sha256: abc}}",
            "software.mirror.manifest_sha256",
            "64 hexadecimal digits",
        ),
    ],
)
def test_what_is_wrong_is_said_at_its_place(software: str, path: str, words: str) -> None:
    (finding,) = parse_cluster(CLUSTER.format(software=software)).findings
    assert finding.path == path
    assert words in finding.message


def test_a_file_that_says_nothing_leaves_the_choice_to_the_toolkit() -> None:
    cluster = parse_cluster(CLUSTER.format(software="{}").replace("software: {}\n", "")).cluster
    assert cluster is not None
    assert "software" not in cluster.model_fields_set
    chosen = cluster.software
    assert (chosen.set, chosen.overrides, chosen.environment, chosen.mirror) == (None, {}, {}, None)

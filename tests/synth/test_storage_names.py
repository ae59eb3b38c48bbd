"""Files that validate have templates, whatever the names in them are."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from synthesis import Templates, make_cluster, synthesize_cluster

KEY = "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
POOL = {"instance_type": "g6e.4xlarge", "count": 1, "purpose": "batch"}

KINDS = ("Bucket", "Express", "Home", "Lustre")
"""How the outputs for people begin; others are for other stacks."""

WORDS = st.sampled_from(["a", "1", "key", "access", "logs", "x", "2b", "home"])
NAMES = st.lists(WORDS, min_size=1, max_size=3).flatmap(
    lambda words: st.sampled_from(["-".join(words), "".join(words)]).map(
        lambda name: name if name[0].isalpha() else f"a{name}"
    )
)
PATHS = st.lists(
    st.from_regex(r"[aA1](/|-|_|\.|)[bB2]", fullmatch=True).map(lambda text: f"/{text}"),
    max_size=4,
    unique=True,
)


def apart(paths: list[str]) -> list[str]:
    """The paths of which none lies in another."""
    return [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]


def synthesize(sections: dict[str, Any]) -> Templates:
    """Synthesize the base cluster with other sections."""
    with tempfile.TemporaryDirectory() as folder:
        return synthesize_cluster(make_cluster(zone="use2-az1", **sections), Path(folder))


def count(templates: Templates, kind: str) -> int:
    """How many resources of a type the storage has."""
    return len(templates.resources("storage", kind))


@given(
    buckets=st.sets(NAMES, max_size=4),
    express=st.sets(NAMES, max_size=2),
    lustre=st.sets(NAMES, max_size=3),
    pools=st.sets(NAMES, min_size=1, max_size=2),
    paths=PATHS,
    key=st.sampled_from(["aws", "own", KEY]),
)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_name_has_a_place(  # noqa: PLR0917  one argument a kind of name
    buckets: set[str], express: set[str], lustre: set[str], pools: set[str], paths: list[str], key: str
) -> None:
    links = [{"bucket": f"linked{at}", "path": path} for at, path in enumerate(apart(paths))]
    storage = {
        "buckets": {name: {"kms": key} for name in buckets} | {each["bucket"]: {} for each in links},
        "express": {name: {"kms": key} for name in express},
        "lustre": {
            name: {"capacity_gib": 1200, "mount": f"/mnt/{name}", "kms": key, "links": links}
            for name in lustre
        },
        "home": {"kind": "openzfs", "capacity_gib": 64, "throughput_mbps": 160},
    }
    templates = synthesize({"pools": dict.fromkeys(pools, POOL), "storage": storage})
    made = len(storage["buckets"])
    assert count(templates, "AWS::S3::Bucket") == made + (1 if made else 0)
    assert count(templates, "AWS::S3Express::DirectoryBucket") == len(express)
    assert count(templates, "AWS::FSx::FileSystem") == len(lustre) + 1
    assert count(templates, "AWS::FSx::DataRepositoryAssociation") == len(lustre) * len(links)
    own = [key for key in templates["storage"]["Outputs"] if key.startswith(KINDS)]
    assert len(own) == made + len(express) + len(lustre) + 1
    volumes = templates.resources("platform", "Custom::AWSCDK-EKS-KubernetesResource")
    assert len(volumes) == len(own)
    for pool in pools:
        rules = templates.resources(f"pool-{pool}", "AWS::EC2::SecurityGroupIngress")
        assert len(rules) == 2 * len(lustre)


@pytest.mark.parametrize(
    "storage",
    [
        {"lustre": {"access": {"capacity_gib": 1200}}},
        {"buckets": {"x": {"kms": KEY}, "x-key": {}}},
        {"buckets": {"a1": {}, "a-1": {}}},
        {"express": {"a1": {}, "a-1": {}}},
    ],
    ids=["group", "key", "output", "directory bucket"],
)
def test_names_that_once_clashed(storage: dict[str, Any]) -> None:
    templates = synthesize({"pools": {"train": POOL}, "storage": storage})
    own = [key for key in templates["storage"]["Outputs"] if key.startswith(KINDS)]
    assert len(own) == sum(len(section) for section in storage.values())

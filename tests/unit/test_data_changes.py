"""Changes of the file that part a cluster from its data, or that AWS refuses on storage that exists."""

from __future__ import annotations

import json

import pytest

from clusterwright.config.loading import parse_cluster
from clusterwright.data_changes import find_data_changes
from clusterwright.resolution import resolve
from clusterwright.storage_record import as_metadata, has_storage, read_metadata, record_storage

TEXT = """\
version: 1
name: atlas
region: us-west-2
zone: usw2-az3
orchestrator: {kind: eks}
pools:
  system: {instance_type: m7i.2xlarge, count: 3}
storage:
  buckets:
    data: {}
    more: {}
    corpus: {existing: corp-one}
    tmp: {retain: false}
  express: {hot: {}}
  lustre:
    scratch:
      capacity_gib: 4800
      kms: aws
      links: [{bucket: data, path: /data, prefix: one}]
    tiered: {type: intelligent-tiering, throughput_mbps: 8000, mount: /tiered}
  home: {kind: openzfs, capacity_gib: 64, throughput_mbps: 160}
"""

LINK = "links: [{bucket: data, path: /data, prefix: one}]"


def changes(old: str, new: str, base: str = TEXT) -> list[tuple[str, str, int, int]]:
    """Code, field, line and column of each finding on a change of the text."""
    return [(each.code, each.path, each.line, each.column) for each in findings(old, new, base)]


def findings(old: str, new: str, base: str = TEXT):  # type: ignore[no-untyped-def]  # noqa: ANN201  see `changes`
    """The findings on a change of the text."""
    assert old in base
    before, after = parse_cluster(base), parse_cluster(base.replace(old, new))
    assert before.cluster is not None
    assert after.cluster is not None, after.findings
    # Through a template and back, as CloudFormation keeps it.
    template = json.loads(json.dumps({"Metadata": as_metadata(record_storage(resolve(before.cluster)))}))
    found = find_data_changes(read_metadata(template), record_storage(resolve(after.cluster)))
    return [change.as_finding("cluster.yaml", after.source_map) for change in found]


def test_the_same_file_changes_nothing() -> None:
    assert changes("name: atlas", "name: atlas") == []


def test_where_nothing_stands_nothing_is_lost() -> None:
    cluster = parse_cluster(TEXT).cluster
    assert cluster is not None
    assert has_storage(cluster)
    assert list(find_data_changes(read_metadata({}), record_storage(resolve(cluster)))) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kms: aws", "kms: own", "storage.lustre.scratch.kms: aws → own"),
        ("kms: aws", "efa: true\n      throughput_mbps_per_tib: 1000", "scratch.efa: false → true"),
        (
            "kms: aws",
            "throughput_mbps_per_tib: 500",
            "storage.lustre.scratch.throughput_mbps_per_tib: 250 → 500",
        ),
        (
            "type: intelligent-tiering, throughput_mbps: 8000",
            "capacity_gib: 1200",
            "storage.lustre.tiered.type: intelligent-tiering → ssd",
        ),
        (
            "throughput_mbps: 160}",
            "throughput_mbps: 160, deployment: multi-az-1}",
            "storage.home.deployment: single-az-ha-2 → multi-az-1",
        ),
        ("throughput_mbps: 160}", "throughput_mbps: 160, kms: own}", "storage.home.kms: aws → own"),
        ("corp-one", "corp-two", "storage.buckets.corpus.existing: corp-one → corp-two"),
        ("more: {}", "more: {existing: corp-one}", "storage.buckets.more.existing: not given → corp-one"),
        ("{existing: corp-one}", "{}", "storage.buckets.corpus.existing: corp-one → not given"),
    ],
)
def test_what_cannot_change_in_place_is_named_with_its_values(old: str, new: str, message: str) -> None:
    found = findings(old, new)
    assert {each.code for each in found} == {"DIF001"}
    assert all(each.is_error for each in found)
    assert any(message in each.message for each in found)
    assert all("undo the change; or " in each.hint for each in found)


def test_a_finding_points_at_the_field_or_at_the_section_around_it() -> None:
    assert changes("kms: aws", "efa: true") == [("DIF001", "storage.lustre.scratch.efa", 18, 12)]
    assert changes("corpus: {existing: corp-one}", "corpus: {}") == [
        ("DIF001", "storage.buckets.corpus.existing", 12, 5)
    ]


def test_a_deployment_type_that_follows_from_the_throughput_is_noticed() -> None:
    """Ours is the newest that has a step for the throughput: only the first generation has one of 64."""
    base = TEXT.replace("us-west-2", "eu-north-1").replace("usw2-az3", "eun1-az1")
    base = base.replace("  express: {hot: {}}\n", "")
    (found,) = findings("throughput_mbps: 160}", "throughput_mbps: 64}", base)
    assert "storage.home.deployment: single-az-ha-2 → single-az-ha-1" in found.message
    assert "unless it is given, it follows from `throughput_mbps` and the region" in found.message


def test_another_type_is_told_without_the_fields_that_only_one_has() -> None:
    """Of both directions; EFA, which both types have, stays a change of its own."""
    base = TEXT.replace("kms: aws", "throughput_mbps_per_tib: 1000")
    tiered = "type: intelligent-tiering\n      throughput_mbps: 4000"
    old = "capacity_gib: 4800\n      throughput_mbps_per_tib: 1000\n      " + LINK
    assert [each[1] for each in changes(old, tiered, base)] == ["storage.lustre.scratch.type"]
    back = "type: intelligent-tiering, throughput_mbps: 8000", "capacity_gib: 1200"
    assert [each[1] for each in changes(*back)] == ["storage.lustre.tiered.type"]
    with_efa = changes(old, tiered + "\n      efa: true", base)
    assert [each[1] for each in with_efa] == ["storage.lustre.scratch.type", "storage.lustre.scratch.efa"]


KEY = "arn:aws:kms:us-west-2:111122223333:key/12345678-1234-1234-1234-123456789012"


@pytest.mark.parametrize("section", ["buckets", "express"])
@pytest.mark.parametrize(
    ("was", "wanted"),
    [("own", "aws"), ("own", KEY), (KEY, "own"), (KEY, "aws"), (KEY, KEY.replace("key/1", "key/2"))],
)
def test_a_bucket_keeps_the_key_of_its_objects(section: str, was: str, wanted: str) -> None:
    """The key would be deleted, or pods lose their right to it, while older objects need it."""
    old = {"buckets": "more: {", "express": "hot: {"}[section]
    base = TEXT.replace(old, f"{old}retain: false, kms: {was}")
    (found,) = findings(f"kms: {was}}}", f"kms: {wanted}}}", base)
    assert (found.code, found.path.rpartition(".")[2]) == ("DIF001", "kms")
    assert f"{was} → {wanted}: " in found.message
    no_second = section == "express" and wanted != "aws"
    assert ("one KMS key in its life" in found.message) == no_second
    assert "undo the change; or add a second entry" in found.hint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("more: {}", f"more: {{kms: {KEY}}}"),
        ("hot: {}", "hot: {kms: own}"),
        ("corpus: {existing: corp-one}", f"corpus: {{existing: corp-one, kms: {KEY}}}"),
    ],
)
def test_a_bucket_without_a_key_takes_one(old: str, new: str) -> None:
    assert changes(old, new) == []


def test_the_key_of_a_bucket_that_exists_is_anothers_to_change() -> None:
    base = TEXT.replace("existing: corp-one", f"existing: corp-one, kms: {KEY}")
    assert changes(f", kms: {KEY}", "", base) == []


def test_homes_have_a_way_out_of_their_own() -> None:
    (found,) = findings("throughput_mbps: 160}", "throughput_mbps: 160, kms: own}")
    assert "take `home` out and deploy" in found.hint


def test_a_zone_binds_all_but_buckets() -> None:
    (found,) = findings("zone: usw2-az3", "zone: usw2-az1")
    assert (found.code, found.path, found.line) == ("DIF001", "zone", 4)
    assert found.message == (
        "zone: usw2-az3 → usw2-az1: storage.express.hot, storage.lustre.scratch, storage.lustre.tiered and "
        "storage.home are in usw2-az3, and cannot move"
    )


def test_buckets_follow_into_another_zone() -> None:
    kept = TEXT[: TEXT.index("  express:")]
    assert changes("zone: usw2-az3", "zone: usw2-az1", kept) == []


@pytest.mark.parametrize(
    ("new", "field"),
    [
        ("links: [{bucket: data, path: /data, prefix: two}]", "prefix"),
        ("links: [{bucket: data, path: /data}]", "prefix"),
        ("links: [{bucket: more, path: /data, prefix: one}]", "bucket"),
        ("links: [{bucket: data, path: /data, prefix: one, batch_import: false}]", "batch_import"),
        ("links: [{bucket: data, path: /data/in, prefix: one}]", "path"),
        ("links: [{bucket: data, path: /other, prefix: one}]", "path"),
        ("links: [{bucket: data, path: /other, prefix: one/more}]", "path"),
        ("links: [{bucket: data, path: /other}]", "path"),
    ],
)
def test_a_link_that_comes_before_the_old_one_goes_is_an_error(new: str, field: str) -> None:
    (found,) = findings(LINK, new)
    assert (found.code, found.path) == ("DIF002", f"storage.lustre.scratch.links[0].{field}")
    assert found.is_error
    assert "deploy again" in found.hint


@pytest.mark.parametrize(
    "new",
    [
        "links: []",
        "links: [{bucket: data, path: /other, prefix: two}]",
        "links: [{bucket: more, path: /other, prefix: one}]",
        "links: [{bucket: data, path: /data, prefix: one, export: [new]}]",
        "links: [{bucket: more, path: /more}, {bucket: data, path: /data, prefix: one}]",
    ],
)
def test_other_changes_of_links_are_no_finding(new: str) -> None:
    assert changes(LINK, new) == []


@pytest.mark.parametrize(
    ("old", "new", "field", "hint"),
    [
        (
            "capacity_gib: 4800",
            "capacity_gib: 2400",
            "scratch.capacity_gib",
            "at 4800, or write 7200 or more;",
        ),
        ("kms: aws", "metadata_iops: 3000", "scratch.metadata_iops", "at 6000, or write 12000"),
        (
            "throughput_mbps: 8000",
            "throughput_mbps: 4000",
            "tiered.throughput_mbps",
            "leave it at 8000, or write 12000 or more",
        ),
    ],
)
def test_what_never_shrinks_is_told_with_the_nearest_legal_value(
    old: str, new: str, field: str, hint: str
) -> None:
    (found,) = findings(old, new)
    assert (found.code, found.path) == ("DIF003", f"storage.lustre.{field}")
    assert hint in found.hint


@pytest.mark.parametrize(("size", "is_refused"), [(70, True), (71, False), (65, True), (128, False)])
def test_homes_grow_by_a_tenth_or_more(size: int, *, is_refused: bool) -> None:
    found = findings("capacity_gib: 64,", f"capacity_gib: {size},")
    assert [each.code for each in found] == (["DIF003"] if is_refused else [])
    assert all(each.hint == "leave it at 64, or write 71 or more" for each in found)


def test_homes_do_not_shrink() -> None:
    base = TEXT.replace("capacity_gib: 64,", "capacity_gib: 128,")
    assert [each[0] for each in changes("capacity_gib: 128,", "capacity_gib: 64,", base)] == ["DIF003"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("capacity_gib: 4800", "capacity_gib: 9600"),
        ("kms: aws", "compression: none"),
        ("kms: aws", "backup_days: 0"),
        ("throughput_mbps: 160}", "throughput_mbps: 320, compression: zstd, quotas: [{user: 1, gib: 5}]}"),
        ("more: {}", "more: {kms: own, expire_days: 5}"),
    ],
)
def test_what_changes_in_place_is_no_finding(old: str, new: str) -> None:
    assert changes(old, new) == []


def test_what_is_taken_out_stays_or_goes_as_the_file_said() -> None:
    (kept,) = findings("    more: {}\n", "")
    (deleted,) = findings("    tmp: {retain: false}\n", "")
    assert (kept.code, kept.severity, kept.path) == ("DIF004", "warning", "storage.buckets.more")
    assert "stays behind with its data" in kept.message
    assert (deleted.code, deleted.severity) == ("DIF004", "warning")
    assert "deleted with all that is in it" in deleted.message
    assert changes("    corpus: {existing: corp-one}\n", "") == []


def test_a_whole_section_can_be_taken_out() -> None:
    found = changes(TEXT[TEXT.index("storage:") :], "")
    assert [code for code, *_ in found] == ["DIF004"] * 7

"""Copying artifacts into a folder and a bucket, with everything that goes wrong on the way."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from clusterwright.errors import ClusterwrightError
from clusterwright.mirroring.artifacts import collect_artifacts
from clusterwright.mirroring.bucket import BucketMirror
from clusterwright.mirroring.copying import copy_artifacts
from clusterwright.mirroring.folder import FolderMirror
from clusterwright.mirroring.published import place_of
from clusterwright_lifecycle.contexts import ArtifactContext, NodeContext

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Publisher

    from clusterwright.mirroring.folder import Mirror

BUCKET = "sagemaker-atlas-mirror"
GDRCOPY = b"\x1f\x8bgdrcopy"
PAGE = b"<!DOCTYPE html><html>Sign in to the network</html>"


@pytest.fixture
def artifacts(publisher: Publisher) -> list[ArtifactContext]:
    """Three files, one of which nobody publishes a checksum of."""
    return [
        publisher.publish("efa-1.0.tar.gz", b"efa" * 5000),
        publisher.publish("enroot+caps_1.0_amd64.deb", b"enroot" * 50),
        publisher.publish("gdrcopy-1.0.tar.gz", GDRCOPY, has_checksum=False),
    ]


@pytest.fixture
def bucket() -> Iterator[Any]:
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-2", aws_access_key_id="a", aws_secret_access_key="b")
        client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-east-2"})
        yield client


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def no_pause(_: float) -> None:
    """Do not wait."""


def test_a_folder_holds_every_file_and_a_manifest(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    told: list[str] = []
    mirrored = copy_artifacts(
        artifacts,
        FolderMirror(tmp_path / "mirror"),
        source=publisher,
        report=lambda copy: told.append(copy.artifact.file),
    )
    names = sorted(path.name for path in (tmp_path / "mirror").iterdir())
    assert names == sorted([*publisher.files, "manifest.json"])
    text = (tmp_path / "mirror" / "manifest.json").read_bytes()
    assert digest(text) == mirrored.manifest_sha256
    rows = json.loads(text)
    assert [row["file"] for row in rows] == sorted(publisher.files)
    assert {row["file"]: row["sha256"] for row in rows} == {
        file: digest(content) for file, content in publisher.files.items()
    }
    assert sorted(told) == sorted(publisher.files)
    origins = {copy.artifact.file: copy.origin for copy in mirrored.copies}
    assert origins["gdrcopy-1.0.tar.gz"] == "computed"
    assert origins["efa-1.0.tar.gz"] == "set"


def test_a_second_run_fetches_nothing_and_gives_the_same_manifest(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    first = copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher)
    publisher.requests.clear()
    second = copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher)
    assert publisher.requests == []
    assert second.manifest_sha256 == first.manifest_sha256
    assert [copy.is_new for copy in second.copies] == [False] * 3


def test_a_damaged_copy_is_fetched_anew(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher)
    (tmp_path / "efa-1.0.tar.gz").write_bytes(b"bit rot")
    publisher.requests.clear()
    copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher)
    assert publisher.requests == ["efa-1.0.tar.gz"]
    assert (tmp_path / "efa-1.0.tar.gz").read_bytes() == b"efa" * 5000


def test_another_checksum_is_an_error_that_names_both(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    publisher.files["efa-1.0.tar.gz"] = b"something else"
    with pytest.raises(ClusterwrightError) as caught:
        copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher)
    message = str(caught.value)
    assert digest(b"something else") in message
    assert digest(b"efa" * 5000) in message
    assert "1 of 3 files were not copied" in message
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "enroot+caps_1.0_amd64.deb",
        "gdrcopy-1.0.tar.gz",
        "unfinished.json",
    ]


def test_what_failed_is_listed_and_the_earlier_manifest_stays(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    copy_artifacts(artifacts[:1], FolderMirror(tmp_path), source=publisher)
    before = (tmp_path / "manifest.json").read_text()
    publisher.faults = {"enroot+caps_1.0_amd64.deb": [404], "gdrcopy-1.0.tar.gz": [403]}
    with pytest.raises(ClusterwrightError) as caught:
        copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher, sleep=no_pause)
    head, *failures = str(caught.value).splitlines()
    assert "2 of 3 files" in head
    assert "enroot+caps_1.0_amd64.deb: 404" in failures[0]
    assert "gdrcopy-1.0.tar.gz: 403" in failures[1]
    assert "attempt 1 of 4" in failures[0]
    assert (tmp_path / "manifest.json").read_text() == before
    assert copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher).copies


def make_mirror(kind: str, folder: Path, client: Any) -> Mirror:
    return FolderMirror(folder) if kind == "folder" else BucketMirror(f"s3://{BUCKET}/a", client=client)


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_what_an_unfinished_run_fetched_is_not_fetched_again(
    publisher: Publisher, artifacts: list[ArtifactContext], bucket: Any, tmp_path: Path, kind: str
) -> None:
    mirror = make_mirror(kind, tmp_path, bucket)
    publisher.faults = {"efa-1.0.tar.gz": [404]}
    with pytest.raises(ClusterwrightError):
        copy_artifacts(artifacts, mirror, source=publisher)
    assert mirror.read("manifest.json") is None
    publisher.requests.clear()
    mirrored = copy_artifacts(artifacts, mirror, source=publisher)
    assert publisher.requests == ["efa-1.0.tar.gz"]
    assert mirror.read("unfinished.json") is None, "the manifest has it all"
    whole = copy_artifacts(artifacts, FolderMirror(tmp_path / "whole"), source=publisher)
    assert mirrored.manifest_sha256 == whole.manifest_sha256


def test_a_record_of_an_unfinished_run_makes_no_other_file_right(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    rows = [{"file": artifact.file, "sha256": digest(PAGE)} for artifact in artifacts]
    (tmp_path / "unfinished.json").write_text(json.dumps(rows))
    for artifact in artifacts[:2]:
        (tmp_path / artifact.file).write_bytes(PAGE)
    (tmp_path / "gdrcopy-1.0.tar.gz").write_bytes(b"\x1f\x8banother")
    copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher)
    for file, content in publisher.files.items():
        assert (tmp_path / file).read_bytes() == content, file


def test_who_may_not_delete_can_finish(
    publisher: Publisher, artifacts: list[ArtifactContext], bucket: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied"}}, "DeleteObject")

    monkeypatch.setattr(bucket, "delete_object", refuse)
    mirror = BucketMirror(f"s3://{BUCKET}/a", client=bucket)
    assert len(copy_artifacts(artifacts, mirror, source=publisher).copies) == 3
    assert mirror.read("unfinished.json") is not None


@pytest.mark.parametrize("file", ["pyxis-1.0.tar.gz", "enroot_1.0_amd64.deb", "cuda_1.run", "efa-1.0.rpm"])
def test_a_page_of_a_proxy_is_not_kept(publisher: Publisher, tmp_path: Path, file: str) -> None:
    artifact = publisher.publish(file, PAGE, has_checksum=False)
    kind = file.rpartition(".")[2]
    with pytest.raises(ClusterwrightError, match=f"is no {kind} file: it begins with b'<!DOCTYPE html>"):
        copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_answer_is_not_kept(publisher: Publisher, tmp_path: Path) -> None:
    artifact = publisher.publish("pyxis-1.0.tar.gz", b"", has_checksum=False)
    with pytest.raises(ClusterwrightError, match="is empty"):
        copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher)


def test_a_page_in_place_of_a_file_with_a_checksum_is_shown(publisher: Publisher, tmp_path: Path) -> None:
    artifact = publisher.publish("pyxis-1.0.tar.gz", GDRCOPY)
    publisher.files["pyxis-1.0.tar.gz"] = PAGE
    with pytest.raises(ClusterwrightError, match=r"begins with b'<!DOCTYPE.*SHA-256"):
        copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher)


def publish_exporter(publisher: Publisher, listed: bytes) -> ArtifactContext:
    """A node exporter without a checksum in the set, and the checksums beside it."""
    file = "node_exporter-1.8.0.linux-amd64.tar.gz"
    artifact = publisher.publish(file, b"\x1f\x8bexporter", has_checksum=False)
    publisher.files["sha256sums.txt"] = listed
    return artifact.model_copy(update={"component": "node-exporter"})


def test_checksums_that_a_publisher_serves_beside_its_files_are_used(
    publisher: Publisher, tmp_path: Path
) -> None:
    right = digest(b"\x1f\x8bexporter")
    listed = f"{'0' * 64}  node_exporter-1.8.0.linux-arm64.tar.gz\n{right}  "
    artifact = publish_exporter(publisher, f"{listed}node_exporter-1.8.0.linux-amd64.tar.gz\n".encode())
    (copy,) = copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher).copies
    assert (copy.origin, copy.artifact.sha256) == ("publisher", right)
    publisher.files[artifact.file] = b"\x1f\x8bsomething else"
    (tmp_path / artifact.file).unlink()
    with pytest.raises(ClusterwrightError, match=f"expected {right}"):
        copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher)


@pytest.mark.parametrize("listed", [PAGE, b"", b"0" * 64 + b"  node_exporter-1.8.0.linux-amd64.tar.gz.asc"])
def test_what_could_be_checked_is_not_kept_unchecked(
    publisher: Publisher, tmp_path: Path, listed: bytes
) -> None:
    artifact = publish_exporter(publisher, listed)
    with pytest.raises(ClusterwrightError, match=r"sha256sums\.txt of its publisher does not name"):
        copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher)
    del publisher.files["sha256sums.txt"]
    with pytest.raises(ClusterwrightError, match="404"):
        copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher)
    assert list(tmp_path.iterdir()) == []


def test_each_component_has_a_place_to_look_at(artifacts: list[ArtifactContext]) -> None:
    efa = artifacts[0].model_copy(update={"component": "efa-installer"})
    assert "Verify the EFA installer" in place_of(efa)
    assert place_of(artifacts[2]) == "the release's page of gdrcopy 1.0"


@pytest.mark.parametrize("fault", [500, 503, 429, "cut"])
def test_what_passes_is_tried_again(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path, fault: int | str
) -> None:
    publisher.faults = {"gdrcopy-1.0.tar.gz": [fault, fault]}
    pauses: list[float] = []
    copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher, sleep=pauses.append)
    assert pauses == [1.0, 2.0]
    assert (tmp_path / "gdrcopy-1.0.tar.gz").read_bytes() == GDRCOPY


def test_it_gives_up_after_four_attempts(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    publisher.faults = {"gdrcopy-1.0.tar.gz": ["cut"] * 9}
    pauses: list[float] = []
    with pytest.raises(ClusterwrightError, match=r"ended after 4 of 9 bytes.*attempt 4 of 4"):
        copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher, sleep=pauses.append)
    assert pauses == [1.0, 2.0, 4.0]
    assert not (tmp_path / "gdrcopy-1.0.tar.gz").exists()


def test_a_publisher_that_is_not_there_is_a_failure(publisher: Publisher, tmp_path: Path) -> None:
    artifact = publisher.publish("a-1.tar.gz", b"a")
    publisher.address = "http://127.0.0.1:1"
    assert publisher.size_of(artifact.url) is None
    with pytest.raises(ClusterwrightError, match="refused"):
        copy_artifacts([artifact], FolderMirror(tmp_path), source=publisher, sleep=no_pause)


def test_a_manifest_that_cannot_be_read_is_made_anew(
    publisher: Publisher, artifacts: list[ArtifactContext], tmp_path: Path
) -> None:
    (tmp_path / "manifest.json").write_text('{"what": 1}')
    assert len(copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher).copies) == 3


def test_sizes_are_those_of_the_publisher(publisher: Publisher, artifacts: list[ArtifactContext]) -> None:
    assert publisher.size_of(artifacts[0].url) == 15_000
    assert publisher.size_of("https://publisher.example/absent") is None


def test_a_bucket_holds_every_file_under_its_prefix(
    publisher: Publisher, artifacts: list[ArtifactContext], bucket: Any
) -> None:
    mirror = BucketMirror(f"s3://{BUCKET}/mirror/2026.11/", client=bucket)
    mirrored = copy_artifacts(artifacts, mirror, source=publisher)
    keys = [each["Key"] for each in bucket.list_objects_v2(Bucket=BUCKET)["Contents"]]
    assert sorted(keys) == sorted(f"mirror/2026.11/{file}" for file in [*publisher.files, "manifest.json"])
    body = bucket.get_object(Bucket=BUCKET, Key="mirror/2026.11/manifest.json")["Body"].read()
    assert digest(body) == mirrored.manifest_sha256
    assert mirror.digest_of("efa-1.0.tar.gz") == artifacts[0].sha256


def test_a_bucket_that_is_up_to_date_costs_no_upload(
    publisher: Publisher, artifacts: list[ArtifactContext], bucket: Any
) -> None:
    first = copy_artifacts(artifacts, BucketMirror(f"s3://{BUCKET}", client=bucket), source=publisher)
    publisher.requests.clear()
    second = copy_artifacts(artifacts, BucketMirror(f"s3://{BUCKET}", client=bucket), source=publisher)
    assert publisher.requests == []
    assert second.manifest_sha256 == first.manifest_sha256


def test_a_folder_and_a_bucket_have_the_same_manifest(
    publisher: Publisher, artifacts: list[ArtifactContext], bucket: Any, tmp_path: Path
) -> None:
    in_bucket = copy_artifacts(artifacts, BucketMirror(f"s3://{BUCKET}/a", client=bucket), source=publisher)
    in_folder = copy_artifacts(artifacts, FolderMirror(tmp_path), source=publisher)
    assert in_bucket.manifest_sha256 == in_folder.manifest_sha256


def test_an_object_that_others_wrote_is_replaced(
    publisher: Publisher, artifacts: list[ArtifactContext], bucket: Any
) -> None:
    bucket.put_object(Bucket=BUCKET, Key="efa-1.0.tar.gz", Body=b"without a checksum")
    mirror = BucketMirror(f"s3://{BUCKET}", client=bucket)
    copy_artifacts(artifacts, mirror, source=publisher)
    assert mirror.digest_of("efa-1.0.tar.gz") == artifacts[0].sha256


def test_a_bucket_that_is_not_there_is_named(
    publisher: Publisher, artifacts: list[ArtifactContext], bucket: Any
) -> None:
    with pytest.raises(ClusterwrightError, match=r"s3://sagemaker-none"):
        copy_artifacts(artifacts, BucketMirror("s3://sagemaker-none", client=bucket), source=publisher)


@pytest.mark.parametrize("address", ["s3://", "s3://A", "s3://ab", "s3://-a-b", "https://a/b", "s3://a b c"])
def test_what_is_no_address_is_refused(address: str) -> None:
    client: Any = None
    with pytest.raises(ClusterwrightError, match=r"such as s3://atlas-mirror/2026\.11"):
        BucketMirror(address, client=client)


def test_each_file_is_collected_once(publisher: Publisher) -> None:
    one = publisher.publish("b-1.tar.gz", b"b")
    two = publisher.publish("a-1.tar.gz", b"a")
    nodes = [NodeContext.model_construct(artifacts=(one,)), NodeContext.model_construct(artifacts=(one, two))]
    assert collect_artifacts(nodes) == (two, one)


def test_one_name_for_two_files_is_refused(publisher: Publisher) -> None:
    one = publisher.publish("b-1.tar.gz", b"b")
    other = one.model_copy(update={"url": "https://elsewhere.example/b-1.tar.gz"})
    nodes = [NodeContext.model_construct(artifacts=(one,)), NodeContext.model_construct(artifacts=(other,))]
    with pytest.raises(ClusterwrightError, match="for one pool and"):
        collect_artifacts(nodes)

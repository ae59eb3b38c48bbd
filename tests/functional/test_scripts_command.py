"""``clusterwright scripts``: what nodes run, as files; and ``scripts mirror``, what they download."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from email import message_from_string
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from click.testing import CliRunner
from moto import mock_aws

from clusterwright.cli import cli, scripts_mirror
from clusterwright.config.loading import load_cluster
from clusterwright.mirroring.contents import BEGINNINGS
from clusterwright.mirroring.sources import Web
from clusterwright.resolution import resolve
from clusterwright.scripts import render_scripts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SLURM = """
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: hyperpod-slurm, controller: head}
pools:
  head: {instance_type: m7i.2xlarge, count: 1}
  train: {instance_type: p5en.48xlarge, count: 2}
"""


@pytest.fixture
def h200(root: Path) -> Path:
    return root / "docs" / "examples" / "eks-h200.yaml"


@pytest.fixture
def slurm(tmp_path: Path) -> Path:
    file = tmp_path / "slurm.yaml"
    file.write_text(SLURM)
    return file


def run(*args: object, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clusterwright.cli", "scripts", *map(str, args)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def read_all(folder: Path) -> dict[str, str]:
    """The files below a folder, but for the record."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def test_each_pool_has_its_folder(h200: Path, tmp_path: Path) -> None:
    result = run(h200, "--output", "out", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == ["out/system", "out/train"]
    scripts = render_scripts(resolve(load_cluster(h200)))
    assert read_all(tmp_path / "out") == scripts
    assert {"train/run.sh", "train/verify_node.py", "train/expected.json", "train/user_data.mime"} <= set(
        scripts
    )
    for name, text in scripts.items():
        assert os.access(tmp_path / "out" / name, os.X_OK) == text.startswith("#!"), name


PCS = """
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: pcs, version: "25.11", login: login}
pools:
  login: {instance_type: m7i.2xlarge, count: 1}
  train: {instance_type: p5en.48xlarge, count: 2}
"""


def test_pools_of_pcs_start_from_user_data(tmp_path: Path) -> None:
    """All that a node of PCS needs is in the user data, or in the archive that it names."""
    (tmp_path / "pcs.yaml").write_text(PCS)
    result = run("pcs.yaml", "--output", "out", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    scripts = read_all(tmp_path / "out")
    own = ("node.env", "plan", "expected.json", "manifest.json")
    shared: list[dict[str, str]] = []
    for pool in ("login", "train"):
        (part,) = message_from_string(scripts[f"{pool}/user_data.mime"]).get_payload()  # type: ignore[misc]  a multipart message's payload is a list
        script: str = part.get_payload()  # type: ignore[union-attr,assignment]  of messages, which hold text
        assert " s3://known-at-deployment/scripts.tar " in script
        assert all(scripts[f"{pool}/{name}"] in script for name in own)
        assert "own/slurm/" not in script  # there is no such folder on the node
        files = {
            name.partition("/")[2]: text for name, text in scripts.items() if name.startswith(f"{pool}/")
        }
        shared.append({name: text for name, text in files.items() if name not in (*own, "user_data.mime")})
    assert shared[0] == shared[1]
    assert "slurm/prolog.sh" in shared[0]


def test_pools_of_slurm_have_its_configuration(slurm: Path, tmp_path: Path) -> None:
    result = run(slurm, "--output", "out", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    scripts = read_all(tmp_path / "out")
    assert (
        "NodeName" in scripts["train/slurm/slurm.conf"]
        or "PartitionName" in scripts["train/slurm/slurm.conf"]
    )
    assert {"head/on_create.sh", "train/on_create.sh", "train/slurm/prolog.sh"} <= set(scripts)
    assert not any(name.endswith("user_data.mime") for name in scripts), "HyperPod takes none"
    assert "CW_ROLE=controller" in scripts["head/node.env"]
    assert "CW_ROLE=compute" in scripts["train/node.env"]


def test_a_second_run_changes_nothing(h200: Path, tmp_path: Path) -> None:
    run(h200, "--output", "out", folder=tmp_path)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "train").iterdir()}
    result = run(h200, "--output", "out", "--format", "json", folder=tmp_path)
    said = json.loads(result.stdout)
    assert said["written"] == said["removed"] == []
    assert "train/run.sh" in said["unchanged"]
    assert said["pools"] == ["system", "train"]
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_pool_that_is_gone_takes_its_folder_along(h200: Path, tmp_path: Path) -> None:
    run(h200, "--output", "out", folder=tmp_path)
    changed = tmp_path / "changed.yaml"
    changed.write_text(h200.read_text().replace("  train:", "  learn:"))
    result = run(changed, "--output", "out", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.is_dir()) == ["learn", "system"]


def test_files_of_others_stay(h200: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "train").mkdir(parents=True)
    (tmp_path / "out" / "train" / "run.sh").write_text("mine")
    (tmp_path / "out" / "thesis.txt").write_text("ten years")
    result = run(h200, "--output", "out", folder=tmp_path)
    assert result.returncode == 1
    assert "out/train/run.sh would be lost" in result.stderr
    assert read_all(tmp_path / "out") == {"train/run.sh": "mine", "thesis.txt": "ten years"}
    (tmp_path / "out" / "train" / "run.sh").unlink()
    assert run(h200, "--output", "out", folder=tmp_path).returncode == 0
    assert (tmp_path / "out" / "thesis.txt").read_text() == "ten years"


def test_an_edited_file_stays(h200: Path, tmp_path: Path) -> None:
    run(h200, "--output", "out", folder=tmp_path)
    with (tmp_path / "out" / "train" / "plan").open("a") as stream:
        stream.write("mine|\n")
    result = run(h200, "--output", "out", folder=tmp_path)
    assert result.returncode == 1
    assert "out/train/plan would be lost" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_damaged_record_is_one_line(h200: Path, tmp_path: Path) -> None:
    run(h200, "--output", "out", folder=tmp_path)
    (tmp_path / "out" / ".clusterwright-scripts.json").write_text("[]")
    result = run(h200, "--output", "out", folder=tmp_path)
    assert result.returncode == 1
    assert "is damaged" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_errors_of_the_file_are_those_of_synth(h200: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(h200.read_text().replace("p5en.48xlarge", "p5en.48xlarg"))
    for args in (("--output", "out"), ("--to", "mirror")):
        command = ("mirror", wrong, *args) if "--to" in args else (wrong, *args)
        result = run(*command, folder=tmp_path)
        assert result.returncode == 1
        assert "did you mean p5en.48xlarge?" in result.stderr
        assert result.stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "args", [["absent.yaml", "--output", "out"], ["mirror", "absent.yaml", "--to", "out"]]
)
def test_a_missing_file_is_a_usage_error(args: list[str], tmp_path: Path) -> None:
    result = run(*args, folder=tmp_path)
    assert result.returncode == 2
    assert "absent.yaml" in result.stderr


def test_without_a_folder_it_says_so(h200: Path, tmp_path: Path) -> None:
    result = run(h200, folder=tmp_path)
    assert result.returncode == 2
    assert "--output" in result.stderr


def test_help_shows_both_forms() -> None:
    shown = CliRunner().invoke(cli, ["scripts", "--help"]).output
    assert "scripts FILE --output DIR" in shown
    assert "scripts mirror FILE --to s3://BUCKET/PREFIX|DIR" in shown


@pytest.mark.parametrize("args", [["{}", "--help"], ["--output", "out", "-h"]])
def test_help_beside_a_file_is_that_of_its_form(h200: Path, args: list[str]) -> None:
    result = CliRunner().invoke(cli, ["scripts", *(each.format(h200) for each in args)])
    assert result.exit_code == 0
    assert result.output.startswith("Usage: cli scripts [OPTIONS] FILE\n")
    assert "--output DIRECTORY" in result.output


def test_a_misspelt_command_is_not_taken_for_a_file(tmp_path: Path) -> None:
    result = run("mirorr", "atlas.yaml", "--to", "out", folder=tmp_path)
    assert result.returncode == 2
    assert "no such command, and no file: 'mirorr'. Did you mean mirror?" in result.stderr
    (tmp_path / "mirorr").write_text("version: 1\n")
    result = run("mirorr", "--output", "out", folder=tmp_path)
    assert "Did you mean mirror?" not in result.stderr


def test_no_message_names_the_hidden_command(h200: Path, tmp_path: Path) -> None:
    assert "render" not in run(h200, "--to", "out", folder=tmp_path).stderr


class Canned(Web):
    """Publishers that answer with the address of the file, after how such a file begins."""

    def size_of(self, url: str) -> int | None:
        """The length of what `fetch` answers."""
        return len(url)

    def fetch(self, url: str) -> Iterator[bytes]:
        """The address itself, or the checksums of what is beside it."""
        if url.endswith("/sha256sums.txt"):
            yield from (f"{self._digest(url, name)}  {name}\n".encode() for name in self._names(url))
            return
        yield self._content(url)

    def _names(self, url: str) -> list[str]:
        version = url.split("/")[-2].removeprefix("v")
        return [f"node_exporter-{version}.linux-{each}.tar.gz" for each in ("amd64", "arm64")]

    def _digest(self, url: str, name: str) -> str:
        return hashlib.sha256(self._content(f"{url.rpartition('/')[0]}/{name}")).hexdigest()

    def _content(self, url: str) -> bytes:
        return BEGINNINGS.get(f".{url.rpartition('.')[2]}", b"") + url.encode()


def test_images_of_eks_need_no_mirror(h200: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["scripts", "mirror", str(h200), "--to", str(tmp_path / "mirror")])
    assert result.exit_code == 0
    assert "Nothing to mirror" in result.stderr
    assert not (tmp_path / "mirror").exists()


def test_a_mirror_ends_with_the_lines_to_write(
    slurm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts_mirror, "make_source", Canned)
    unpublished(monkeypatch)
    result = CliRunner().invoke(cli, ["scripts", "mirror", str(slurm), "--to", str(tmp_path / "mirror")])
    assert result.exit_code == 0, result.stderr
    manifest = (tmp_path / "mirror" / "manifest.json").read_text()
    rows: list[dict[str, Any]] = json.loads(manifest)
    assert {row["component"] for row in rows} >= {"efa-installer", "gdrcopy", "enroot", "pyxis"}
    assert "computed here, for none is known here; one may be at the release's page of pyxis" in result.stderr
    assert "Verify the EFA installer using a checksum" in result.stderr
    assert "node_exporter" in next(
        line for line in result.stderr.splitlines() if line.endswith("as its publisher tells it now")
    )
    lines = result.stdout.splitlines()
    assert lines[:3] == ["software:", "  mirror:", "    url: s3://BUCKET/PREFIX"]
    assert lines[3].startswith("    manifest_sha256: ")
    pasted = tmp_path / "pasted.yaml"
    text = result.stdout.replace("s3://BUCKET/PREFIX", "s3://sagemaker-atlas/2026.11")
    pasted.write_text(slurm.read_text() + text)
    mirror = load_cluster(pasted).software.mirror
    assert mirror is not None
    assert mirror.manifest_sha256 == lines[3].split()[-1]


def test_json_is_all_there_is_on_stdout(
    slurm: Path, h200: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts_mirror, "make_source", Canned)
    unpublished(monkeypatch)
    command = ["scripts", "mirror", str(slurm), "--format", "json", "--to"]
    said = json.loads(CliRunner().invoke(cli, [*command, str(tmp_path / "mirror")]).stdout)
    manifest = (tmp_path / "mirror" / "manifest.json").read_bytes()
    assert said["manifest_sha256"] == hashlib.sha256(manifest).hexdigest()
    assert said["url"] is None
    assert {each["origin"] for each in said["files"]} == {"publisher", "computed"}
    assert all(each["is_new"] and each["sha256"] for each in said["files"])
    nothing = CliRunner().invoke(
        cli, ["scripts", "mirror", str(h200), "--format", "json", "--to", str(tmp_path / "none")]
    )
    assert json.loads(nothing.stdout) == {"url": None, "manifest_sha256": None, "files": []}


@pytest.mark.parametrize("to", ["", " "])
def test_an_empty_place_is_refused(slurm: Path, tmp_path: Path, to: str) -> None:
    result = run("mirror", slurm, "--to", to, folder=tmp_path)
    assert result.returncode == 2
    assert "it is empty; name a bucket and prefix, or a folder" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["slurm.yaml"]


def test_a_bucket_that_is_not_hyperpod_s_is_warned_of(slurm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts_mirror, "make_source", Canned)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    unpublished(monkeypatch)
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-2")
        client.create_bucket(Bucket="mirror", CreateBucketConfiguration={"LocationConstraint": "us-east-2"})
        result = CliRunner().invoke(cli, ["scripts", "mirror", str(slurm), "--to", "s3://mirror/2026.11/"])
        assert "warning: HyperPod's managed policy" in result.stderr
        assert "    url: s3://mirror/2026.11\n" in result.stdout
        keys = [each["Key"] for each in client.list_objects_v2(Bucket="mirror")["Contents"]]
    assert "2026.11/manifest.json" in keys


@pytest.mark.parametrize("to", ["s3://", "s3://UPPER/x"])
def test_an_address_that_is_none_is_refused_before_anything_is_fetched(slurm: Path, to: str) -> None:
    assert run_main(["scripts", "mirror", str(slurm), "--to", to]) == 1


def test_a_wrong_checksum_ends_with_one(slurm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts_mirror, "make_source", Canned)
    result = run_main(["scripts", "mirror", str(slurm), "--to", str(tmp_path / "mirror")])
    assert result == 1
    assert not (tmp_path / "mirror" / "manifest.json").exists()


def run_main(args: list[str]) -> int:
    """The exit code of the command line as a process would have it."""
    from clusterwright.cli import main  # noqa: PLC0415  it replaces signal handlers

    with pytest.raises(SystemExit) as ended:
        main(args)
    return int(ended.value.code or 0)


def unpublished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no artifact have a published checksum: what is fetched here is made up."""
    from clusterwright.software import artifacts  # noqa: PLC0415  to be changed where it is used

    monkeypatch.setattr(artifacts, "checksum_of", lambda file: None)  # noqa: ARG005  of no file

"""``clusterwright software``, as a user types it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from clusterwright.cli import main
from clusterwright.software import DEFAULT_SET, select, set_names

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

CLUSTER = """\
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: eks, version: "1.34", admins: ["arn:aws:iam::111122223333:role/Admin"]}
pools:
  system: {instance_type: m7i.2xlarge, count: 2}
  train: {instance_type: p5en.48xlarge, count: 2}
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; gives the exit status, stdout and stderr."""

    def run_software(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exit_:
            main(["software", *args])
        captured = capsys.readouterr()
        return int(exit_.value.code or 0), captured.out, captured.err

    return run_software


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Write a cluster.yaml with a software section; gives its path."""

    def write_cluster(software: str) -> str:
        file = tmp_path / "cluster.yaml"
        file.write_text(f"{CLUSTER}software: {software}\n" if software else CLUSTER)
        return str(file)

    return write_cluster


def test_list_has_a_row_for_every_set(run: Run) -> None:
    code, out, err = run("list")
    assert (code, err) == (0, "")
    rows = out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == list(set_names())
    assert [row.split()[0] for row in rows if "(default)" in row] == [DEFAULT_SET]


def test_list_in_json(run: Run) -> None:
    data = json.loads(run("list", "--format", "json")[1])
    assert data["default"] == DEFAULT_SET
    assert {each["set"]: each["content_hash"] for each in data["sets"]} == {
        name: select(name).content_hash for name in set_names()
    }


def test_show_has_a_row_for_every_pin_and_file(run: Run) -> None:
    code, out, _ = run("show", "2026.06")
    assert code == 0
    assert "2026.06, content hash" in out
    assert "aws-ofi-nccl        1.20.0" in out
    assert "aws-efa-installer-1.49.0.tar.gz" in out


def test_show_says_what_is_not_verified(run: Run) -> None:
    lines = run("show", "2025.11")[1].splitlines()
    (row,) = [line for line in lines if line.startswith("libfabric")]
    assert row.rstrip().endswith("not verified")


def test_show_in_json_has_sources_and_checksums(run: Run) -> None:
    data = json.loads(run("show", "--format", "json")[1])
    assert data["set"] == DEFAULT_SET
    pins = {pin["component"]: pin for pin in data["pins"]}
    assert pins["efa-installer"]["sha256"]
    assert all(pin["source"] and pin["date"] for pin in pins.values())
    assert {artifact["file"] for artifact in data["artifacts"]} >= {"pyxis-0.20.0.tar.gz"}


def test_an_unknown_set_is_one_line_with_the_known_ones(run: Run) -> None:
    code, out, err = run("show", "2026.12")
    assert (code, out) == (1, "")
    assert err == "clusterwright: unknown version set '2026.12'; this release has 2025.11, 2026.06, 2026.11\n"


def test_diff_names_each_change_with_its_release_notes(run: Run) -> None:
    code, out, _ = run("diff", "2026.06", "2026.11")
    assert code == 0
    (row,) = [line for line in out.splitlines() if line.startswith("nccl ")]
    assert row.split() == [
        "nccl",
        "2.30.4",
        "2.31.2",
        "upgraded",
        "https://github.com/NVIDIA/nccl/releases/tag/v2.31.2-1",
    ]


def test_diff_of_a_set_with_itself_is_empty(run: Run) -> None:
    assert "pin the same versions" in run("diff", "2026.11", "2026.11")[1]
    assert json.loads(run("diff", "2026.11", "2026.11", "--format", "json")[1])["changes"] == []


def test_check_of_a_file_without_a_software_section(run: Run, write: Callable[[str], str]) -> None:
    code, out, _ = run("check", write(""))
    assert code == 0
    assert "no findings" in out
    assert f"set {DEFAULT_SET}, content hash {select(DEFAULT_SET).content_hash}" in out


def test_check_of_a_refused_override(run: Run, write: Callable[[str], str]) -> None:
    code, out, _ = run("check", write('{overrides: {efa-installer: "1.47.0"}}'))
    assert code == 1
    assert "error SOF302 `aws-ofi-nccl` 1.18.0 hangs" in out
    assert "without the override of efa-installer" in out
    assert "aws/deep-learning-containers#6668" in out


def test_check_in_json_holds_places(run: Run, write: Callable[[str], str]) -> None:
    code, out, _ = run("check", write('{overrides: {nccl: "2.28.3"}}'), "--format", "json")
    assert code == 0
    data = json.loads(out)
    assert data["set"] == DEFAULT_SET
    assert {finding["path"] for finding in data["findings"]} == {"software.overrides.nccl"}
    assert {finding["line"] for finding in data["findings"]} == {9}


def test_check_says_everything_at_once(run: Run, write: Callable[[str], str]) -> None:
    text = '{overrides: {ncll: "2.30", efa-installer: "1.47.0"}, environment: {FI_PROVIDER: tcp}}'
    code, out, _ = run("check", write(text), "--format", "json")
    assert code == 1
    assert {"SOF003", "SOF302", "SOF608"} <= {each["code"] for each in json.loads(out)["findings"]}


def test_check_of_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    code, _, err = run("check", str(tmp_path / "none.yaml"))
    assert code == 2
    assert "there is no such file" in err


def test_check_of_a_set_on_types(run: Run) -> None:
    args = ("--set", "2026.06", "--instance-type", "p5en.48xlarge", "--instance-type", "p5.48xlarge")
    code, out, _ = run("check", *args)
    assert code == 0
    assert "warning SOF303 software.set: " in out
    assert "It concerns p5en.48xlarge, p5.48xlarge." in out
    assert "the set 2026.11 is free of this" in out


def test_check_of_an_override_on_a_type(run: Run) -> None:
    args = ("--override", "nvidia-driver=595.71.05", "--orchestrator", "pcs")
    code, out, _ = run("check", "--instance-type", "p6e-gb200.36xlarge", *args, "--format", "json")
    assert code == 1
    assert [each["code"] for each in json.loads(out)["findings"]] == ["SOF107", "SOF112"]


@pytest.mark.parametrize("override", ["nvidia-driver=58O.159.03", "slurm=99.1", "enroot=9.0.0"])
def test_check_of_a_version_that_is_not_known(run: Run, override: str) -> None:
    args = ("--override", override, "--orchestrator", "hyperpod-slurm", "--instance-type", "p5.48xlarge")
    out = run("check", *args)[1]
    assert "warning SOF004" in out
    assert "known ones near it are" in out


def test_check_of_a_version_that_nobody_released(run: Run) -> None:
    code, out, _ = run("check", "--override", "nccl=2.28.33", "--instance-type", "p5.48xlarge")
    assert code == 0
    assert "SOF004" in out
    assert "2.28.3" in out


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ((), 2, "Name a FILE"),
        (("cluster.yaml", "--set", "2026.11"), 2, "FILE says what runs where"),
        (("--instance-type", "p5.48xlarge", "--override", "nccl"), 2, "is no NAME=VERSION"),
        (("--instance-type", "p5.48xlarge", "--override", "ncll=1"), 1, "did you mean nccl?"),
        (("--instance-type", "p5.48xlarge", "--override", "nccl=garbage"), 2, "'garbage' is no version"),
        (("--instance-type", "p5.48xlarge", "--override", "nccl=\uff12.30.4"), 2, "is no version"),
        (("--instance-type", "p5.48xlarge", "--set", ""), 1, "unknown version set ''"),
        (("--instance-type", "p5.48xlarge", "--kubernetes", "foo"), 2, "--kubernetes"),
        (("--instance-type", "p5.48xlarge", "--kernel", "zzz"), 2, "--kernel"),
        (("cluster.yaml", "--kernel", "6.8.0"), 2, "FILE says what runs where"),
        (("cluster.yaml", "--kubernetes", "1.34"), 2, "FILE says what runs where"),
        (("cluster.yaml", "--orchestrator", "eks"), 2, "FILE says what runs where"),
        (("--instance-type", "p5.48xlarg"), 1, "did you mean p5.48xlarge"),
        (("--instance-type", "p5.48xlarge", "--orchestrator", "slurm"), 1, "hyperpod-slurm"),
    ],
)
def test_check_of_bad_arguments(run: Run, args: tuple[str, ...], code: int, words: str) -> None:
    ended, out, err = run("check", *args)
    assert (ended, out) == (code, "")
    assert words in err


def test_the_hash_is_part_of_what_a_cluster_resolves_to(
    write: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = write('{overrides: {gdrcopy: "2.6"}}')
    expected = select(DEFAULT_SET, {"gdrcopy": "2.6"}).content_hash
    with pytest.raises(SystemExit):
        main(["show", file])
    sentence = f"Software set {DEFAULT_SET} with gdrcopy 2.6, content hash {expected}."
    assert sentence in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["show", file, "--format", "json"])
    shown = json.loads(capsys.readouterr().out)["software"]
    assert shown == {"set": DEFAULT_SET, "overrides": {"gdrcopy": "2.6"}, "content_hash": expected}

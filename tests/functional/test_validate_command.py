"""`clusterwright validate` as users run it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = """\
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator:
  kind: eks
  version: 1.34
  admins: [arn:aws:iam::111122223333:role/Admin]
pools:
  train: {instance_type: p5en.48xlarge, cuont: 4}
"""

NO_ADMIN = """\
version: 1
name: atlas
region: us-east-2
zone: use2-az3
orchestrator: {kind: eks}
pools:
  system: {instance_type: m7i.2xlarge, count: 2}
"""


def validate(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clusterwright.cli", "validate", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a broken file and one that only earns a warning."""
    (tmp_path / "broken.yaml").write_text(BROKEN)
    (tmp_path / "no-admin.yaml").write_text(NO_ADMIN)
    return tmp_path


def test_good_files(root: Path) -> None:
    done = validate(*sorted(root.glob("docs/examples/*.yaml")))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count(": no findings\n") == len(done.stdout.splitlines()) > 1


def test_errors_are_shown_in_their_lines(folder: Path) -> None:
    done = validate("broken.yaml", cwd=folder)
    assert done.returncode == 1
    assert done.stdout == (
        "broken.yaml:7:12: error CFG009 orchestrator.version takes text, not the number 1.34\n"
        "  7 |   version: 1.34\n"
        "    |            ^\n"
        '  hint: put it in quotes: "1.34"\n'
        "\n"
        "broken.yaml:10:41: error CFG007 there is no field cuont in pools.train\n"
        "  10 |   train: {instance_type: p5en.48xlarge, cuont: 4}\n"
        "     |                                         ^\n"
        "  hint: did you mean count?\n"
        "\n"
        "broken.yaml: 2 errors, 0 warnings\n"
    )


def test_warnings_do_not_fail(folder: Path) -> None:
    done = validate("no-admin.yaml", cwd=folder)
    assert done.returncode == 0
    assert "no-admin.yaml:5:1: warning EKS006" in done.stdout
    assert "no-admin.yaml: 0 errors, 1 warning\n" in done.stdout


def test_json_is_all_that_is_printed(folder: Path) -> None:
    done = validate("--format", "json", "broken.yaml", "no-admin.yaml", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    findings = json.loads(done.stdout)["findings"]
    assert [finding["code"] for finding in findings] == ["CFG009", "CFG007", "EKS006"]
    assert findings[0] == {
        "code": "CFG009",
        "severity": "error",
        "message": "orchestrator.version takes text, not the number 1.34",
        "path": "orchestrator.version",
        "file": "broken.yaml",
        "line": 7,
        "column": 12,
        "hint": 'put it in quotes: "1.34"',
        "source": "",
    }


def test_sarif(folder: Path) -> None:
    done = validate("--format", "sarif", "broken.yaml", "no-admin.yaml", cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    log = json.loads(done.stdout)
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    rules = run["tool"]["driver"]["rules"]
    assert all(rule["shortDescription"]["text"] for rule in rules)
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["CFG009", "CFG007", "EKS006"]
    assert [result["level"] for result in run["results"]] == ["error", "error", "warning"]
    assert run["results"][0]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "broken.yaml"},
                "region": {"startLine": 7, "startColumn": 12},
            },
            "logicalLocations": [{"fullyQualifiedName": "orchestrator.version"}],
        }
    ]


def test_unreadable_file_is_one_line_and_the_others_are_still_checked(folder: Path) -> None:
    done = validate("none.yaml", "broken.yaml", ".", cwd=folder)
    assert done.returncode == 2
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == [" none.yaml", " ."]
    assert "broken.yaml: 2 errors" in done.stdout


def test_a_hyphen_is_standard_input() -> None:
    command = [sys.executable, "-m", "clusterwright.cli", "validate", "-"]
    done = subprocess.run(command, input=BROKEN, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("<stdin>:7:12: error CFG009 ")
    assert "  7 |   version: 1.34\n" in done.stdout
    assert done.stdout.endswith("<stdin>: 2 errors, 0 warnings\n")


def test_unreadable_standard_input_is_one_line() -> None:
    command = [sys.executable, "-m", "clusterwright.cli", "validate", "-"]
    done = subprocess.run(command, input=b"name: caf\xe9\n", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"clusterwright: <stdin>: line 1 holds the byte 0xe9")


@pytest.mark.parametrize("args", [[], ["--format", "xml", "a"], ["--live", "a"]])
def test_wrong_usage(args: list[str]) -> None:
    done = validate(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Error:" in done.stderr
    assert "Traceback" not in done.stderr


def test_colour_is_for_terminals_only(folder: Path) -> None:
    assert "\x1b" not in validate("broken.yaml", cwd=folder).stdout


@pytest.mark.parametrize(("environment", "has_colour"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_no_color_is_kept(folder: Path, environment: dict[str, str], *, has_colour: bool) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "clusterwright.cli", "validate", "broken.yaml"]
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | environment
    subprocess.run(command, stdout=follower, check=False, cwd=folder, env=variables)
    os.close(follower)
    assert (b"\x1b" in os.read(leader, 65536)) is has_colour
    os.close(leader)


def test_control_characters_of_a_file_do_not_reach_the_terminal(folder: Path) -> None:
    (folder / "evil.yaml").write_text('name: "\\e[31m\\u009b"\nregion: \u202eabc\npools: {"\\e[31m": 3}\n')
    done = validate("evil.yaml", cwd=folder)
    assert done.returncode == 1
    assert not {"\x1b", "\x9b", "\u202e"} & set(done.stdout)

"""``clusterwright hardware``, as a user types it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from clusterwright.cli import main
from clusterwright.hardware import find_instance_type, instance_types

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

ESCAPE = "\x1b["


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command; gives the exit status, stdout and stderr."""
    for variable in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(variable, raising=False)

    def run_hardware(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exit_:
            main(["hardware", *args])
        captured = capsys.readouterr()
        return int(exit_.value.code or 0), captured.out, captured.err

    return run_hardware


def list_names(table: str) -> list[str]:
    return [line.split()[0] for line in table.splitlines()[1:] if "." in line.partition(" ")[0]]


def test_list_has_a_row_for_every_type(run: Run) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert list_names(out) == list(instance_types())


def test_rows_are_not_wrapped_and_not_coloured_outside_a_terminal(run: Run) -> None:
    _, out, _ = run()
    (row,) = [line for line in out.splitlines() if line.startswith("p5en.48xlarge")]
    assert row.split()[:8] == ["p5en.48xlarge", "192", "2048", "8", "x", "H200", "141", "30400"]
    assert row.rstrip().endswith("16       3200      200  capacity-block, on-demand, spot   63.30")
    assert ESCAPE not in out


def test_no_color_is_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    _, out, _ = run()
    assert not re.search(r"\x1b\[(3[0-7]|4[0-7]|9[0-7]|38|48)", out)


def test_unconfirmed_types_are_marked(run: Run) -> None:
    _, out, _ = run()
    marked = {line.split()[0] for line in out.splitlines() if re.match(r"\S+ \*", line)}
    unconfirmed = {name for name in instance_types() if not find_instance_type(name).is_verified}
    assert marked == unconfirmed == {"p6e-gb200.36xlarge", "p6e-gb300.36xlarge"}
    assert "not everything here is confirmed" in out


def test_filter_accelerated(run: Run) -> None:
    _, out, _ = run("--accelerated")
    assert list_names(out) == [name for name in instance_types() if find_instance_type(name).is_accelerated]


def test_filter_region(run: Run) -> None:
    _, out, _ = run("--region", "us-east-2", "--accelerated")
    names = list_names(out)
    assert "p5en.48xlarge" in names
    assert "p6e-gb200.36xlarge" not in names
    assert "m7i.2xlarge" not in names


def test_list_without_marked_types_explains_no_mark(run: Run) -> None:
    _, out, _ = run("--region", "us-east-2")
    assert "confirmed" not in out


def test_one_type_shows_its_interfaces_zones_and_sources(run: Run) -> None:
    code, out, _ = run("p6e-gb200.36xlarge")
    assert code == 0
    assert "interface@0/0, efa-only@1,5,9,13/0" in out
    assert re.search(r"us-east-1 +use1-dfw2-az1", out)
    assert "u-p6e-gb200x72" in out
    assert "how many disks is a guess" in out
    assert "not verified" in out


def test_cpu_type_shows_no_accelerators(run: Run) -> None:
    _, out, _ = run("m7i.2xlarge")
    assert "accelerators" not in out
    assert re.search(r"EFA +none", out)
    assert "$0.4032 an hour in us-east-1 on 2026-07-20" in out


def test_json_of_one_type_is_all_that_is_printed(run: Run) -> None:
    code, out, err = run("p5en.48xlarge", "--format", "json")
    assert (code, err) == (0, "")
    spec = json.loads(out)
    assert spec["accelerators"]["name"] == "H200"
    assert spec["zones"]["us-east-2"] == ["use2-az1", "use2-az2", "use2-az3"]
    assert spec["interfaces"][:2] == [
        {"card": 0, "device": 0, "kind": "interface"},
        {"card": 0, "device": 1, "kind": "efa-only"},
    ]
    assert spec["on_demand_price"]["source"]["date"] == "2026-07-20"


def test_json_of_the_list(run: Run) -> None:
    _, out, _ = run("--format", "json", "--accelerated")
    data = json.loads(out)
    names = [spec["name"] for spec in data["instance_types"]]
    assert names == [name for name in instance_types() if find_instance_type(name).is_accelerated]
    assert "u-p6e-gb200x72" in [spec["name"] for spec in data["ultraservers"]]


def test_ultraserver(run: Run) -> None:
    _, out, _ = run("u-p6e-gb200x72")
    assert "18 x p6e-gb200.36xlarge, 72 accelerators in one domain" in out
    _, out, _ = run("u-trn2x64", "--format", "json")
    assert json.loads(out)["instances"] == 4


def test_unknown_type_is_one_line_with_a_hint(run: Run) -> None:
    code, out, err = run("p5en.48xl", "--format", "json")
    assert (code, out) == (1, "")
    assert err.startswith("clusterwright: unknown instance type 'p5en.48xl'; did you mean p5en.48xlarge")
    assert err.count("\n") == 1


def test_unknown_region_is_a_usage_error(run: Run) -> None:
    code, out, err = run("--region", "us-esat-1")
    assert (code, out) == (2, "")
    assert "us-east-1" in err


def test_filters_with_a_type_are_a_usage_error(run: Run) -> None:
    code, _, err = run("p5en.48xlarge", "--region", "us-east-2")
    assert code == 2
    assert "leave them out to show one type" in err

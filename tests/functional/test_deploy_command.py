"""What ``clusterwright deploy`` asks of the CDK CLI, and what it warns of."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from clusterwright.cli import cli, deploy
from clusterwright.config.loading import load_cluster

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "eks-h200.yaml"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["deploy", "--all"]),
        (["--require-approval", "never"], ["deploy", "--all", "--require-approval", "never"]),
        (["atlas-network"], ["deploy", "atlas-network"]),
        (["--exclusively", "atlas-pool-*"], ["deploy", "--exclusively", "atlas-pool-*"]),
    ],
)
def test_all_stacks_are_deployed_unless_some_are_named(
    arguments: list[str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def record(args: list[str], file: Path) -> int:
        assert file == EXAMPLE
        asked.append(args)
        return 7

    monkeypatch.setattr(deploy, "run_cdk", record)
    monkeypatch.setattr(deploy, "warn_of_orphans", lambda *_: None)
    result = CliRunner().invoke(cli, ["deploy", str(EXAMPLE), "--", *arguments])
    assert asked == [expected]
    assert result.exit_code == 7


def test_a_file_with_errors_is_not_deployed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy, "run_cdk", lambda *_: pytest.fail("the CDK CLI was run"))
    file = tmp_path / "cluster.yaml"
    file.write_text(EXAMPLE.read_text().replace("p5en.48xlarge", "p5en.48xlarg"))
    result = CliRunner().invoke(cli, ["deploy", str(file)])
    assert result.exit_code == 1
    assert "did you mean p5en.48xlarge?" in result.output


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (
            datetime(2026, 12, 1, 11, 29, tzinfo=UTC),
            "pools.train: capacity h200 starts at 2026-12-01 11:30 UTC",
        ),
        (datetime(2026, 12, 1, 11, 30, tzinfo=UTC), None),
        (datetime(2026, 12, 15, 11, 29, tzinfo=UTC), None),
        (
            datetime(2026, 12, 15, 11, 30, tzinfo=UTC),
            "pools.train: capacity h200 ended at 2026-12-15 11:30 UTC",
        ),
    ],
)
def test_a_window_that_does_not_hold_the_present_is_told(now: datetime, expected: str | None) -> None:
    warnings = list(deploy.capacity_warnings(load_cluster(EXAMPLE), now))
    assert [each.partition(";")[0] for each in warnings] == ([] if expected is None else [expected])

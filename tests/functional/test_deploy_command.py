"""What ``clusterwright deploy`` asks of the CDK CLI, and what it warns of."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from clusterwright.cli import cli, deploy, deployment, stored_data
from clusterwright.config.loading import load_cluster, parse_cluster
from clusterwright.errors import ToolError
from clusterwright.resolution import resolve
from clusterwright.storage_record import as_metadata, record_storage

if TYPE_CHECKING:
    from collections.abc import Collection

CHECKPOINTS = "tiers--checkpoints-111122223333-us-west-2"
HOT = "tiers--hot-111122223333--usw2-az3--x-s3"

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
    monkeypatch.setattr(deploy, "find_lost_data", lambda *_: [])
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


class Account:
    """An account in which a cluster's storage stands as another file described it."""

    def __init__(self, text: str = "") -> None:
        self.template: dict[str, Any] = {}
        self.users: tuple[str, ...] = ()
        self.buckets: dict[str, str | None] = {}
        self.storage = self
        cluster = parse_cluster(text).cluster if text else None
        if cluster is not None:
            self.template = {"Metadata": as_metadata(record_storage(resolve(cluster)))}

    def read_template(self, stack: str) -> dict[str, Any]:
        assert stack == "tiers-storage"
        return self.template

    def find_orphans(self) -> tuple[str, ...]:
        return ()

    def find_users(self, stack: str) -> tuple[str, ...]:
        assert stack == "tiers-storage"
        return self.users

    def find_account(self) -> str:
        return "111122223333"

    def find_buckets(self, names: Collection[str]) -> dict[str, str | None]:
        return {name: key for name, key in self.buckets.items() if name in names}


@pytest.fixture
def tiers(tmp_path: Path) -> Path:
    """A copy of the storage example."""
    file = tmp_path / "cluster.yaml"
    file.write_text((EXAMPLE.parent / "storage-tiers.yaml").read_text())
    return file


def deploy_over(
    account: Account, file: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Result, list[list[str]]]:
    """Deploy into an account; returns what was said, and what the CDK CLI was asked for."""
    asked: list[list[str]] = []
    monkeypatch.setattr(deploy, "run_cdk", lambda args, _: asked.append(args) or 0)
    for module in (stored_data, deployment):
        monkeypatch.setattr(module, "connect", lambda *_: account)
    return CliRunner().invoke(cli, ["deploy", str(file)]), asked


def test_a_change_that_costs_data_is_not_deployed(tiers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Account(tiers.read_text())
    tiers.write_text(tiers.read_text().replace("efa: true", "efa: false"))
    result, asked = deploy_over(account, tiers, monkeypatch)
    assert result.exit_code == 1
    assert asked == []
    assert "DIF001 storage.lustre.scratch.efa: true → false" in result.output
    assert "|       efa: false" in result.output


def test_what_is_taken_out_is_told_and_deployed(tiers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Account(tiers.read_text())
    text = tiers.read_text()
    tiers.write_text(text[: text.index("  home:")] + text[text.index("  local_nvme:") :])
    result, asked = deploy_over(account, tiers, monkeypatch)
    assert result.exit_code == 0, result.output
    assert asked == [["deploy", "--all"]]
    assert "warning DIF004 storage.home: taken out of the cluster; it stays behind" in result.output


def test_a_first_deployment_has_nothing_to_lose(tiers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, asked = deploy_over(Account(), tiers, monkeypatch)
    assert (result.exit_code, len(asked)) == (0, 1)
    assert "DIF" not in result.output


KEY = "arn:aws:kms:us-west-2:111122223333:key/12345678-1234-1234-1234-123456789012"


@pytest.mark.parametrize(
    ("name", "key", "hint"),
    [
        (CHECKPOINTS, None, f"write `checkpoints: {{existing: {CHECKPOINTS}}}`"),
        (CHECKPOINTS, KEY, f"write `checkpoints: {{existing: {CHECKPOINTS}, kms: {KEY}}}`"),
        (HOT, None, f"write `hot: {{existing: {HOT}}}`"),
    ],
)
def test_a_bucket_that_is_there_already_stops_a_deployment(
    tiers: Path, monkeypatch: pytest.MonkeyPatch, name: str, key: str | None, hint: str
) -> None:
    account = Account()
    account.buckets = {name: key}
    result, asked = deploy_over(account, tiers, monkeypatch)
    assert (result.exit_code, asked) == (1, [])
    assert f"error DIF005 storage.{'express.hot' if name == HOT else 'buckets.checkpoints'}" in result.output
    assert hint in " ".join(result.output.split())


def test_a_bucket_of_the_clusters_own_stack_stops_nothing(
    tiers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = Account(tiers.read_text())
    account.buckets = {CHECKPOINTS: None, HOT: None}
    result, asked = deploy_over(account, tiers, monkeypatch)
    assert (result.exit_code, len(asked)) == (0, 1), result.output


def test_an_item_that_comes_back_finds_its_bucket(tiers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Account(tiers.read_text())
    del account.template["Metadata"]["clusterwright:storage.express.hot"]
    account.buckets = {CHECKPOINTS: None, HOT: None}
    result, asked = deploy_over(account, tiers, monkeypatch)
    assert (result.exit_code, asked) == (1, [])
    assert "DIF005 storage.express.hot" in result.output
    assert "DIF005 storage.buckets" not in result.output


def test_no_new_storage_comes_under_stacks_that_show_the_old(
    tiers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = Account()
    account.users = ("tiers-platform", "tiers-pool-train")
    result, asked = deploy_over(account, tiers, monkeypatch)
    assert (result.exit_code, asked) == (1, [])
    assert "error DIF006 storage: tiers-storage is gone" in result.output
    assert "destroy FILE -- tiers-platform tiers-pool-train" in result.output


class SilentAccount(Account):
    """An account that does not answer."""

    def read_template(self, stack: str) -> dict[str, Any]:
        raise ToolError(f"CloudFormation does not give the template of {stack}")


def test_storage_is_not_deployed_into_the_dark(tiers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, asked = deploy_over(SilentAccount(), tiers, monkeypatch)
    assert isinstance(result.exception, ToolError)
    assert asked == []


def test_a_file_without_storage_needs_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    result, asked = deploy_over(SilentAccount(), EXAMPLE, monkeypatch)
    assert result.exit_code == 0
    assert asked == [["deploy", "--all"]]


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

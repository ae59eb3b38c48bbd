"""``clusterwright destroy`` and ``diff``: what they ask of the CDK CLI, and what they ask of a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from clusterwright.cdk_cli import CdkCli
from clusterwright.cli import destroy, diff
from clusterwright.config.loading import load_cluster
from clusterwright.deployed import KeptThing
from clusterwright.errors import Finding, ToolError

if TYPE_CHECKING:
    from clusterwright.config.cluster import ClusterConfig


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, str]]]:
    """What the CDK CLI was asked to do; it always succeeds."""
    made: list[tuple[list[str], dict[str, str]]] = []

    def record(self: CdkCli, args: list[str], **options: Any) -> int:
        del self
        made.append((list(args), dict(options.get("context") or {})))
        return 0

    monkeypatch.setattr(CdkCli, "run", record)
    return made


@pytest.fixture
def h200(root: Path) -> str:
    return str(root / "docs" / "examples" / "eks-h200.yaml")


PARTS = ("network", "storage", "cluster", "pool-system", "pool-train", "platform")

Calls = list[tuple[list[str], dict[str, str]]]


class Account:
    """An account with some stacks, that notes what it is asked to do; it is its own storage, too."""

    def __init__(self) -> None:
        self.cluster: ClusterConfig | None = None
        self.orphans: tuple[str, ...] = ()
        self.lasting: tuple[str, ...] = ()
        self.users: dict[str, tuple[str, ...]] = {}
        self.asked: list[str] = []
        self.storage = self

    def find_stacks(self) -> tuple[str, ...]:
        return tuple(f"atlas-{part}" for part in PARTS)

    def find_users(self, stack: str) -> tuple[str, ...]:
        return self.users.get(stack, ())

    def find_lasting_stacks(self) -> tuple[str, ...]:
        return self.lasting

    def find_kept(self) -> tuple[KeptThing, ...]:
        return (KeptThing("bucket", "atlas--data"),)

    def delete_loose_groups(self) -> None:
        self.asked.append("delete loose groups")

    def find_orphans(self) -> tuple[str, ...]:
        return self.orphans

    def delete_stacks(self, names: tuple[str, ...]) -> None:
        self.asked += [f"delete {name}" for name in names]

    def allow_deletion(self) -> bool:
        self.asked.append("allow deletion")
        return True


@pytest.fixture
def account(h200: str, monkeypatch: pytest.MonkeyPatch) -> Account:
    """The account of the credentials."""
    made = Account()
    made.cluster = load_cluster(Path(h200))
    monkeypatch.setattr(destroy, "connect", lambda *_: made)
    return made


@pytest.mark.parametrize(("args", "typed"), [([], "atlas\n"), (["--yes"], "")])
def test_protection_is_lifted_and_then_everything_goes(
    h200: str, calls: Calls, account: Account, args: list[str], typed: str
) -> None:
    result = CliRunner().invoke(destroy.command, [h200, *args], input=typed)
    assert result.exit_code == 0
    assert account.asked == ["allow deletion", "delete loose groups"]
    assert "kept: bucket atlas--data" in result.output
    stacks = [f"atlas-{part}" for part in PARTS if part != "storage"]
    assert calls == [(["destroy", *stacks, "--exclusively", "--force"], {})]


def test_file_systems_that_stay_keep_their_stack_and_their_network(
    root: Path, calls: Calls, account: Account
) -> None:
    file = root / "docs" / "examples" / "storage-tiers.yaml"
    account.cluster, account.lasting = load_cluster(file), ("tiers-network", "tiers-storage")
    account.orphans = ("tiers-storage",)
    result = CliRunner().invoke(destroy.command, [str(file)], input="tiers\n")
    assert "but tiers-network and tiers-storage" in result.output
    assert account.asked == ["allow deletion"]
    ((args, _),) = calls
    assert "tiers-cluster" in args
    assert not {"tiers-network", "tiers-storage"} & set(args)


def test_stacks_that_the_file_has_no_more_go_first(h200: str, calls: Calls, account: Account) -> None:
    account.orphans = ("atlas-pool-old",)
    result = CliRunner().invoke(destroy.command, [h200], input="atlas\n")
    assert "atlas-pool-old, which the file has no more" in result.output
    assert account.asked == ["delete atlas-pool-old", "allow deletion", "delete loose groups"]
    assert len(calls) == 1


def test_the_wrong_name_deletes_nothing(h200: str, calls: Calls, account: Account) -> None:
    result = CliRunner().invoke(destroy.command, [h200], input="atlantis\n")
    assert result.exit_code == 1
    assert "nothing was deleted" in result.output
    assert calls == []
    assert account.asked == []


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        (["atlas-storage"], "atlas-platform would go on using what was in atlas-storage"),
        (["atlas-network", "atlas-storage"], "atlas-cluster would go on using what was in atlas-network"),
        (["atlas-network"], "atlas-cluster, atlas-storage would go on using what was in atlas-network"),
    ],
)
def test_nothing_goes_from_under_what_uses_it(
    h200: str, calls: Calls, account: Account, named: list[str], reason: str
) -> None:
    account.users = {
        "atlas-storage": ("atlas-platform",),
        "atlas-network": ("atlas-cluster", "atlas-storage"),
    }
    result = CliRunner().invoke(destroy.command, [h200, "--yes", "--", *named])
    assert result.exit_code == 1
    assert reason in result.output
    assert calls == []


def test_storage_goes_together_with_what_uses_it(h200: str, calls: Calls, account: Account) -> None:
    account.users = {"atlas-storage": ("atlas-platform",)}
    stacks = ["atlas-storage", "atlas-plat*"]
    result = CliRunner().invoke(destroy.command, [h200, "--yes", "--", *stacks])
    assert result.exit_code == 0
    assert "kept: bucket atlas--data" in result.output
    assert calls == [(["destroy", "--exclusively", "--force", *stacks], {})]


def test_no_stack_goes_by_name_in_which_file_systems_stay(h200: str, calls: Calls, account: Account) -> None:
    account.lasting = ("atlas-network", "atlas-storage")
    result = CliRunner().invoke(destroy.command, [h200, "--yes", "--", "atlas-*"])
    assert result.exit_code == 1
    assert "file systems stay in atlas-network and atlas-storage" in result.output
    assert calls == []


@pytest.mark.usefixtures("account")
def test_a_pool_goes_alone_and_protection_stays(h200: str, calls: Calls) -> None:
    result = CliRunner().invoke(destroy.command, [h200, "--", "atlas-pool-train"], input="atlas\n")
    assert result.exit_code == 0
    assert "atlas-pool-train" in result.output
    assert calls == [(["destroy", "--exclusively", "--force", "atlas-pool-train"], {})]


def test_an_account_that_does_not_answer_deletes_nothing(
    h200: str, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Account:
        raise ToolError("Unable to locate credentials")

    monkeypatch.setattr(destroy, "connect", refuse)
    result = CliRunner().invoke(destroy.command, [h200, "--yes"])
    assert isinstance(result.exception, ToolError)
    assert calls == []


def test_diff_hands_its_options_on(h200: str, calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "warn_of_orphans", lambda *_: None)
    monkeypatch.setattr(diff, "find_lost_data", lambda *_: [])
    assert CliRunner().invoke(diff.command, [h200, "--", "--method=template"]).exit_code == 0
    assert [args for args, _ in calls] == [["diff", "--method=template"]]


def test_a_file_with_errors_reaches_no_cdk(tmp_path: Path, calls: Calls) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("version: 1\n")
    for module in (destroy, diff):
        assert CliRunner().invoke(module.command, [str(file)]).exit_code == 1
    assert calls == []


def test_diff_ends_with_an_error_where_data_would_be_lost(
    h200: str, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = Finding("DIF001", "error", "zone: use2-az3 → use2-az1: data is in use2-az3", "zone", h200, 4, 7)
    taken = Finding("DIF004", "warning", "storage.home: taken out", "storage.home", h200, 4, 7)
    monkeypatch.setattr(diff, "warn_of_orphans", lambda *_: None)
    for found, code in (([lost, taken], 1), ([taken], 0)):
        monkeypatch.setattr(diff, "find_lost_data", lambda *_, found=found: found)
        result = CliRunner().invoke(diff.command, [h200])
        assert result.exit_code == code
        assert all(f"{each.code} {each.message}" in result.output for each in found)
    assert len(calls) == 2

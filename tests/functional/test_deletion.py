"""``clusterwright destroy`` and ``diff``: what they ask of the CDK CLI, and what they ask of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from clusterwright.cdk_cli import CdkCli
from clusterwright.cli import destroy, diff

if TYPE_CHECKING:
    from pathlib import Path


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


Calls = list[tuple[list[str], dict[str, str]]]


def test_the_wrong_name_deletes_nothing(h200: str, calls: Calls) -> None:
    result = CliRunner().invoke(destroy.command, [h200], input="atlantis\n")
    assert result.exit_code == 1
    assert "nothing was deleted" in result.output
    assert calls == []


def test_no_answer_deletes_nothing(h200: str, calls: Calls) -> None:
    assert CliRunner().invoke(destroy.command, [h200], input="\n").exit_code == 1
    assert calls == []


@pytest.mark.parametrize(("args", "typed"), [([], "atlas\n"), (["--yes"], "")])
def test_protection_is_lifted_and_then_everything_goes(
    h200: str, calls: Calls, args: list[str], typed: str
) -> None:
    result = CliRunner().invoke(destroy.command, [h200, *args], input=typed)
    assert result.exit_code == 0
    (lift, lift_context), (delete, delete_context) = calls
    assert lift[:3] == ["deploy", "atlas-cluster", "--exclusively"]
    assert delete == ["destroy", "--all", "--force"]
    assert lift_context == delete_context == {"clusterwright:allow-deletion": "true"}


def test_a_pool_goes_alone_and_protection_stays(h200: str, calls: Calls) -> None:
    result = CliRunner().invoke(destroy.command, [h200, "--", "atlas-pool-train"], input="atlas\n")
    assert result.exit_code == 0
    assert "atlas-pool-train" in result.output
    assert calls == [(["destroy", "--exclusively", "--force", "atlas-pool-train"], {})]


def test_nothing_is_deleted_while_protection_holds(h200: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def fail(self: CdkCli, args: list[str], **options: Any) -> int:
        del self, options
        asked.append(args[0])
        return 7

    monkeypatch.setattr(CdkCli, "run", fail)
    assert CliRunner().invoke(destroy.command, [h200, "--yes"]).exit_code == 7
    assert asked == ["deploy"]


def test_diff_hands_its_options_on(h200: str, calls: Calls) -> None:
    assert CliRunner().invoke(diff.command, [h200, "--", "--method=template"]).exit_code == 0
    assert calls == [(["diff", "--method=template"], {})]


def test_a_file_with_errors_reaches_no_cdk(tmp_path: Path, calls: Calls) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("version: 1\n")
    for module in (destroy, diff):
        assert CliRunner().invoke(module.command, [str(file)]).exit_code == 1
    assert calls == []

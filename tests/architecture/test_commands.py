"""Every command that the help lists exists, and every module that holds a command is listed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import clusterwright.cli
from clusterwright.cli import COMMANDS, cli

FOLDER = Path(clusterwright.cli.__file__).parent


@pytest.mark.parametrize("name", COMMANDS)
def test_a_listed_command_has_help_and_a_description(name: str) -> None:
    command = import_module(f"clusterwright.cli.{name}").command
    assert isinstance(command, click.Command)
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: cli {name}")
    assert command.help


def test_no_command_is_left_out_of_the_list() -> None:
    holders = {path.stem for path in FOLDER.glob("*.py") if "\ndef command(" in path.read_text()}
    assert holders == set(COMMANDS)


def test_an_unknown_command_is_answered_with_a_near_one() -> None:
    result = CliRunner().invoke(cli, ["validat"])
    assert result.exit_code == 2
    assert "no such command: 'validat'. Did you mean validate?" in result.output

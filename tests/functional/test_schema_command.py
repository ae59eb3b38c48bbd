"""`clusterwright schema` as users run it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from clusterwright.cli.schema import command
from clusterwright.config.schema import build_schema


def test_schema_is_all_that_is_printed() -> None:
    result = CliRunner().invoke(command, [])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == build_schema()

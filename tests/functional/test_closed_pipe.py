"""What the command line does when whoever reads its output goes away, as ``head`` does."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from clusterwright.cli import EXIT_PIPE_CLOSED

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = {
    "help": ["--help"],
    "text": ["schema"],
    "findings": ["validate", "docs/examples/eks-h200.yaml", "--format", "json"],
    "tables": ["hardware"],
    "tables of a cluster": ["show", "docs/examples/eks-h200.yaml"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_ends_as_other_tools_do(name: str, root: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "clusterwright.cli", *COMMANDS[name]]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False, cwd=root)
    os.close(writer)
    assert (done.returncode, done.stderr) == (EXIT_PIPE_CLOSED, b"")

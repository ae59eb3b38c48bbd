"""Whether each Lustre file system is reached over EFA, or fell back to TCP without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scratch_nodes import HOMES, LUSTRE, ScratchNode, make_node, tell

if TYPE_CHECKING:
    from pathlib import Path

SECOND = LUSTRE.model_copy(update={"dns_name": "fs-3.fsx.us-east-2.amazonaws.com", "export": "ghijkl"})
SECOND = SECOND.model_copy(update={"path": "/data"})

ON_TCP = """peer:
    - primary nid: 10.0.2.7@tcp
      Multi-Rail: True
      peer ni:
        - nid: 10.0.2.7@tcp
          state: NA
          statistics:
              send_count: 9
"""
TALK = "peer show --nid 10.0.2.7@tcp -v"
OTHERWISE = 'source "$FAKE_DEFAULTS/lnetctl"\n'


@pytest.fixture
def node(tmp_path: Path) -> ScratchNode:
    """One with two file systems, whose servers have addresses of their own."""
    node = make_node(tmp_path, mounts=(LUSTRE, SECOND, HOMES))
    node.remember("servers-abcdef", "1")
    node.remember("servers-ghijkl", "2")
    return node


def fail_at_mounts(node: ScratchNode) -> str:
    result = node.run()
    assert result.returncode == 1, result.stderr
    return tell(result).removeprefix("lustre-mounts: ")


def test_both_are_reached_over_efa(node: ScratchNode) -> None:
    result = node.run()
    assert result.returncode == 0, result.stderr
    assert "lnetctl peer show --nid 10.0.1.7@tcp -v" in node.calls
    assert "lnetctl peer show --nid 10.0.2.7@tcp -v" in node.calls


@pytest.mark.parametrize(("server", "path"), [("10.0.1.7", "/fsx"), ("10.0.2.7", "/data")])
def test_one_of_two_fell_back(node: ScratchNode, server: str, path: str) -> None:
    """What the other one sends over EFA is no proof."""
    node.remember(f"efa_messages-{server}", "0")
    reason = fail_at_mounts(node)
    assert reason.startswith(
        f"{path} fell back to TCP: LNet has sent nothing over EFA to its server {server}@tcp; "
    )
    assert "security groups" in reason


def test_a_server_without_an_address_on_efa(node: ScratchNode) -> None:
    node.answer("lnetctl", f"[[ $* != '{TALK}' ]] || {{ cat <<TEXT\n{ON_TCP}TEXT\nexit; }}\n{OTHERWISE}")
    assert fail_at_mounts(node).startswith("/data fell back to TCP: ")


def test_addresses_that_are_learnt_late_are_waited_for(node: ScratchNode) -> None:
    node.answer("lctl", 'has asked || { note asked x; exit 2; }\nsource "$FAKE_DEFAULTS/lctl"')
    assert node.run().returncode == 0


def test_no_server_at_all(node: ScratchNode) -> None:
    node.answer("lctl", "exit 2")
    assert fail_at_mounts(node).startswith("/fsx fell back to TCP: lctl shows no server of it; ")

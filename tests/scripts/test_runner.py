"""``run.sh`` with small plans: order, failures, locks, and what a second run does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from scratch_nodes import ScratchNode, make_context, tell

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., ScratchNode]

HEAD = 'set -euo pipefail\nsource "$CW_BUNDLE/lib/step.sh"\n'

Steps = dict[str, tuple[str, str]]


def small_plan(steps: Steps, *, boot: tuple[str, ...] = ()) -> dict[str, str]:
    """The files of a plan: name of each step, what it waits for, and its body."""
    plan = "".join(
        f"{name}|{after}|{'boot' if name in boot else 'once'}\n" for name, (after, _) in steps.items()
    )
    return {"plan": plan, **{f"steps/{name}.sh": HEAD + body for name, (_, body) in steps.items()}}


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def make_node(steps: Steps, *, boot: tuple[str, ...] = ()) -> ScratchNode:
        return ScratchNode(tmp_path, make_context(), small_plan(steps, boot=boot))

    return make_node


def wait_for(path: Path) -> None:
    """Wait until a file is there, ten seconds at most."""
    for _ in range(1000):
        if path.exists():
            return
        time.sleep(0.01)
    pytest.fail(f"{path} never appeared")


def test_steps_run_in_order_and_the_status_says_done(make: Make) -> None:
    node = make({"a": ("", "touch $CW_ROOT/a"), "b": ("a", "[[ -f $CW_ROOT/a ]]")})
    result = node.run()
    assert result.returncode == 0
    assert node.status["state"] == "done"
    assert node.status["critical_path"] == ["a", "b"]
    assert {name: each["state"] for name, each in node.status["steps"].items()} == {"a": "done", "b": "done"}
    assert "critical path: a " in result.stderr
    assert tell(result).endswith("run: all 2 steps are done")


def test_independent_steps_run_at_the_same_time(make: Make) -> None:
    """Each waits for the other to have started, which in turn would never end."""
    body = "touch $CW_ROOT/%s; for _ in {1..500}; do [[ -f $CW_ROOT/%s ]] && exit 0; sleep 0.01; done; exit 1"
    node = make({"a": ("", body % ("a", "b")), "b": ("", body % ("b", "a"))})
    assert node.run().returncode == 0


def test_critical_path_is_that_of_the_longest_chain(make: Make) -> None:
    node = make(
        {
            "root": ("", "true"),
            "long": ("root", "sleep 0.3"),
            "short": ("root", "true"),
            "end": ("long,short", "true"),
        }
    )
    node.run()
    assert node.status["critical_path"] == ["root", "long", "end"]
    assert node.status["steps"]["long"]["seconds"] >= 0.3


def test_every_event_is_a_line_of_json(make: Make) -> None:
    node = make({"a": ("", "log 'hello'")})
    node.run()
    assert [(each["step"], each["event"]) for each in node.events] == [
        ("", "run"),
        ("a", "start"),
        ("a", "note"),
        ("a", "end"),
        ("", "done"),
    ]
    end = node.events[3]
    assert end["state"] == "done"
    assert isinstance(end["seconds"], float)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("fail 'the disk is gone'", "bad: the disk is gone"),
        ("false", "bad: 'false' failed with status 1 (bad.sh:3)"),
        ("x=$(fail 'inside')\ntrue", "bad: inside"),
        ("f() { cat /nowhere; }\nf", "bad: 'cat /nowhere' failed with status 1 (bad.sh:3)"),
        ("echo 'last words'; exit 3", "bad: ended with status 3, its last line: last words"),
        ("echo 'last words'; kill -9 $$", "bad: was killed by signal 9, its last line: last words"),
        (
            "true $missing",
            "bad: ended with status 1, its last line: {step}: line 3: missing: unbound variable",
        ),
    ],
)
def test_the_last_line_is_the_reason(make: Make, body: str, reason: str) -> None:
    node = make({"bad": ("", body)})
    result = node.run()
    assert result.returncode == 1
    assert tell(result) == reason.format(step=node.root / "opt/clusterwright/steps/bad.sh")
    assert node.status["state"] == "failed"
    assert node.status["step"] == "bad"
    assert node.status["reason"] == tell(result)
    assert node.events[-1]["reason"] == tell(result)


HOSTILE = [
    'say "hi" \\ there',
    "tab\there",
    "caf\u00e9 \u2192 \U0001f600",
    "bell\x07 \x1b[31mred",
    "new\nline",
    "'$(id)'",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_reason_may_hold_any_text(make: Make, text: str) -> None:
    node = make({"bad": ("", 'fail "$(<"$CW_ROOT/reason")"')})
    (node.root / "reason").write_text(text)
    node.run()
    assert node.status["reason"] == f"bad: {text}".replace("\n", " ")


def test_bytes_that_are_no_text_are_still_json(make: Make) -> None:
    node = make({"bad": ("", 'fail "$(<"$CW_ROOT/reason")"')})
    (node.root / "reason").write_bytes(bytes(range(1, 256)))
    result = subprocess.run(
        ["bash", str(node.root / "opt/clusterwright/run.sh")],
        env=node.environment(),
        capture_output=True,
        check=False,
    )
    assert result.returncode == 1
    reason = node.status["reason"]
    assert set(map(chr, range(0x80, 0x100))) <= set(reason)
    assert "\x01" in reason
    assert all(json.loads(line) for line in node.read("var/log/clusterwright/lifecycle.jsonl").splitlines())


def test_after_a_failure_what_runs_ends_and_nothing_else_starts(make: Make) -> None:
    node = make(
        {
            "slow": (
                "",
                "until [[ -f $CW_REASONS/bad ]]; do sleep 0; done; sleep 0.1; touch $CW_ROOT/ended",
            ),
            "bad": ("", "fail 'no'"),
            "after-slow": ("slow", "touch $CW_ROOT/started"),
            "after-bad": ("bad", "touch $CW_ROOT/started"),
        }
    )
    result = node.run()
    assert tell(result) == "bad: no"
    assert (node.root / "ended").exists()
    assert not (node.root / "started").exists()
    states = {name: each["state"] for name, each in node.status["steps"].items()}
    assert states == {"slow": "done", "bad": "failed", "after-slow": "pending", "after-bad": "pending"}


def test_a_second_run_does_nothing(make: Make) -> None:
    node = make({"a": ("", "systemctl start x"), "b": ("a", "true")}, boot=("b",))
    node.remember("units", "x")
    node.run()
    assert node.calls
    start = time.monotonic()
    result = node.run()
    assert time.monotonic() - start < 2
    assert result.returncode == 0
    assert node.calls == []
    assert {each["state"] for each in node.status["steps"].values()} == {"current"}


def test_a_run_after_a_failure_goes_on_where_it_ended(make: Make) -> None:
    count = "echo x >>$CW_ROOT/%s"
    node = make({"a": ("", count % "a"), "b": ("a", "[[ -f $CW_ROOT/repaired ]] || fail no")})
    assert node.run().returncode == 1
    (node.root / "repaired").touch()
    assert node.run().returncode == 0
    assert node.read("a") == "x\n"


def test_a_reboot_runs_the_steps_of_every_boot(make: Make) -> None:
    count = "echo x >>$CW_ROOT/$CW_STEP"
    node = make({"a": ("", count), "b": ("a", count)}, boot=("b",))
    node.run()
    node.reboot()
    assert node.run().returncode == 0
    assert (node.read("a"), node.read("b")) == ("x\n", "x\nx\n")


def test_a_changed_bundle_runs_again(make: Make) -> None:
    count = "echo x >>$CW_ROOT/$CW_STEP"
    steps: Steps = {"a": ("", count), "b": ("a", count)}
    node = make(steps)
    node.run()
    node.set_bundle(make_context(), small_plan({"a": ("", count), "b": ("a", f"{count}; true")}))
    node.run()
    assert (node.read("a"), node.read("b")) == ("x\n", "x\nx\n")
    node.set_bundle(make_context(software_hash="f" * 12), small_plan(steps))
    node.run()
    assert (node.read("a"), node.read("b")) == ("x\nx\n", "x\nx\nx\n")


def test_a_second_run_waits_and_then_says_who_holds_the_lock(make: Make) -> None:
    node = make({"a": ("", "touch $CW_ROOT/started; while [[ ! -f $CW_ROOT/go ]]; do sleep 0.02; done")})
    first = node.start()
    wait_for(node.root / "started")
    second = node.run(CW_LOCK_SECONDS="1")
    assert second.returncode == 1
    assert "waited 1 s for another run to end: bash " in tell(second)
    assert f"run.sh (pid {first.pid})" in tell(second)
    assert node.status["state"] == "running", "the status is the first run's"
    assert node.status["steps"]["a"]["state"] == "running"
    (node.root / "go").touch()
    assert first.wait(timeout=20) == 0
    first.communicate()
    assert node.run().returncode == 0


def test_a_second_run_goes_on_when_the_first_ends(make: Make) -> None:
    node = make({"a": ("", "touch $CW_ROOT/started; sleep 0.5; echo x >>$CW_ROOT/count")})
    first = node.start()
    wait_for(node.root / "started")
    assert node.run(CW_LOCK_SECONDS="20").returncode == 0
    first.communicate()
    assert node.read("count") == "x\n"


def test_killed_in_the_middle_and_run_again(make: Make) -> None:
    """Kill -9 of the whole session: no trap runs, and the status still says running."""
    node = make(
        {
            "a": ("", "echo x >>$CW_ROOT/a"),
            "b": ("a", "echo x >>$CW_ROOT/b; echo $$ >$CW_ROOT/started; [[ -f $CW_ROOT/go ]] || sleep 60"),
        }
    )
    process = node.start()
    wait_for(node.root / "started")
    assert node.status["state"] == "running"
    os.killpg(process.pid, signal.SIGKILL)
    os.killpg(int(node.read("started")), signal.SIGKILL)
    process.communicate()
    (node.root / "go").touch()
    assert node.run().returncode == 0
    assert node.status["state"] == "done"
    assert (node.read("a"), node.read("b")) == ("x\n", "x\nx\n")


def test_a_step_that_outlives_its_run_is_waited_for(make: Make) -> None:
    """Only the runner is killed: the same step never runs twice at once."""
    node = make(
        {"a": ("", "touch $CW_ROOT/started; while [[ ! -f $CW_ROOT/go ]]; do sleep 0.02; done; sleep 0.2")}
    )
    process = node.start()
    wait_for(node.root / "started")
    process.kill()
    process.wait()
    result = node.run(CW_LOCK_SECONDS="1")
    assert "steps/a.sh (pid " in tell(result)
    (node.root / "go").touch()
    assert node.run(CW_LOCK_SECONDS="20").returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_told_to_end_it_ends_its_steps_and_says_so(make: Make, number: signal.Signals) -> None:
    node = make({"a": ("", "touch $CW_ROOT/started; sleep 60")})
    process = node.start()
    wait_for(node.root / "started")
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert errors.splitlines()[-1] == "stopped by a signal while a ran"
    assert node.status["state"] == "failed"


def test_a_terminal_that_is_gone_ends_nothing(make: Make) -> None:
    node = make({"a": ("", "touch $CW_ROOT/started; while [[ ! -f $CW_ROOT/go ]]; do sleep 0.02; done")})
    process = node.start()
    wait_for(node.root / "started")
    assert process.stderr
    process.stderr.close()
    (node.root / "go").touch()
    assert process.wait(timeout=20) == 0
    assert node.status["state"] == "done"


FULL = ("status.json.new", "steps/a.done.new", "steps/bad.done.new")


@pytest.mark.parametrize(
    ("body", "words"), [("fail 'the disk is gone'", "bad: the disk is gone"), ("true", "")]
)
def test_on_a_full_disk_the_reason_is_still_the_last_line(make: Make, body: str, words: str) -> None:
    """Links to a device that is always full stand for all that is written, but for what is in memory."""
    node = make({"a": ("", "log 'hello'"), "bad": ("a", f"log 'hello'; {body}")})
    node.write("var/lib/clusterwright/steps/x", "")
    node.write("var/log/clusterwright/steps/x", "")
    for name in FULL:
        (node.root / "var/lib/clusterwright" / name).symlink_to("/dev/full")
    for name in ("lifecycle.jsonl", "steps/a.log", "steps/bad.log"):
        (node.root / "var/log/clusterwright" / name).symlink_to("/dev/full")
    result = node.run()
    assert result.returncode == (1 if words else 0), result.stderr
    assert tell(result).endswith(words or "all 2 steps are done")


def test_a_mark_that_is_a_folder_is_mended(make: Make) -> None:
    node = make({"a": ("", "echo x >>$CW_ROOT/count")})
    node.write("var/lib/clusterwright/steps/a.done/x", "")
    for _ in range(2):
        assert node.run().returncode == 0
    assert node.read("count") == "x\n"


def test_users_may_read_what_is_written_whatever_the_mask(make: Make) -> None:
    node = make({"a": ("", "mkdir $CW_ROOT/made; write_file /made/file <<<text")})
    before = os.umask(0o077)
    try:
        assert node.run().returncode == 0
    finally:
        os.umask(before)
    assert [(node.root / name).stat().st_mode & 0o777 for name in ("etc/clusterwright/node.env", "made")] == [
        0o644,
        0o755,
    ]


def test_what_was_installed_while_it_waited_is_what_runs(make: Make) -> None:
    """The first run is of the old bundle; a second waits for it, and finds the new one in its place."""
    body = (
        "echo old >>$CW_ROOT/ran; touch $CW_ROOT/started; while [[ ! -f $CW_ROOT/go ]]; do sleep 0.02; done"
    )
    node = make({"a": ("", body)})
    first = node.start()
    wait_for(node.root / "started")
    second = node.start(CW_LOCK_SECONDS="20")
    time.sleep(0.3)
    node.set_bundle(make_context(), small_plan({"b": ("", "echo new >>$CW_ROOT/ran")}))
    (node.root / "go").touch()
    first.communicate(timeout=20)
    _, errors = second.communicate(timeout=20)
    assert second.returncode == 0, errors
    assert node.read("ran") == "old\nnew\n"


def test_one_step_alone_even_if_it_is_done(make: Make) -> None:
    count = "echo x >>$CW_ROOT/$CW_STEP"
    node = make({"a": ("", count), "b": ("a", count)})
    node.run()
    assert node.run("--only", "b").returncode == 0
    assert (node.read("a"), node.read("b")) == ("x\n", "x\nx\n")


def test_list_and_preview_change_nothing(make: Make) -> None:
    node = make({"a": ("", "true"), "b": ("a", "[[ -f $CW_ROOT/go ]]"), "c": ("b", "true")}, boot=("b",))
    node.run()
    before = node.read("var/lib/clusterwright/status.json")
    assert [line.split() for line in node.run("--list").stdout.splitlines()] == [
        ["a", "done", "once"],
        ["b", "due", "boot", "after", "a"],
        ["c", "due", "once", "after", "b"],
    ]
    assert node.run("--dry-run").stdout.split() == ["b", "c"]
    assert node.read("var/lib/clusterwright/status.json") == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "x"], "no step x in this plan; there are: a b"),
        (["--only"], "--only wants the name of a step"),
        (["--fast"], "unknown argument --fast; see run.sh --help"),
    ],
)
def test_wrong_usage_is_one_line(make: Make, arguments: list[str], words: str) -> None:
    result = make({"a": ("", "true"), "b": ("a", "true")}).run(*arguments)
    assert result.returncode == 2
    assert result.stderr == f"run.sh: {words}\n"


def test_help(make: Make) -> None:
    result = make({"a": ("", "true")}).run("--help")
    assert result.returncode == 0
    assert "--only STEP" in result.stdout


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("a||once\nghost|a|once\n", "the plan names the step ghost, which the bundle lacks"),
        ("b|a|once\na||once\n", "the plan has b after a, which is not before it"),
        ("", "the plan is empty"),
    ],
)
def test_a_plan_that_cannot_run_is_refused(tmp_path: Path, plan: str, words: str) -> None:
    files = small_plan({"a": ("", "true"), "b": ("a", "true")}) | {"plan": plan}
    result = ScratchNode(tmp_path, make_context(), files).run()
    assert result.returncode == 1
    assert tell(result) == words

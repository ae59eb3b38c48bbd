"""What the documentation tells a reader to type works, and prints what is shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from documentation import Example, lacks_lines, read_examples

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def run_example(example: Example, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a block in a folder, with this environment's programs, and no terminal and no account."""
    if example.language == "python":
        command = [sys.executable, "-c", example.text]
    else:
        command = ["bash", "-euo", "pipefail", "-c", example.commands]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        command,
        cwd=folder,
        env=kept | {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_of_a_page_work(page: Path, tmp_path: Path) -> None:
    for example in read_examples(page):
        place = f"{page.relative_to(ROOT)}:{example.line}"
        assert example.test in ("", "file", "run", "skip"), f"{place}: unknown test {example.test!r}"
        assert example.test or not example.needs_test, f"{place}: say how this block is tested"
        if example.test == "file":
            (tmp_path / example.argument).write_text(example.text)
        if example.test == "run":
            result = run_example(example, tmp_path)
            assert result.returncode == example.exit_code, f"{place}: {result.stdout}{result.stderr}"
            assert lacks_lines(example.output, result.stdout + result.stderr) == [], place


def test_some_examples_are_run() -> None:
    tests = [example.test for page in PAGES for example in read_examples(page)]
    assert tests.count("run") > 5
    assert tests.count("file") > 2


@pytest.mark.parametrize(
    ("block", "needs_test"),
    [
        ("```yaml\nversion: 1\nname: x\n```", True),
        ("```yaml\nname: x\n```", False),
        ("```console\n$ clusterwright validate x\n```", True),
        ("```bash\nclusterwright synth x\n```", True),
        ("```console\n$ clusterwright software list\n```", True),
        ("```bash\nclusterwright scripts x --output y\n```", True),
        ("```bash\nclusterwright scripts mirror x --to y\n```", False),
        ("```console\n$ clusterwright deploy x\n```", False),
    ],
)
def test_blocks_that_a_reader_would_run_need_a_test(tmp_path: Path, block: str, *, needs_test: bool) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n{block}\n")
    (example,) = read_examples(page)
    assert (example.needs_test, example.line) == (needs_test, 3)


def test_a_comment_says_what_to_do_with_the_next_block(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- test: run exit=3 -->\n```console\n$ echo one; exit 3\none\n...\n```\n\n```yaml\na: b\n```\n"
    )
    first, second = read_examples(page)
    assert (first.test, first.commands, first.output, first.exit_code) == (
        "run",
        "echo one; exit 3",
        ["one"],
        3,
    )
    assert second.test == ""
    assert run_example(first, tmp_path).returncode == 3


def test_shown_lines_come_in_order() -> None:
    assert lacks_lines(["a", "c"], "a\nb\nc\n") == []
    assert lacks_lines(["c", "a"], "a\nb\nc\n") == ["a"]

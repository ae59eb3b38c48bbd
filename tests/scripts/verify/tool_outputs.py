"""What real tools print, in their documented formats, by which tests fake them.

nvidia-smi of driver 580: `--help-query-gpu`, `--help-query-remapped-rows` and `nvlink --help`. fi_info: its
source prints the version three times. nv-fabricmanager, nvidia-ctk, enroot, sinfo, lnetctl: their manuals.
efa_installed_packages: AWS's user guide on EFA. Written on 2026-11-20, not recorded: no machine with these
devices was at hand.
"""

from __future__ import annotations

from typing import NamedTuple


class Gpus(NamedTuple):
    """The GPUs of a node as nvidia-smi names them."""

    name: str
    count: int
    memory_mib: int
    links: int
    link_gb_per_s: str


H100 = Gpus("NVIDIA H100 80GB HBM3", 8, 81559, 18, "26.562")
H200 = Gpus("NVIDIA H200", 8, 143771, 18, "26.562")
GB200 = Gpus("NVIDIA GB200", 4, 189471, 18, "50")
A100 = Gpus("NVIDIA A100-SXM4-40GB", 8, 40960, 12, "25")
L40S = Gpus("NVIDIA L40S", 4, 46068, 0, "")


def rows(count: int, row: str) -> str:
    return "".join(f"{row.replace('#', str(number))}\n" for number in range(count))


def nvlink_status(gpus: Gpus, inactive: tuple[int, int] | None = None) -> str:
    """The links of every GPU; `inactive` is a GPU and its link that is down."""
    lines = []
    for gpu in range(gpus.count):
        lines.append(f"GPU {gpu}: {gpus.name} (UUID: GPU-6f1ad1e4-0000-0000-0000-00000000000{gpu})")
        for link in range(gpus.links):
            speed = "<inactive>" if (gpu, link) == inactive else f"{gpus.link_gb_per_s} GB/s"
            lines.append(f"\t Link {link}: {speed}")
    return "\n".join(lines) + "\n"


def nvidia_smi(gpus: Gpus) -> dict[str, str]:
    """The answers of nvidia-smi, by a part of the arguments."""
    has_fabric = gpus.name != A100.name
    fabric = "Completed, Success" if has_fabric else "[N/A], [N/A]"
    return {
        "--query-gpu=name,memory.total": rows(gpus.count, f"{gpus.name}, {gpus.memory_mib}"),
        "--query-gpu=index,ecc": rows(gpus.count, "#, 0"),
        "--query-remapped-rows": rows(gpus.count, "00000000:5#:00.0, 0, 0"),
        "--query-gpu=fabric.state": rows(gpus.count, fabric),
        "nvlink --status": nvlink_status(gpus),
    }


DRIVER = """NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {version}  Release Build  (dvs-builder)
GCC version:  gcc version 11.4.1 20230605 (Red Hat 11.4.1-2) (GCC)
"""

EFA_PACKAGES = """# EFA installer version: {installer}
# Debug packages installed: no
# Packages installed:
efa-config-1.18-1.amzn2023.noarch efa-profile-1.7-1.amzn2023.noarch efa-{driver}-1.amzn2023.noarch
libfabric-aws-{libfabric}-1.amzn2023.x86_64 rdma-core-{rdma_core}-1.amzn2023.x86_64
"""

LNET = """net:
    - net type: lo
      local NI(s):
        - nid: 0@lo
          status: up
    - net type: tcp
      local NI(s):
        - nid: 10.0.1.7@tcp
          status: up
"""
LNET_OVER_EFA = (
    LNET + "    - net type: efa\n      local NI(s):\n        - nid: 10.0.1.7@efa\n          status: up\n"
)

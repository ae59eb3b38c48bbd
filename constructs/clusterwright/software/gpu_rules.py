"""Rules on NVIDIA drivers and CUDA."""

from __future__ import annotations

from clusterwright.software.compatibility import CompatibilityRule as Rule
from clusterwright.software.conditions import (
    AllOf,
    AtLeast,
    Below,
    Differs,
    Equals,
    OnAccelerator,
    OnCapability,
    OnFamily,
    OnOrchestrator,
    OnVendor,
    OverridesImage,
    WithEfa,
)

_DEVICES = "awslabs/amazon-eks-ami, nvidia-open-supported-devices-*.txt at 81fec2e, July 2026"
_CUDA = "NVIDIA CUDA release notes, table 3; read November 2026"
_NVCC = "NVIDIA/nccl, makefiles/common.mk, and the CUDA release notes; read November 2026"

_OLDEST_DRIVERS = (
    ("SOF101", ("A10G", "A100", "L4", "L40S", "H100"), "525.60.13"),
    ("SOF102", ("H200",), "560"),
    ("SOF103", ("B200", "GB200"), "570"),
    ("SOF104", ("B300", "GB300"), "580"),
    ("SOF105", ("RTX PRO Server 6000",), "575"),
)


def _oldest_driver(code: str, accelerators: tuple[str, ...], driver: str) -> Rule:
    names = ", ".join(accelerators)
    return Rule(
        code,
        "error",
        f"The NVIDIA driver is older than {driver}, the first for {names}.",
        AllOf(OnAccelerator(accelerators), Below("nvidia-driver", driver)),
        "the driver does not know the GPU, and the node has none",
        f"use driver {driver} or newer",
        _DEVICES,
    )


def _oldest_driver_of_cuda(code: str, cuda: str, driver: str, floor: str) -> Rule:
    note = "; 12.4 and 12.5 as quoted elsewhere, not verified" if cuda in {"12.4", "12.5"} else ""
    return Rule(
        code,
        "warning",
        f"The NVIDIA driver is older than {driver}, which CUDA {cuda} was released with.",
        AllOf(
            OnVendor("nvidia"),
            Equals("cuda", cuda),
            AtLeast("nvidia-driver", floor),
            Below("nvidia-driver", driver),
        ),
        "what is compiled runs by minor version compatibility, but kernels that are shipped as PTX end in "
        "cudaErrorUnsupportedPtxVersion",
        f"use driver {driver} or newer, or put the package cuda-compat into the image of the job",
        _CUDA + note,
    )


def _oldest_cuda(code: str, capability: str, names: str, cuda: str) -> Rule:
    return Rule(
        code,
        "error",
        f"CUDA is older than {cuda}, the first that compiles for compute capability {capability} ({names}).",
        AllOf(OnCapability((capability,)), Below("cuda", cuda)),
        "nvcc has no such target, and NCCL has no kernels for the GPU",
        f"use CUDA {cuda} or newer",
        _NVCC,
    )


def _comes_with_driver(code: str, component: str) -> Rule:
    return Rule(
        code,
        "error",
        f"`{component}` is overridden, and the node image brings another one.",
        AllOf(OnVendor("nvidia"), OverridesImage(component)),
        "the override is not installed: it comes with the driver, which is part of the image",
        "remove the override: it follows the driver of the image's release",
        "awslabs/amazon-eks-ami, install-nvidia-driver.sh, July 2026",
    )


_CUDA_DRIVERS = (
    ("SOF211", "12.4", "550.54.14"),
    ("SOF212", "12.5", "555.42.02"),
    ("SOF213", "12.6", "560.28.03"),
    ("SOF214", "12.6U3", "560.35.05"),
    ("SOF215", "12.8", "570.26"),
    ("SOF216", "12.8U1", "570.124.06"),
    ("SOF217", "12.9", "575.51.03"),
    ("SOF218", "12.9U1", "575.57.08"),
    ("SOF219", "13.0", "580.65.06"),
    ("SOF220", "13.0U1", "580.82.07"),
    ("SOF221", "13.0U2", "580.95.05"),
    ("SOF222", "13.1", "590.44.01"),
    ("SOF223", "13.1U1", "590.48.01"),
    ("SOF224", "13.2", "595.45.04"),
    ("SOF225", "13.2U1", "595.58.03"),
    ("SOF226", "13.2U2", "595.71.05"),
    ("SOF227", "13.3", "610.43.02"),
    ("SOF228", "13.3U1", "610.43.02"),
)
"""CUDA releases, and the driver that each was released with."""

_FLOORS = {"12": "525.60.13", "13": "580"}
"""The oldest driver that any release of a CUDA major version runs on."""

GPU_RULES: tuple[Rule, ...] = (
    *(_oldest_driver(code, names, driver) for code, names, driver in _OLDEST_DRIVERS),
    Rule(
        "SOF106",
        "error",
        "The NVIDIA driver is older than 595, the first for the RTX PRO 4500 of g7.",
        AllOf(OnFamily(("g7",)), Below("nvidia-driver", "595")),
        "the driver does not know the GPU, and the node has none",
        "use another family, such as g7e; on PCS, override pcs-image with 20260522 or newer, which has 595; "
        "on EKS, build an image of your own with nvidia_driver_major_version=595",
        "awslabs/amazon-eks-ami, doc/usage/g7-ami.md, July 2026; AWS Deep Learning AMI release notes, 2026",
    ),
    Rule(
        "SOF107",
        "error",
        "An NVIDIA driver from 595 on breaks GPUDirect RDMA over EFA on GB200 and GB300.",
        AllOf(OnAccelerator(("GB200", "GB300")), WithEfa(), AtLeast("nvidia-driver", "595")),
        'NCCL aborts; the kernel logs "dma-buf attach failed: topology not supported for mapping type '
        'FORCE_PCIE"',
        "stay on 580; 580.173.02 is proven; on PCS, where every ready image has 595, override pcs-image with "
        "20251205, and build an image of your own from that release",
        "NVIDIA/aicr#2383, 2026-08-28; NVIDIA release notes of 595.91.07",
    ),
    Rule(
        "SOF108",
        "warning",
        "NVIDIA driver 575 was taken back from the EKS AMI.",
        AllOf(OnOrchestrator(("eks",)), AtLeast("nvidia-driver", "575"), Below("nvidia-driver", "576")),
        "AWS shipped it in v20250715 and went back to 570 in v20250807",
        "use 570 or 580",
        "awslabs/amazon-eks-ami#2346, August 2025",
    ),
    Rule(
        "SOF109",
        "warning",
        "GB200 and GB300 have their memory managed as CUDA expects it only from driver 580 on.",
        AllOf(OnAccelerator(("GB200", "GB300")), Below("nvidia-driver", "580")),
        "there is no coherent driver-managed memory (CDMM): the kernel may take GPU memory for its own use",
        "use driver 580",
        "NVIDIA GB200 notes on NVreg_CoherentGPUMemoryMode; awslabs/amazon-eks-ami, 2026",
    ),
    Rule(
        "SOF110",
        "error",
        "The fabric manager differs from the NVIDIA driver.",
        AllOf(
            OnAccelerator(("A100", "H100", "H200", "B200", "B300")),
            Differs("fabric-manager", "nvidia-driver"),
        ),
        "it refuses to start, and CUDA fails with error 802, system not yet initialized",
        "remove the override: the fabric manager follows the driver",
        "NVIDIA Fabric Manager user guide; awslabs/amazon-eks-ami, install-nvidia-driver.sh, July 2026",
    ),
    Rule(
        "SOF111",
        "error",
        "IMEX differs from the NVIDIA driver.",
        AllOf(OnAccelerator(("GB200", "GB300")), Differs("imex", "nvidia-driver")),
        "nodes of an UltraServer cannot share memory over NVLink",
        "remove the override: IMEX follows the driver",
        "NVIDIA IMEX guide; awslabs/amazon-eks-ami, install-nvidia-driver.sh, July 2026",
    ),
    Rule(
        "SOF112",
        "error",
        "The NVIDIA driver is overridden, and the node image brings another one.",
        AllOf(OnVendor("nvidia"), OverridesImage("nvidia-driver")),
        "the override is not installed: the driver is part of the image",
        "remove the override, or override the image's release with one that holds this driver",
        "awslabs/amazon-eks-ami, CHANGELOG; Amazon SageMaker AI, HyperPod AMI releases; 2026",
    ),
    _comes_with_driver("SOF113", "fabric-manager"),
    _comes_with_driver("SOF114", "imex"),
    Rule(
        "SOF201",
        "error",
        "CUDA 13 needs driver 580 or newer.",
        AllOf(OnVendor("nvidia"), AtLeast("cuda", "13.0"), Below("nvidia-driver", "580")),
        "no program built with it starts (cudaErrorInsufficientDriver)",
        "use driver 580 or newer, or CUDA 12.9",
        _CUDA,
    ),
    Rule(
        "SOF202",
        "error",
        "CUDA 12 needs driver 525.60.13 or newer.",
        AllOf(
            OnVendor("nvidia"),
            AtLeast("cuda", "12.0"),
            Below("cuda", "13.0"),
            Below("nvidia-driver", "525.60.13"),
        ),
        "no program built with it starts (cudaErrorInsufficientDriver)",
        "use driver 525.60.13 or newer",
        _CUDA,
    ),
    *(
        _oldest_driver_of_cuda(code, cuda, driver, _FLOORS[cuda.partition(".")[0]])
        for code, cuda, driver in _CUDA_DRIVERS
    ),
    _oldest_cuda("SOF231", "8.0", "A100", "11.0"),
    _oldest_cuda("SOF232", "9.0", "H100, H200", "11.8"),
    _oldest_cuda("SOF233", "10.0", "B200, GB200", "12.8"),
    _oldest_cuda("SOF234", "10.3", "B300, GB300", "12.9"),
    _oldest_cuda("SOF235", "12.0", "RTX PRO 4500 and 6000", "12.8"),
)
"""Rules on NVIDIA drivers and CUDA, in the order of their codes."""

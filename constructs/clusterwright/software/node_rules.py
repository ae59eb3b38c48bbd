"""Rules on images, file system clients, container runtimes and Neuron."""

from __future__ import annotations

from clusterwright.software.compatibility import CompatibilityRule as Rule
from clusterwright.software.conditions import (
    AllOf,
    AtLeast,
    Below,
    DiffersFromBundle,
    Equals,
    ImageTooOldForKubernetes,
    IsOverridden,
    NewerThanImage,
    OnAccelerator,
    OnKernel,
    OnOrchestrator,
    OnSystem,
    OnVendor,
    OverridesImage,
)

_LUSTRE = "packages of fsx-lustre-client-repo, as people found them in 2026"
_AMI = "awslabs/amazon-eks-ami, CHANGELOG, July 2026"
_NEURON = "aws-neuron/aws-neuron-sdk, n2-manifest.json, August 2026"


def _released_with(code: str, component: str) -> Rule:
    return Rule(
        code,
        "error",
        f"`{component}` differs from what was released with the Neuron SDK.",
        AllOf(OnVendor("neuron"), DiffersFromBundle(component, "neuron-sdk")),
        "the parts of the SDK are tested together only, and a runtime needs a driver as new as itself",
        "override neuron-sdk with the release that has it, and nothing else",
        _NEURON,
    )


NODE_RULES: tuple[Rule, ...] = (
    Rule(
        "SOF401",
        "error",
        "The EKS AMI release is older than the cluster's Kubernetes version.",
        ImageTooOldForKubernetes("eks-ami"),
        "there is no such image, and no node comes up",
        "use a newer set or eks-ami release, or an older Kubernetes version",
        _AMI,
    ),
    Rule(
        "SOF402",
        "warning",  # HyperPod picks the release itself, and may have a newer one
        "The HyperPod image release is older than the cluster's Kubernetes version.",
        ImageTooOldForKubernetes("hyperpod-eks-image"),
        "HyperPod may refuse the cluster, or start nodes from an image that no set was checked with",
        "use an older Kubernetes version",
        "Amazon SageMaker AI, HyperPod AMI support policy, August 2026",
    ),
    Rule(
        "SOF411",
        "error",
        "Ubuntu 24.04 runs a 6.8 kernel for which FSx built no Lustre module.",
        AllOf(OnSystem(("ubuntu-24.04",)), AtLeast("lustre-client", "2"), OnKernel("6.8.0-1058", "6.9")),
        "modprobe lustre fails, or the module has an invalid format, and file systems are not mounted",
        "hold linux-aws at 6.8.0-1057 or older, or use Ubuntu 22.04's module, or build it by DKMS",
        _LUSTRE,
    ),
    Rule(
        "SOF412",
        "error",
        "Ubuntu 22.04 runs a 6.8 kernel for which FSx built no Lustre module.",
        AllOf(OnSystem(("ubuntu-22.04",)), AtLeast("lustre-client", "2"), OnKernel("6.8.0-1064", "6.9")),
        "modprobe lustre fails, or the module has an invalid format, and file systems are not mounted",
        "hold linux-aws at 6.8.0-1063 or older, or build the module by DKMS",
        _LUSTRE,
    ),
    Rule(
        "SOF413",
        "error",
        "Lustre clients before 2.15 have no modules for kernels of the series 6.",
        AllOf(
            OnSystem(("al2023", "ubuntu-22.04", "ubuntu-24.04")),
            Below("lustre-client", "2.15"),
            OnKernel("6.0", "99"),
        ),
        "modprobe lustre fails, and file systems are not mounted",
        "use a client of 2.15",
        f"{_LUSTRE}; AWS's own matrix could not be read: not verified",
    ),
    Rule(
        "SOF414",
        "error",
        "The Lustre client is overridden, and the node image brings another one.",
        AllOf(OnOrchestrator(("hyperpod-slurm",)), OverridesImage("lustre-client")),
        "the override is not installed: the client is part of the image",
        "remove the override, or override the image's release with one that holds this client",
        "Amazon SageMaker AI, HyperPod AMI releases for Slurm, 2026",
    ),
    Rule(
        "SOF421",
        "warning",
        "NVIDIA container toolkit 1.17.1 is defective.",
        AllOf(OnVendor("nvidia"), Equals("container-toolkit", "1.17.1")),
        "AWS took it back from the EKS AMI",
        "use 1.17.2 or newer",
        "awslabs/amazon-eks-ami, CHANGELOG of November 2024",
    ),
    Rule(
        "SOF422",
        "warning",
        "NVIDIA container toolkit before 1.16.2 lets containers take over the node.",
        AllOf(OnVendor("nvidia"), Below("container-toolkit", "1.16.2")),
        "a crafted image reaches the host's file system (CVE-2024-0132, CVE-2024-0133)",
        "use 1.16.2 or newer",
        "NVIDIA security bulletin of September 2024",
    ),
    Rule(
        "SOF423",
        "error",
        "The container toolkit is overridden, and the node image brings another one.",
        AllOf(OnVendor("nvidia"), OverridesImage("container-toolkit")),
        "the override is not installed: the toolkit is part of the image",
        "remove the override, or override the image's release with one that holds this toolkit",
        _AMI,
    ),
    Rule(
        "SOF424",
        "error",
        "DCGM is overridden, and the node image brings another one.",
        AllOf(OnVendor("nvidia"), OverridesImage("dcgm")),
        "the override is not installed: DCGM is part of the image",
        "remove the override, or override the image's release with one that holds this DCGM",
        "AWS Deep Learning AMI release notes, 2026",
    ),
    Rule(
        "SOF431",
        "error",
        "The Slurm version is overridden, and the HyperPod image brings another one.",
        AllOf(OnOrchestrator(("hyperpod-slurm",)), OverridesImage("slurm")),
        "the override is not installed: HyperPod's agents belong to the Slurm of the image",
        "remove the override",
        "Amazon SageMaker AI, HyperPod AMI releases for Slurm, 2026",
    ),
    Rule(
        "SOF432",
        "error",
        "The Slurm version is overridden, and PCS runs its own.",
        AllOf(OnOrchestrator(("pcs",)), IsOverridden("slurm")),
        "the override is not installed: nodes take the Slurm of their image that the service runs",
        "remove the override: `orchestrator.version` says which Slurm the cluster has",
        "AWS PCS user guide, Using PCS-ready DLAMI with AWS PCS, 2026",
    ),
    Rule(
        "SOF501",
        "error",
        "The Neuron SDK is older than 2.21, the first for Trainium2.",
        AllOf(OnAccelerator(("Trainium2",)), Below("neuron-sdk", "2.21")),
        "the driver does not know the device",
        "use Neuron SDK 2.21 or newer",
        "aws-neuron/aws-neuron-sdk, release notes of 2.21, December 2024",
    ),
    _released_with("SOF502", "neuron-driver"),
    _released_with("SOF503", "neuron-runtime"),
    _released_with("SOF504", "neuron-collectives"),
    _released_with("SOF505", "neuron-tools"),
    Rule(
        "SOF506",
        "error",
        "The Neuron driver is overridden, and the node image brings another one.",
        AllOf(OnVendor("neuron"), OverridesImage("neuron-driver")),
        "the override is not installed: the module is part of the image",
        "remove the override, or override the image's release with one that holds this driver",
        _AMI,
    ),
    Rule(
        "SOF507",
        "warning",
        "The Neuron SDK was released with another kernel module than the node image holds.",
        AllOf(OnVendor("neuron"), NewerThanImage("neuron-driver")),
        "a runtime that is newer than the kernel module may not start",
        "use the SDK of the set, which was released with the image's module",
        f"{_AMI}; {_NEURON}",
    ),
)
"""Rules on images and on everything that is neither a GPU nor a fabric, in the order of their codes."""

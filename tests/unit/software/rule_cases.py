"""One combination that breaks each compatibility rule, and a near miss; one line a rule.

A combination is written as the instance type, and the versions as `component=version`. What differs from EKS
1.34 follows: `orchestrator=`, `kubernetes=`, `system=`, `kernel=`; `over=` names what is an override. Without
a release of an image, what is given is what nodes have: it says what an unknown image holds.
"""

from __future__ import annotations

from clusterwright.checks.software_items import make_target
from clusterwright.hardware import find_instance_type
from clusterwright.software.images import IMAGES
from clusterwright.software.situations import Situation

WORDS = ("orchestrator", "kubernetes", "system", "kernel", "over")
"""What is not a component."""


def read_case(text: str) -> Situation:
    """The situation that a line describes."""
    instance_type, *settings = text.split()
    given = dict(each.split("=", 1) for each in settings)
    orchestrator = given.get("orchestrator", "eks")
    is_slurm = orchestrator in {"hyperpod-slurm", "pcs"}
    spec = find_instance_type(instance_type)
    target = make_target(spec, orchestrator, "" if is_slurm else given.get("kubernetes", "1.34"))
    fields = {name: getattr(target, name) for name in target.__slots__}
    fields["operating_system"] = given.get("system", target.operating_system)
    fields["kernel"] = given.get("kernel", "")
    versions = {name: version for name, version in given.items() if name not in WORDS}
    has_image = not versions.keys().isdisjoint(IMAGES.values())
    overridden = frozenset(given.get("over", "").split(",")) - {""} if has_image else frozenset(versions)
    return Situation.of(versions, type(target)(**fields), overridden)


CASES: dict[str, tuple[str, str]] = {
    "SOF101": ("p5.48xlarge nvidia-driver=525.53", "p5.48xlarge nvidia-driver=525.60.13"),
    "SOF102": ("p5en.48xlarge nvidia-driver=555.42.06", "p5.48xlarge nvidia-driver=555.42.06"),
    "SOF103": ("p6-b200.48xlarge nvidia-driver=565.57.01", "p6-b200.48xlarge nvidia-driver=570.26"),
    "SOF104": ("p6-b300.48xlarge nvidia-driver=575.57.08", "p6-b200.48xlarge nvidia-driver=575.57.08"),
    "SOF105": ("g7e.2xlarge nvidia-driver=570.211.01", "g7e.2xlarge nvidia-driver=575.57.08"),
    "SOF106": ("g7.2xlarge nvidia-driver=580.159.03", "g7e.2xlarge nvidia-driver=580.159.03"),
    "SOF107": (
        "p6e-gb200.36xlarge nvidia-driver=595.45.04",
        "p6-b200.48xlarge nvidia-driver=595.45.04",
    ),
    "SOF108": ("p5.48xlarge nvidia-driver=575.57.08", "p5.48xlarge nvidia-driver=575.57.08 orchestrator=pcs"),
    "SOF109": ("p6e-gb200.36xlarge nvidia-driver=570.211.01", "p6-b200.48xlarge nvidia-driver=570.211.01"),
    "SOF110": (
        "p5.48xlarge nvidia-driver=580.159.03 fabric-manager=580.159.04",
        "g6e.48xlarge nvidia-driver=580.159.03 fabric-manager=580.159.04",
    ),
    "SOF111": (
        "p6e-gb200.36xlarge nvidia-driver=580.159.03 imex=580.142",
        "p6-b200.48xlarge nvidia-driver=580.159.03 imex=580.142",
    ),
    "SOF112": (
        "p5.48xlarge eks-ami=v20260714 nvidia-driver=580.173.02 over=nvidia-driver",
        "p5.48xlarge eks-ami=v20260714 nvidia-driver=580.173.02 over=nvidia-driver orchestrator=pcs",
    ),
    "SOF113": (
        "g6.2xlarge eks-ami=v20260714 fabric-manager=580.126.09 over=fabric-manager",
        "g6.2xlarge eks-ami=v20260714 fabric-manager=580.159.03 over=fabric-manager",
    ),
    "SOF114": (
        "p5.48xlarge hyperpod-eks-image=1.3.0 imex=580.126.09 over=imex orchestrator=hyperpod-eks",
        "p5.48xlarge eks-ami=v20991231 imex=580.126.09 over=imex",
    ),
    "SOF201": (
        "p5.48xlarge cuda=13.0 nvidia-driver=575.57.08",
        "p5.48xlarge cuda=12.9 nvidia-driver=575.57.08",
    ),
    "SOF202": ("p5.48xlarge cuda=12.9 nvidia-driver=525.53", "p5.48xlarge cuda=12.9 nvidia-driver=525.60.13"),
    "SOF211": (
        "p5.48xlarge cuda=12.4 nvidia-driver=550.54.13",
        "p5.48xlarge cuda=12.4 nvidia-driver=550.54.14",
    ),
    "SOF212": (
        "p5.48xlarge cuda=12.5 nvidia-driver=550.54.14",
        "p5.48xlarge cuda=12.5 nvidia-driver=555.42.02",
    ),
    "SOF213": (
        "p5.48xlarge cuda=12.6 nvidia-driver=555.42.02",
        "p5.48xlarge cuda=12.6 nvidia-driver=560.28.03",
    ),
    "SOF214": (
        "p5.48xlarge cuda=12.6U3 nvidia-driver=560.28.03",
        "p5.48xlarge cuda=12.6 nvidia-driver=560.28.03",
    ),
    "SOF215": ("p5.48xlarge cuda=12.8 nvidia-driver=560.35.05", "p5.48xlarge cuda=12.8 nvidia-driver=570.26"),
    "SOF216": (
        "p5.48xlarge cuda=12.8U1 nvidia-driver=570.26",
        "p5.48xlarge cuda=12.8U1 nvidia-driver=570.124.06",
    ),
    "SOF217": (
        "p5.48xlarge cuda=12.9 nvidia-driver=570.211.01",
        "p5.48xlarge cuda=12.9 nvidia-driver=575.51.03",
    ),
    "SOF218": (
        "p5.48xlarge cuda=12.9U1 nvidia-driver=575.51.03",
        "p5.48xlarge cuda=12.9U1 nvidia-driver=575.57.08",
    ),
    "SOF219": (
        "p5.48xlarge cuda=13.0 nvidia-driver=580.65.05",
        "p5.48xlarge cuda=13.0 nvidia-driver=580.65.06",
    ),
    "SOF220": (
        "p5.48xlarge cuda=13.0U1 nvidia-driver=580.65.06",
        "p5.48xlarge cuda=13.0U1 nvidia-driver=580.82.07",
    ),
    "SOF221": (
        "p5.48xlarge cuda=13.0U2 nvidia-driver=580.82.07",
        "p5.48xlarge cuda=13.0U2 nvidia-driver=580.95.05",
    ),
    "SOF222": (
        "p5.48xlarge cuda=13.1 nvidia-driver=580.159.03",
        "p5.48xlarge cuda=13.1 nvidia-driver=590.44.01",
    ),
    "SOF223": (
        "p5.48xlarge cuda=13.1U1 nvidia-driver=590.44.01",
        "p5.48xlarge cuda=13.1U1 nvidia-driver=590.48.01",
    ),
    "SOF224": (
        "p5.48xlarge cuda=13.2 nvidia-driver=590.48.01",
        "p5.48xlarge cuda=13.2 nvidia-driver=595.45.04",
    ),
    "SOF225": (
        "p5.48xlarge cuda=13.2U1 nvidia-driver=595.45.04",
        "p5.48xlarge cuda=13.2U1 nvidia-driver=595.58.03",
    ),
    "SOF226": (
        "p5.48xlarge cuda=13.2U2 nvidia-driver=595.58.03",
        "p5.48xlarge cuda=13.2U2 nvidia-driver=595.71.05",
    ),
    "SOF227": (
        "p5.48xlarge cuda=13.3 nvidia-driver=595.71.05",
        "p5.48xlarge cuda=13.3 nvidia-driver=610.43.02",
    ),
    "SOF228": (
        "p5.48xlarge cuda=13.3U1 nvidia-driver=595.71.05",
        "trn2.48xlarge cuda=13.3U1 nvidia-driver=595.71.05",
    ),
    "SOF231": ("p4d.24xlarge cuda=10.2", "p4d.24xlarge cuda=11.0"),
    "SOF232": ("p5.48xlarge cuda=11.7", "p5.48xlarge cuda=11.8"),
    "SOF233": ("p6-b200.48xlarge cuda=12.6U3", "p5en.48xlarge cuda=12.6U3"),
    "SOF234": ("p6-b300.48xlarge cuda=12.8U1", "p6-b300.48xlarge cuda=12.9"),
    "SOF235": ("g7e.2xlarge cuda=12.6", "g7e.2xlarge cuda=12.8"),
    "SOF301": (
        "p5.48xlarge nvidia-driver=580.95.05 efa-driver=2.17.2",
        "p5.48xlarge nvidia-driver=575.57.08 efa-driver=2.17.2",
    ),
    "SOF302": ("p5.48xlarge aws-ofi-nccl=1.18.0", "p5.4xlarge aws-ofi-nccl=1.17.3"),
    "SOF303": ("p5.48xlarge aws-ofi-nccl=1.20.0", "p5.48xlarge aws-ofi-nccl=1.21.0"),
    "SOF304": (
        "p5.48xlarge nccl=2.19.3 efa-installer=1.28.0",
        "p5.48xlarge nccl=2.18.5 efa-installer=1.28.0",
    ),
    "SOF305": ("p5.48xlarge nccl=2.28.3", "p5.48xlarge nccl=2.28.9"),
    "SOF306": ("p5.48xlarge nccl=2.28.7", "p5.48xlarge nccl=2.28.9"),
    "SOF307": ("p6e-gb200.36xlarge nccl=2.27.5", "p6-b200.48xlarge nccl=2.27.5"),
    "SOF311": ("p6-b200.48xlarge aws-ofi-nccl=1.14.2", "p5en.48xlarge aws-ofi-nccl=1.14.2"),
    "SOF312": ("p6-b300.48xlarge aws-ofi-nccl=1.17.3", "p6-b300.48xlarge aws-ofi-nccl=1.19.0"),
    "SOF313": ("g7e.48xlarge aws-ofi-nccl=1.17.1", "g7e.48xlarge aws-ofi-nccl=1.17.2"),
    "SOF314": ("p6e-gb200.36xlarge aws-ofi-nccl=1.17.3", "p6e-gb200.36xlarge aws-ofi-nccl=1.20.0"),
    "SOF315": ("p6e-gb300.36xlarge aws-ofi-nccl=1.17.3", "p6e-gb300.36xlarge aws-ofi-nccl=1.20.0"),
    "SOF316": ("p6e-gb200.36xlarge efa-installer=1.38.1", "p6-b200.48xlarge efa-installer=1.38.1"),
    "SOF317": (
        "p5.48xlarge aws-ofi-nccl=1.13.2 libfabric=1.21.0",
        "p5.48xlarge aws-ofi-nccl=1.13.2 libfabric=1.22.0amzn4.0",
    ),
    "SOF318": ("p5.48xlarge aws-ofi-nccl=1.10.0 nccl=2.16.5", "p5.48xlarge aws-ofi-nccl=1.10.0 nccl=2.17.1"),
    "SOF319": (
        "p5.48xlarge eks-ami=v20260714 efa-driver=3.3.0 over=efa-driver",
        "p5.48xlarge eks-ami=v20260714 efa-driver=3.3.0",
    ),
    "SOF321": ("p5.48xlarge aws-ofi-nccl=1.16.3 nccl=2.28.9", "p5.48xlarge aws-ofi-nccl=1.16.3 nccl=2.27.3"),
    "SOF322": ("p5.48xlarge aws-ofi-nccl=1.17.2 nccl=2.29.2", "p5.48xlarge aws-ofi-nccl=1.17.2 nccl=2.28.9"),
    "SOF323": ("p5.48xlarge aws-ofi-nccl=1.18.0 nccl=2.30.4", "p5.48xlarge aws-ofi-nccl=1.18.0 nccl=2.29.7"),
    "SOF324": ("p5.48xlarge aws-ofi-nccl=1.19.2 nccl=2.30.4", "p5.48xlarge aws-ofi-nccl=1.19.2 nccl=2.29.7"),
    "SOF325": ("p5.48xlarge aws-ofi-nccl=1.20.0 nccl=2.31.2", "p5.48xlarge aws-ofi-nccl=1.20.0 nccl=2.30.7"),
    "SOF326": (
        "p5.48xlarge aws-ofi-nccl=1.21.1 nccl=2.30.7",
        "trn2.48xlarge aws-ofi-nccl=1.21.1 nccl=2.30.7",
    ),
    "SOF327": ("p5.48xlarge aws-ofi-nccl=1.13.2 nccl=2.26.2", "p5.48xlarge aws-ofi-nccl=1.13.2 nccl=2.23.4"),
    "SOF328": ("p5.48xlarge aws-ofi-nccl=1.14.2 nccl=2.27.3", "p5.48xlarge aws-ofi-nccl=1.14.2 nccl=2.26.2"),
    "SOF329": ("p5.48xlarge aws-ofi-nccl=1.15.0 nccl=2.27.3", "p5.48xlarge aws-ofi-nccl=1.15.0 nccl=2.26.6"),
    "SOF331": (
        "p5.48xlarge efa-installer=1.50.0 efa-driver=3.1.0 orchestrator=pcs",
        "p5.48xlarge efa-installer=1.50.0 efa-driver=3.1.0 orchestrator=hyperpod-eks",
    ),
    "SOF332": (
        "p5.48xlarge efa-installer=1.50.0 libfabric=2.4.0amzn5.0",
        "p5.48xlarge efa-installer=1.49.0 libfabric=2.4.0amzn5.0",
    ),
    "SOF333": (
        "p5.48xlarge efa-installer=1.50.0 rdma-core=65.0",
        "p5.48xlarge efa-installer=1.50.0 rdma-core=64",
    ),
    "SOF334": (
        "p5.48xlarge efa-installer=1.50.0 aws-ofi-nccl=1.22.0",
        "g5.xlarge efa-installer=1.50.0 aws-ofi-nccl=1.22.0",
    ),
    "SOF335": ("p5.48xlarge aws-ofi-nccl=1.19.1", "p5.48xlarge aws-ofi-nccl=1.19.2"),
    "SOF401": (
        "p5.48xlarge eks-ami=v20251120 kubernetes=1.35",
        "p5.48xlarge eks-ami=v20260714 kubernetes=1.36",
    ),
    "SOF402": (
        "p5.48xlarge hyperpod-eks-image=1.3.0 orchestrator=hyperpod-eks kubernetes=1.36",
        "p5.48xlarge hyperpod-eks-image=1.3.0 orchestrator=hyperpod-eks kubernetes=1.35",
    ),
    "SOF411": (
        "p5.48xlarge lustre-client=2.15.6-1fsx34 orchestrator=pcs kernel=6.8.0-1063-aws",
        "p5.48xlarge lustre-client=2.15.6-1fsx34 orchestrator=pcs kernel=6.8.0-1057",
    ),
    "SOF412": (
        "p5.48xlarge lustre-client=2.15.6-1fsx34 orchestrator=hyperpod-slurm kernel=6.8.0-1064",
        "p5.48xlarge lustre-client=2.15.6-1fsx34 orchestrator=hyperpod-slurm kernel=6.8.0-1063",
    ),
    "SOF413": (
        "p5.48xlarge lustre-client=2.12.8 orchestrator=pcs kernel=6.8.0-1050",
        "p5.48xlarge lustre-client=2.12.8 orchestrator=pcs kernel=5.15.0-1050",
    ),
    "SOF414": (
        "g6.2xlarge hyperpod-image=2026-07-09 over=lustre-client lustre-client=2 orchestrator=hyperpod-slurm",
        "p5.48xlarge hyperpod-image=2026-07-09 lustre-client=2 orchestrator=hyperpod-slurm",
    ),
    "SOF421": ("p5.48xlarge container-toolkit=1.17.1", "p5.48xlarge container-toolkit=1.17.4"),
    "SOF422": ("p5.48xlarge container-toolkit=1.16.1", "trn2.48xlarge container-toolkit=1.16.1"),
    "SOF423": (
        "p5.48xlarge eks-ami=v20260714 container-toolkit=1.20.0 over=container-toolkit",
        "p5.48xlarge eks-ami=v20260714 container-toolkit=1.19.1 over=container-toolkit",
    ),
    "SOF424": (
        "p6e-gb200.36xlarge pcs-image=20261006 dcgm=4.5.3 over=dcgm orchestrator=pcs",
        "p5.48xlarge pcs-image=20261006 dcgm=4.5.3 over=dcgm orchestrator=pcs",
    ),
    "SOF431": (
        "p5.48xlarge hyperpod-image=2026-07-09 slurm=25.11.8 over=slurm orchestrator=hyperpod-slurm",
        "p5.48xlarge hyperpod-image=2026-07-09 slurm=25.11.8 over=slurm orchestrator=pcs",
    ),
    "SOF432": (
        "p5.48xlarge pcs-image=20261006 slurm=24.05.1 over=slurm orchestrator=pcs",
        "p5.48xlarge pcs-image=20261006 slurm=24.05.1 orchestrator=pcs",
    ),
    "SOF501": ("trn2.48xlarge neuron-sdk=2.20.2", "trn1.32xlarge neuron-sdk=2.20.2"),
    "SOF502": (
        "trn2.48xlarge neuron-sdk=2.31.1 neuron-driver=2.28.0.0",
        "trn2.48xlarge neuron-sdk=2.31.1 neuron-driver=2.29.0.0",
    ),
    "SOF503": (
        "trn2.48xlarge neuron-sdk=2.31.1 neuron-runtime=2.34.10.0",
        "p5.48xlarge neuron-sdk=2.31.1 neuron-runtime=2.34.10.0",
    ),
    "SOF504": (
        "trn2.48xlarge neuron-sdk=2.31.1 neuron-collectives=2.34.10.0",
        "trn2.48xlarge neuron-sdk=2.32.0 neuron-collectives=2.34.10.0",
    ),
    "SOF505": (
        "inf2.48xlarge neuron-sdk=2.31.1 neuron-tools=2.30.10.0",
        "inf2.48xlarge neuron-sdk=2.30.0 neuron-tools=2.30.10.0",
    ),
    "SOF506": (
        "trn2.48xlarge eks-ami=v20260714 neuron-driver=2.30.2.0 over=neuron-driver",
        "trn2.48xlarge eks-ami=v20260714 neuron-driver=2.29.0.0 over=neuron-driver",
    ),
    "SOF507": (
        "trn2.48xlarge eks-ami=v20260610 neuron-driver=2.29.0.0",
        "trn2.48xlarge eks-ami=v20260714 neuron-driver=2.29.0.0",
    ),
}
"""What breaks each rule, and what just does not."""

SETTINGS: dict[str, tuple[str, str, str, str]] = {
    "SOF601": ("FI_EFA_USE_DEVICE_RDMA=0", "p5.48xlarge", "FI_EFA_USE_DEVICE_RDMA=1", "p5.48xlarge"),
    "SOF602": ("FI_EFA_FORK_SAFE=1", "p5.48xlarge", "FI_EFA_FORK_SAFE=1", "g5.xlarge"),
    "SOF603": ("RDMAV_FORK_SAFE=1", "p5.48xlarge", "RDMA_FORK_SAFE=1", "p5.48xlarge"),
    "SOF604": ("NCCL_PROTO=Simple", "p5.48xlarge", "NCCL_PROTO=^LL128", "p5.48xlarge"),
    "SOF605": ("NCCL_BUFFSIZE=8388608", "p5.48xlarge", "NCCL_BUFFSIZE=8388608", "g5.xlarge"),
    "SOF606": ("NCCL_SOCKET_IFNAME=eth0,eth1", "p5.48xlarge", "NCCL_SOCKET_IFNAME=^docker,lo", "p5.48xlarge"),
    "SOF607": ("NCCL_NET_PLUGIN=aws-ofi", "p5.48xlarge", "NCCL_NET_PLUGIN=ofi", "p5.48xlarge"),
    "SOF608": ("FI_PROVIDER=tcp;ofi_rxm", "trn2.48xlarge", "FI_PROVIDER=efa", "trn2.48xlarge"),
    "SOF609": ("FI_PROVIDER=efa", "p5.48xlarge", "FI_PROVIDER=efa", "trn2.48xlarge"),
    "SOF610": (
        "LD_LIBRARY_PATH=/usr/lib:/opt/amazon/ofi-nccl/lib/x86_64-linux-gnu",
        "p5.48xlarge",
        "LD_LIBRARY_PATH=/usr/lib:/opt/amazon/ofi-nccl/lib64",
        "p5.48xlarge",
    ),
    "SOF611": ("FI_EFA_USE_DEVICE_RDMA=1", "p5.48xlarge", "FI_EFA_USE_DEVICE_RDMA=1", "trn2.48xlarge"),
    "SOF612": ("NCCL_NET=Socket", "p5.48xlarge", "NCCL_NET=AWS Libfabric", "p5.48xlarge"),
    "SOF613": ("NCCL_NET_PLUGIN=none", "p5.48xlarge", "NCCL_NET_PLUGIN=none", "g5.xlarge"),
}
"""A setting and an instance type where it does harm, and a pair where it does not."""

#!/usr/bin/env bash
# Kernel, driver, EFA and Lustre stay as they are: each was built against the others.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

if is_ubuntu; then
  hold_packages 'linux-image*' 'linux-headers*' 'linux-modules*' 'linux-aws*' '*nvidia*' 'libnvidia*' 'cuda-drivers*' nvlsm \
    'libnccl*' 'lustre-client*' efa 'efa-*' 'libfabric*' 'rdma-core*' 'ibverbs*' 'libibverbs*' 'aws-neuronx*' \
    'datacenter-gpu-manager*' enroot 'enroot+caps'
else
  hold_packages 'kernel*' '*nvidia*' nvlsm 'libnccl*' 'lustre-client*' efa 'efa-*' 'libfabric*' 'rdma-core*' \
    'libibverbs*' 'aws-neuronx*' 'datacenter-gpu-manager*' 'enroot*'
fi

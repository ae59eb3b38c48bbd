#!/usr/bin/env bash
# Neuron's driver, runtime and tools at the set's versions.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

check_neuron() {
  local component=$1
  shift
  pinned "$component"
  [[ $REPLY ]] || return 0
  package_version "$@"
  ensure_component "$component" "$REPLY" || install_component "$component"
}

check_neuron neuron-driver aws-neuronx-dkms
if ! is_eks; then
  check_neuron neuron-runtime aws-neuronx-runtime-lib
  check_neuron neuron-collectives aws-neuronx-collectives
  check_neuron neuron-tools aws-neuronx-tools
fi
modprobe neuron || fail "the kernel module neuron does not load; dkms may have built it for another kernel than $(uname -r)"

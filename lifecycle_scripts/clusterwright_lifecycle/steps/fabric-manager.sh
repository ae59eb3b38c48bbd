#!/usr/bin/env bash
# Fabric manager, which sets up NVSwitch: exactly the driver's version, or the GPUs do not see each other.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

check_companion fabric-manager 'nvidia-fabricmanager*' 'nvidia-fabric-manager*'
pinned nvlsm
if [[ $REPLY ]]; then
  # On B200 and B300 a subnet manager for NVLink runs beside it, and reaches the switches through ib_umad.
  package_version nvlsm
  ensure_component nvlsm "$REPLY" || install_component nvlsm
  modprobe ib_umad || fail "the kernel module ib_umad does not load, which fabric manager needs on $CW_GPU_PRODUCT"
fi
start_service nvidia-fabricmanager.service

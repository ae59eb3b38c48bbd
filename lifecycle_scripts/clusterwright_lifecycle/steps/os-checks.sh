#!/usr/bin/env bash
# The node is what the cluster was written for: system, architecture, room on the disk, a clock that is right.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# needed_room: puts the MiB that the steps need into REPLY, most where CUDA may be unpacked.
needed_room() {
  REPLY=5120
  [[ -z $CW_ACCELERATOR ]] || REPLY=20480
  if is_eks; then REPLY=2048; fi
}

check_system() {
  local found
  # shellcheck source=/dev/null
  found=$(source "$CW_ROOT/etc/os-release" && printf '%s-%s' "$ID" "$VERSION_ID")
  found=${found/amzn-2023/al2023}
  [[ $found == "$CW_OS" ]] || fail "the image runs $found, and this pool's scripts are for $CW_OS"
}

check_architecture() {
  local found
  found=$(uname -m)
  [[ ${found/aarch64/arm64} == "$CW_ARCH" ]] || fail "the processor is $found, and this pool's is $CW_ARCH"
}

check_room() {
  local free
  free=$(df --output=avail --block-size=1M "$CW_ROOT/" | tail -n 1)
  free=${free// /}
  needed_room
  # Later boots find what is installed already.
  [[ -f $CW_STATE/steps/verify.done ]] || ((free >= REPLY)) \
    || fail "the root volume has $free MiB left of the $REPLY needed: raise root_volume_gib"
}

# A clock that is off breaks munge and the signatures of AWS's requests.
check_clock() {
  has_command timedatectl || return 0
  is_clock_right() { [[ $(timedatectl show --property NTPSynchronized --value) == yes ]]; }
  CW_RETRY_SECONDS=${CW_CLOCK_SECONDS:-2} retry 6 is_clock_right \
    || log "the clock is not synchronised yet (timedatectl)"
}

check_system
check_architecture
check_room
check_clock

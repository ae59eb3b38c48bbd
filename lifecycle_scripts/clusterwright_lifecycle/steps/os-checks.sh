#!/usr/bin/env bash
# The node is what the cluster was written for: system, architecture, room on the disk, a clock that is right.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# Room for a driver, CUDA and what they unpack.
NEEDED_ROOT_MIB=${CW_NEEDED_ROOT_MIB:-20480}

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
  # Later boots find what is installed already.
  [[ -f $CW_STATE/steps/verify.done ]] || ((free >= NEEDED_ROOT_MIB)) \
    || fail "the root volume has $free MiB left of the $NEEDED_ROOT_MIB needed: raise root_volume_gib"
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

#!/usr/bin/env bash
# Enroot, which runs containers without privileges, with its files on the local disks where the node has any.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

configure_enroot() {
  local base=/var/lib/enroot
  ((CW_LOCAL_DISKS == 0)) || base=$CW_LOCAL_PATH/0/enroot
  make_folder "$base" 1777
  chmod 1777 "$CW_ROOT$base"
  write_file /etc/enroot/enroot.conf.d/clusterwright.conf <<TEXT
ENROOT_RUNTIME_PATH /run/enroot/user-\$(id -u)
ENROOT_CACHE_PATH $base/cache-\$(id -u)
ENROOT_DATA_PATH $base/data-\$(id -u)
ENROOT_TEMP_PATH $base
ENROOT_SQUASH_OPTIONS -noI -noD -noF -noX -no-duplicates
ENROOT_RESTRICT_DEV y
TEXT
}

# Ubuntu 24.04 refuses user namespaces to programs without a profile of AppArmor, and enroot needs them.
allow_namespaces() {
  [[ $CW_OS == ubuntu-24.04 ]] || return 0
  write_file /etc/sysctl.d/99-clusterwright-enroot.conf <<<'kernel.apparmor_restrict_unprivileged_userns = 0'
  if [[ $CHANGED ]]; then sysctl --quiet --load "$CW_ROOT/etc/sysctl.d/99-clusterwright-enroot.conf" >&2; fi
}

package_version enroot
ensure_component enroot "$REPLY" || install_component enroot
configure_enroot
allow_namespaces

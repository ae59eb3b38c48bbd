#!/usr/bin/env bash
# GDRCopy's kernel module and library, which NCCL and libfabric copy small messages with.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

installed_gdrcopy() {
  REPLY=$(modinfo --field version gdrdrv 2>/dev/null) || REPLY=
}

build_gdrcopy() {
  local folder=$CW_CACHE/gdrcopy
  download_component gdrcopy
  unpack "${DOWNLOADED[0]}" "$folder"
  make -C "$folder" prefix=/usr/local lib lib_install driver driver_install >&2 \
    || fail "GDRCopy does not build: are the headers of the kernel $(uname -r) and the driver's sources installed?"
  ldconfig
  rm -rf "$folder"
}

pinned gdrcopy
[[ $REPLY ]] || exit 0
installed_gdrcopy
ensure_component gdrcopy "$REPLY" || {
  build_gdrcopy
  installed_gdrcopy
  check_version gdrcopy "${REPLY:-nothing}"
}
modprobe gdrdrv || fail "the kernel module gdrdrv does not load"
write_file /etc/modules-load.d/clusterwright-gdrdrv.conf <<<gdrdrv

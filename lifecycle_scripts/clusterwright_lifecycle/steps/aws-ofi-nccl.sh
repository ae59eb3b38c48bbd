#!/usr/bin/env bash
# The plugin through which NCCL uses EFA is where the loader finds it. Without it NCCL falls back to TCP without a word.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# The name and the folders of EFA's installer since 1.44, and before; see aws-ofi-nccl 1.15 and AWS's container builds.
find_plugin() {
  local file
  for file in "$CW_ROOT"/opt/amazon/ofi-nccl/lib{,64}/libnccl-net{-ofi,}.so \
    "$CW_ROOT"/opt/amazon/ofi-nccl/lib/*-linux-gnu/libnccl-net.so; do
    [[ -e $file ]] && REPLY=$file && return
  done
  fail "EFA is installed without libnccl-net-ofi.so below /opt/amazon/ofi-nccl: was its installer run with --disable-ngc?"
}

find_plugin
folder=${REPLY#"$CW_ROOT"}
folder=${folder%/*}
write_file /etc/ld.so.conf.d/clusterwright-ofi-nccl.conf <<<"$folder"
if [[ $CHANGED ]]; then ldconfig; fi
package_version libnccl-ofi aws-ofi-nccl
[[ -z $REPLY ]] || check_version aws-ofi-nccl "$REPLY"
log "the plugin is in $folder"

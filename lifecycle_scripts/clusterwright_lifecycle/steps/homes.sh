#!/usr/bin/env bash
# Homes on FSx for OpenZFS, over NFS 4.2 and several connections: one carries 5 Gbit/s at most.
# Source: FSx for OpenZFS user guide, performance of clients, November 2026.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

OPTIONS=nfsvers=4.2,nconnect=16,rsize=1048576,wsize=1048576,timeo=600,hard,noatime,_netdev,nofail

if ! has_command mount.nfs4; then
  if is_ubuntu; then install_packages nfs-common; else install_packages nfs-utils; fi
fi
while IFS='|' read -r kind dns export path _; do
  [[ $kind == openzfs ]] || continue
  ensure_mounted "$dns:/${export#/}" "$path" nfs4 "$OPTIONS"
done <<<"$CW_MOUNTS"

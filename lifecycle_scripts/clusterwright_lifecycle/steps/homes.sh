#!/usr/bin/env bash
# Homes on FSx for OpenZFS, over NFS 4.2 and several connections: one carries 5 Gbit/s at most.
# Source: FSx for OpenZFS user guide, performance of clients, November 2026.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

OPTIONS=nfsvers=4.2,nconnect=16,rsize=1048576,wsize=1048576,timeo=600,hard,noatime,_netdev,nofail

kept=$CW_STATE/homes

# keep_homes PATH: sets the homes of the image's own users aside, which the mount will hide.
keep_homes() {
  mounted_from "$1"
  [[ -z $REPLY && -d $CW_ROOT$1 ]] || return 0
  mkdir -p "$kept"
  cp -a "$CW_ROOT$1/." "$kept/"
}

# bring_homes PATH: puts those onto the shared file system that are not there yet; other nodes do the same right now.
bring_homes() {
  local home fresh
  for home in "$kept"/*; do
    [[ -d $home && ! -e $CW_ROOT$1/${home##*/} ]] || continue
    fresh=$(mktemp -d "$CW_ROOT$1/.new.XXXXXX")
    cp -a "$home/." "$fresh/"
    chmod --reference="$home" "$fresh"
    chown --reference="$home" "$fresh"
    mv -nT "$fresh" "$CW_ROOT$1/${home##*/}"
    rm -rf "$fresh"
  done
  rm -rf "$kept"
}

if ! has_command mount.nfs4; then
  if is_ubuntu; then install_packages nfs-common; else install_packages nfs-utils; fi
fi
while IFS='|' read -r kind dns export path _; do
  [[ $kind == openzfs ]] || continue
  keep_homes "$path"
  ensure_mounted "$dns:/${export#/}" "$path" nfs4 "$OPTIONS"
  bring_homes "$path"
done <<<"$CW_MOUNTS"

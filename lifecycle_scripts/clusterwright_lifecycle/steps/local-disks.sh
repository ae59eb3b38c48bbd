#!/usr/bin/env bash
# The local NVMe disks: striped or one by one, formatted once, mounted below the pool's path, and in use for containers.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# shellcheck source=../lib/disks.sh
source "$CW_BUNDLE/lib/disks.sh"
ARRAY=/dev/md/clusterwright

check_count() {
  find_local_disks
  ((${#DISKS[@]} >= CW_LOCAL_DISKS)) \
    || fail "${#DISKS[@]} of the $CW_LOCAL_DISKS local disks of $CW_INSTANCE_TYPE are there: ${DISKS[*]:-none}; replace the node"
}

# Some images mount the disks themselves, Deep Learning AMIs at /opt/dlami/nvme: theirs is used, and shown at our path.
adopt_foreign_mount() {
  local mount
  find_mounts_of "${DISKS[@]}"
  for mount in "${FOUND_MOUNTS[@]}"; do
    mount=${mount#"$CW_ROOT"}
    [[ $mount == "$CW_LOCAL_PATH"/* ]] && return 1
  done
  ((${#FOUND_MOUNTS[@]})) || return 1
  log "the image has mounted the local disks at ${FOUND_MOUNTS[*]}"
  is_eks || bind_mount "${FOUND_MOUNTS[0]#"$CW_ROOT"}" "$CW_LOCAL_PATH/0"
}

prepare_disks() {
  local index options=noatime,nodiratime,nofail,x-systemd.device-timeout=10
  local devices=("${DISKS[@]}")
  if [[ $CW_LOCAL_RAID == 0 ]] && ((${#DISKS[@]} > 1)); then
    has_command mdadm || install_packages mdadm
    assemble_array "$ARRAY" "${DISKS[@]}"
    devices=("$ARRAY")
  fi
  has_command mkfs.xfs || install_packages xfsprogs
  for index in "${!devices[@]}"; do
    format_once "${devices[index]}" "$index"
    # The label outlives a boot; the name of a device does not.
    ensure_mounted "LABEL=$FINISHED_LABEL-$index" "$CW_LOCAL_PATH/$index" xfs "$options" \
      "$(readlink -m "${devices[index]}")"
    chmod 1777 "$CW_ROOT$CW_LOCAL_PATH/$index"
  done
}

# move_to_local FOLDER UNIT...: keeps a daemon's files on the local disks from now on.
move_to_local() {
  local folder=$1 new=$CW_LOCAL_PATH/0/${1##*/} unit stopped=()
  shift
  mounted_from "$folder"
  [[ -z $REPLY ]] || return 0
  for unit in "$@"; do
    if systemctl is-active --quiet "$unit"; then
      systemctl stop "$unit"
      stopped+=("$unit")
    fi
  done
  mkdir -p "$CW_ROOT$folder" "$CW_ROOT$new"
  if [[ -n $(ls -A "$CW_ROOT$folder") && -z $(ls -A "$CW_ROOT$new") ]]; then
    cp -a "$CW_ROOT$folder/." "$CW_ROOT$new.part/"
    rmdir "$CW_ROOT$new"
    mv "$CW_ROOT$new.part" "$CW_ROOT$new"
  fi
  bind_mount "$new" "$folder" "$@"
  for unit in "${stopped[@]}"; do systemctl start "$unit"; done
}

move_containers() {
  [[ " $CW_LOCAL_USES " == *" containerd "* ]] || return 0
  if has_command docker; then move_to_local /var/lib/docker docker.socket docker.service; fi
  if has_command containerd; then move_to_local /var/lib/containerd containerd.service; fi
}

# Folders on the first disk for what jobs keep there, by the names that storage.local_nvme.uses has.
make_folders() {
  local use
  for use in $CW_LOCAL_USES; do
    [[ $use != containerd ]] || continue
    mkdir -p "$CW_ROOT$CW_LOCAL_PATH/0/$use"
    chmod 1777 "$CW_ROOT$CW_LOCAL_PATH/0/$use"
  done
}

check_count
if ! adopt_foreign_mount; then
  # nodeadm stripes, formats and mounts the disks of EKS nodes before the kubelet starts.
  [[ $CW_ORCHESTRATOR != eks ]] || ((${#FOUND_MOUNTS[@]})) || fail "nodeadm has not mounted the local disks ${DISKS[*]}"
  if [[ $CW_ORCHESTRATOR != eks ]]; then prepare_disks; fi
fi
if ! is_eks; then move_containers; fi
make_folders

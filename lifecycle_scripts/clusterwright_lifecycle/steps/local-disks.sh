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
  local index number device options=noatime,nodiratime,nofail,x-systemd.device-timeout=10
  local devices=("${DISKS[@]}")
  if [[ $CW_LOCAL_RAID == 0 ]] && ((${#DISKS[@]} > 1)); then
    has_command mdadm || install_packages mdadm
    assemble_array "$ARRAY" "${DISKS[@]}"
    devices=("$ARRAY")
  fi
  has_command mkfs.xfs || install_packages xfsprogs
  number_disks "${devices[@]}"
  for index in "${!devices[@]}"; do
    number=${NUMBERS[index]}
    format_once "${devices[index]}" "$number"
    device=$(readlink -m "${devices[index]}")
    # The label outlives a boot; the name of a device does not.
    ensure_mounted "LABEL=$FINISHED_LABEL-$number" "$CW_LOCAL_PATH/$number" xfs "$options" "$device" "$device"
    chmod 1777 "$CW_ROOT$CW_LOCAL_PATH/$number"
  done
}

# Daemons that wait for their folder to be moved. They are started again however the step ends.
stopped=()
start_stopped() {
  local unit
  for unit in "${stopped[@]}"; do systemctl start "$unit" || log "$unit does not start again: $(last_words "$unit")"; done
  stopped=()
}
trap start_stopped EXIT

# move_to_local FOLDER UNIT...: keeps a daemon's files on the local disks from now on.
move_to_local() {
  local folder=$1 unit
  shift
  mounted_from "$folder"
  if [[ -z $REPLY ]]; then
    for unit in "$@"; do
      if systemctl is-active --quiet "$unit"; then
        stopped+=("$unit")
        systemctl stop "$unit" || fail "cannot stop $unit, whose files move to $CW_LOCAL_PATH/0"
      fi
    done
    copy_to_local "$folder" "$CW_LOCAL_PATH/0/${folder##*/}"
    bind_mount "$CW_LOCAL_PATH/0/${folder##*/}" "$folder" "$@"
    start_stopped
  fi
  # A run that was killed in between has left them stopped.
  for unit in "$@"; do
    if systemctl is-enabled --quiet "$unit" && ! systemctl is-active --quiet "$unit"; then start_service "$unit"; fi
  done >/dev/null
}

copy_to_local() {
  local folder=$CW_ROOT$1 new=$CW_ROOT$2
  mkdir -p "$folder"
  make_folder "$2" 0711
  [[ -n $(ls -A "$folder") && -z $(ls -A "$new") ]] || return 0
  rm -rf "$new.part"
  mkdir -m 0711 "$new.part"
  cp -a "$folder/." "$new.part/" || fail "cannot copy $1 to $2"
  rmdir "$new"
  mv "$new.part" "$new"
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
    make_folder "$CW_LOCAL_PATH/0/$use" 1777
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

# shellcheck shell=bash
# shellcheck disable=SC2034  # the step reads the arrays DISKS and FOUND_MOUNTS
# NVMe instance store: finding the disks, and formatting each once.

# What lsblk calls EC2's local disks; volumes of EBS have another model.
LOCAL_DISK_MODEL='Amazon EC2 NVMe Instance Storage'
# A file system bears the first label until it is whole, so that one cut off half-way is made again.
UNFINISHED_LABEL=cw-making
FINISHED_LABEL=cw-local

# find_local_disks: puts the local disks into the array DISKS, in the order of their names.
find_local_disks() {
  mapfile -t DISKS < <(lsblk --nodeps --noheadings --paths --output NAME,MODEL |
    awk -v model="$LOCAL_DISK_MODEL" 'index($0, model) { print $1 }' | sort --version-sort)
}

# find_mounts_of DISK...: puts where anything on the disks is mounted into the array FOUND_MOUNTS.
find_mounts_of() {
  mapfile -t FOUND_MOUNTS < <(lsblk --noheadings --list --output MOUNTPOINT "$@" | awk 'NF' | sort --unique)
}

# read_label DEVICE: puts its label into REPLY and the type of its file system into FOUND_TYPE.
read_label() {
  REPLY=$(blkid --probe --match-tag LABEL --output value "$1" || true)
  FOUND_TYPE=$(blkid --probe --match-tag TYPE --output value "$1" || true)
}

# format_once DEVICE NUMBER: puts xfs on a device, unless ours is there. What is somebody else's is never formatted.
format_once() {
  local device=$1 label=$FINISHED_LABEL-$2
  read_label "$device"
  [[ $REPLY == "$label" ]] && return
  [[ -z $FOUND_TYPE || $REPLY == "$UNFINISHED_LABEL" ]] \
    || fail "$device holds $FOUND_TYPE${REPLY:+ labelled $REPLY}, which is not ours: it is not formatted"
  log "formatting $device"
  mkfs.xfs -f -q -L "$UNFINISHED_LABEL" "$device" >&2 || fail "cannot format $device"
  xfs_admin -L "$label" "$device" >&2 || fail "cannot label $device"
}

# has_array DEVICE: whether the striped volume runs.
has_array() {
  mdadm --detail "$1" >/dev/null 2>&1
}

# assemble_array DEVICE DISK...: brings up the striped volume, and makes it where there is none.
assemble_array() {
  local device=$1 disk members=0
  shift
  has_array "$device" && return
  for disk in "$@"; do
    mdadm --examine "$disk" >/dev/null 2>&1 && members=$((members + 1))
  done
  if ((members == $#)); then
    mdadm --assemble "$device" "$@" >&2 && return
    fail "the local disks are a striped volume that does not assemble: mdadm --examine $1 says more"
  fi
  # A disk of a stripe that is no longer whole is of no use: its data was gone with the missing part.
  log "striping $# disks as $device"
  mdadm --create "$device" --level 0 --raid-devices "$#" --name clusterwright --homehost any --metadata 1.2 --run "$@" >&2 \
    || fail "cannot stripe the local disks $*"
}

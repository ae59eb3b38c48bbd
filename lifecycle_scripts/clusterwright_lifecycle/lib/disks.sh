# shellcheck shell=bash
# shellcheck disable=SC2034  # the step reads the arrays DISKS, FOUND_MOUNTS and NUMBERS
# NVMe instance store: finding the disks, and formatting each once. Nothing is written to a disk before two programs,
# blkid and wipefs, have found it blank or ours; and then without the options that silence the doubts of mkfs and mdadm.

# What lsblk calls EC2's local disks; volumes of EBS have another model.
LOCAL_DISK_MODEL='Amazon EC2 NVMe Instance Storage'
# A file system bears the first label until it is whole, so that one cut off half-way is made again.
UNFINISHED_LABEL=cw-making
FINISHED_LABEL=cw-local
ARRAY_NAME=clusterwright

# find_local_disks: puts the local disks into the array DISKS, in the order of their names.
find_local_disks() {
  mapfile -t DISKS < <(lsblk --nodeps --noheadings --paths --output NAME,MODEL |
    awk -v model="$LOCAL_DISK_MODEL" 'index($0, model) { print $1 }' | sort --version-sort)
}

# find_mounts_of DISK...: puts where anything on the disks is mounted into the array FOUND_MOUNTS.
find_mounts_of() {
  mapfile -t FOUND_MOUNTS < <(lsblk --noheadings --list --output MOUNTPOINT "$@" | awk '/^\//' | sort --unique)
}

# read_disk DEVICE: puts its label into REPLY, and all that is known of what it holds into FOUND: "xfs", "dos partitions",
# "LVM2_member labelled x". Both are empty for a blank one. What cannot be read, or is several things at once, ends the step.
read_disk() {
  local device=$1 status=0 text
  text=$(blkid --probe --output udev "$device") || status=$?
  ((status == 0 || status == 2)) && [[ $text != *ID_FS_AMBIVALENT=* ]] \
    || fail "$device holds what blkid cannot tell (its status is $status): $(_list_signatures "$device"); it is left as it is"
  REPLY=$(_blkid_value ID_FS_LABEL "$text")
  FOUND=$(_list_signatures "$device")
  [[ -n $FOUND ]] || FOUND=$(_blkid_value ID_FS_TYPE "$text")
  [[ -n $FOUND ]] || FOUND=$(_blkid_value ID_PART_TABLE_TYPE "$text")
}

# _blkid_value NAME TEXT: prints one value of what blkid said.
_blkid_value() {
  awk -F= -v name="$1" '$1 == name { print substr($0, length(name) + 2) }' <<<"$2"
}

# _list_signatures DEVICE: prints the types of all signatures on a device, such as "ext4" or "gpt PMBR". It changes nothing.
_list_signatures() {
  local types
  types=$(wipefs --no-act --noheadings --output TYPE "$1") || fail "cannot read what $1 holds"
  printf '%s' "${types//$'\n'/ }"
}

# describe_disk: prints what read_disk found, for people.
describe_disk() {
  printf '%s' "$FOUND${REPLY:+ labelled $REPLY}"
}

# number_disks DISK...: puts a number for each disk into the array NUMBERS: that of our label, which stays with a disk
# whatever it is called after a reboot, and a free one for those without.
number_disks() {
  local disk number
  local -A taken=()
  NUMBERS=()
  for disk in "$@"; do
    read_disk "$disk"
    number=
    if [[ $REPLY =~ ^$FINISHED_LABEL-([0-9]+)$ ]]; then
      number=${BASH_REMATCH[1]}
      [[ -z ${taken[$number]:-} ]] || fail "${taken[$number]} and $disk both bear the label $REPLY"
      taken[$number]=$disk
    fi
    NUMBERS+=("$number")
  done
  local index next=0
  for index in "${!NUMBERS[@]}"; do
    [[ -z ${NUMBERS[index]} ]] || continue
    while [[ ${taken[$next]:-} ]]; do next=$((next + 1)); done
    taken[$next]=blank
    NUMBERS[index]=$next
    next=$((next + 1))
  done
}

# format_once DEVICE NUMBER: puts xfs on a blank device. What is ours stays, what is somebody else's ends the step.
format_once() {
  local device=$1 label=$FINISHED_LABEL-$2 again=()
  read_disk "$device"
  [[ $FOUND == xfs && $REPLY == "$label" ]] && return
  if [[ $FOUND == xfs && $REPLY == "$UNFINISHED_LABEL" ]]; then
    again=(-f)
  elif [[ $FOUND ]]; then
    fail "$device holds $(describe_disk), which is not ours: it is not formatted"
  fi
  log "formatting $device"
  mkfs.xfs "${again[@]}" -q -L "$UNFINISHED_LABEL" "$device" </dev/null >&2 || fail "cannot format $device"
  xfs_admin -L "$label" "$device" >&2 || fail "cannot label $device"
}

# has_array DEVICE: whether the striped volume runs.
has_array() {
  mdadm --detail "$1" >/dev/null 2>&1
}

# is_member DISK: whether it is a part of our stripe, and nothing else. Call read_disk first.
is_member() {
  [[ $FOUND == linux_raid_member ]] || return 1
  # The name is told with the host that it was made for, which is "any".
  mdadm --examine --export "$1" 2>/dev/null | awk -F= -v name="$ARRAY_NAME" '
    $1 == "MD_NAME" { sub(/^.*:/, "", $2); found = $2 == name }
    END { exit !found }'
}

# find_members DISK...: puts how many are parts of our stripe into REPLY. Any that holds something else ends the step.
find_members() {
  local disk members=0
  for disk in "$@"; do
    read_disk "$disk"
    if is_member "$disk"; then
      members=$((members + 1))
    elif [[ $FOUND ]]; then
      fail "$disk holds $(describe_disk), which is not ours: the local disks are not striped"
    fi
  done
  REPLY=$members
}

# assemble_array DEVICE DISK...: brings up the striped volume, and makes it of disks that are all blank.
assemble_array() {
  local device=$1 begun=$CW_STATE/stripe-begun
  shift
  if has_array "$device"; then
    rm -f "$begun"
    return
  fi
  find_members "$@"
  if ((REPLY == $#)) && mdadm --assemble "$device" "$@" >&2; then
    rm -f "$begun"
    return
  fi
  if ((REPLY)) && [[ -f $begun ]]; then
    _clear_members "$@"
  elif ((REPLY == $#)); then
    fail "the local disks are a striped volume that does not assemble: mdadm --examine $1 says more"
  elif ((REPLY)); then
    fail "$REPLY of the $# local disks are parts of a striped volume of ours and the others are blank: replace the node"
  fi
  touch "$begun"
  log "striping $# disks as $device"
  # Without --run mdadm asks before it writes over anything; nobody answers, so it does not.
  mdadm --create "$device" --level 0 --raid-devices "$#" --name "$ARRAY_NAME" --homehost any --metadata 1.2 "$@" \
    </dev/null >&2 || fail "cannot stripe the local disks $*"
  rm -f "$begun"
}

# A stripe that was cut off while it was made never held anything.
_clear_members() {
  local disk
  for disk in "$@"; do
    read_disk "$disk"
    ! is_member "$disk" || mdadm --zero-superblock "$disk" >&2 || fail "cannot clear $disk, on which striping was cut off"
  done
}

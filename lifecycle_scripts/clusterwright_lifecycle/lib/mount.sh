# shellcheck shell=bash
# Mounts that last: in /etc/fstab once, mounted once, and looked at afterwards.

# mounted_from PATH: puts what is mounted there into REPLY; empty if nothing is.
mounted_from() {
  REPLY=$(findmnt --noheadings --first-only --output SOURCE --mountpoint "$CW_ROOT$1" || true)
}

# ensure_mounted SOURCE PATH TYPE OPTIONS [MOUNTED AS [DEVICE]]: mounts it, unless it is mounted already. What /etc/fstab
# calls by its label can be given as the device, which was looked at, where a label may be remembered wrongly.
ensure_mounted() {
  local source=$1 path=$2 type=$3 options=$4 shown=${5:-$1} device=${6:-$1} status=0
  write_fstab "$source" "$path" "$type" "$options"
  mounted_from "$path"
  [[ $REPLY == "$shown" ]] && return
  [[ -z $REPLY ]] || fail "$path has $REPLY mounted, and $shown should be there"
  mkdir -p "$CW_ROOT$path"
  retry "${CW_MOUNT_ATTEMPTS:-6}" _mount "$device" "$path" "$type" "$options" || status=$?
  ((status == 0)) || fail "cannot mount $source at $path: ${LAST_WORDS:-no reason given}"
  mounted_from "$path"
  [[ $REPLY == "$shown" ]] || fail "mounted $source at $path, and ${REPLY:-nothing} is there"
  log "mounted $source at $path"
}

_mount() {
  local status=0
  LAST_WORDS=$(mount --types "$3" --options "$4" "$1" "$CW_ROOT$2" 2>&1) || status=$?
  LAST_WORDS=${LAST_WORDS##*$'\n'}
  return "$status"
}

# bind_mount SOURCE PATH [UNIT...]: shows a folder at a second place as well, at boot before the units start.
bind_mount() {
  local source=$1 path=$2 options=bind,nofail unit
  for unit in "${@:3}"; do options+=,x-systemd.before=$unit; done
  write_fstab "$source" "$path" none "$options"
  mounted_from "$path"
  [[ -z $REPLY ]] || return 0
  mkdir -p "$CW_ROOT$source" "$CW_ROOT$path"
  mount --bind "$CW_ROOT$source" "$CW_ROOT$path" || fail "cannot show $source at $path"
  log "$path is on $source"
}

# write_fstab SOURCE PATH TYPE OPTIONS: makes this the one line of /etc/fstab for the path.
write_fstab() {
  local source=$1 path=$2 type=$3 options=$4 fstab=$CW_ROOT/etc/fstab text=''
  # Steps that mount run in parallel, and each rewrites the file.
  take_lock "$CW_RUN/clusterwright-fstab.lock" 60 7 || fail "cannot write /etc/fstab: $REPLY holds its lock"
  [[ -f $fstab ]] && text=$(awk -v path="$path" '$2 != path || /^#/' "$fstab")
  printf '%s%s %s %s %s 0 0\n' "$text${text:+$'\n'}" "$source" "$path" "$type" "$options" | write_file /etc/fstab
  exec 7>&-
}

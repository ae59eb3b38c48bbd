#!/usr/bin/env bash
# Users with the same number on every node, a home on the shared file system, and a key for ssh between nodes.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

home_base() {
  local kind path
  REPLY=/home
  while IFS='|' read -r kind _ _ path _; do
    [[ $kind == openzfs ]] && REPLY=$path && return
  done <<<"$CW_MOUNTS"
  return 0
}

make_user() {
  local name=$1 uid=$2 home=$3 found
  if found=$(getent passwd "$name"); then
    IFS=: read -r _ _ found _ <<<"$found"
    [[ $found == "$uid" ]] || fail "the image has a user $name with the number $found, and the cluster's has $uid"
    return
  fi
  getent group "$name" >/dev/null || groupadd --gid "$uid" "$name" || fail "cannot make the group $name ($uid)"
  useradd --uid "$uid" --gid "$uid" --home-dir "$home" --no-create-home --shell /bin/bash "$name" \
    || fail "cannot make the user $name ($uid)"
}

# as_user UID COMMAND...: runs a command with the user's rights and no others, and not for ever.
as_user() {
  setpriv --reuid "$1" --regid "$1" --clear-groups --inh-caps=-all --no-new-privs \
    timeout "${CW_HOME_SECONDS:-120}" "${@:2}" </dev/null 9>&-
}

# make_home NAME UID HOME: a home of the user's own. Every node of the cluster makes the same homes at the same time: each
# is made aside, and put in place at once. One that is there keeps its mode.
make_home() {
  local uid=$2 home=$CW_ROOT$3 fresh
  if [[ ! -e $home && ! -L $home ]]; then
    mkdir -p "${home%/*}"
    fresh=$(mktemp -d "${home%/*}/.new.XXXXXX")
    chown "$uid:$uid" "$fresh"
    # Of two nodes that get here, one makes the home, and the other's is thrown away.
    mv -nT "$fresh" "$home" || [[ -d $home ]] || fail "cannot make $3"
    [[ ! -d $fresh ]] || rmdir "$fresh"
  fi
  [[ -d $home && ! -L $home ]] || fail "$3 is not a folder: the home of $1 should be one"
  # shellcheck disable=SC2016  # the user's shell fills it in
  as_user "$uid" bash -c '[[ -O $1 ]]' bash "$home" \
    || fail "$3 belongs to the number $(stat -c %u "$home"), and it should belong to $1 ($uid): chown it"
}

# What is done in a home is done as its user: root would follow the links that the user has put there. It runs in a shell
# of its own, which knows nothing of this one, and ends with its last line on what is in the way.
make_key() {
  set -euo pipefail
  umask 077
  local home=$1 comment=$2 folder=$1/.ssh name file fresh
  refuse() { printf '%s\n' "$1" && exit 1; }
  [[ -e $folder || -L $folder ]] || mkdir "$folder"
  [[ -d $folder && ! -L $folder ]] || refuse "$folder is not a folder"
  for name in id_ed25519 id_ed25519.pub authorized_keys; do
    file=$folder/$name
    [[ ! -e $file && ! -L $file ]] || [[ -f $file && ! -L $file ]] || refuse "$file is not a plain file"
  done
  file=$folder/id_ed25519
  if [[ ! -f $file ]]; then
    fresh=$(mktemp -d "$folder/.new.XXXXXX")
    ssh-keygen -q -t ed25519 -N '' -C "$comment" -f "$fresh/key"
    # Of two nodes that get here, one makes the link, and the other's key is thrown away.
    ln -T "$fresh/key" "$file" 2>/dev/null || [[ -f $file ]] || refuse "$file cannot be written"
    rm -rf "$fresh"
  fi
  [[ -f $file.pub ]] || ssh-keygen -y -P '' -f "$file" >"$file.pub"
  if ! grep -qsxF "$(<"$file.pub")" "$folder/authorized_keys"; then
    # A last line without its end would swallow ours.
    if [[ -s $folder/authorized_keys && -n $(tail -c 1 "$folder/authorized_keys") ]]; then
      printf '\n' >>"$folder/authorized_keys"
    fi
    cat "$file.pub" >>"$folder/authorized_keys"
  fi
}

# give_key NAME UID HOME: what a user has in the way leaves that user without a key, and the node as it should be.
give_key() {
  local said
  said=$(as_user "$2" bash -c "$(declare -f make_key); make_key \"\$@\"" bash "$CW_ROOT$3" "$1@$CW_CLUSTER" 2>&1) \
    || log "$1 gets no key for ssh between nodes: ${said##*$'\n'}"
}

home_base
base=$REPLY
while IFS='|' read -r name uid; do
  [[ $name ]] || continue
  make_user "$name" "$uid" "$base/$name"
  make_home "$name" "$uid" "$base/$name"
  give_key "$name" "$uid" "$base/$name"
done <<<"$CW_USERS"

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

# Every node of the cluster makes the same homes at the same time: each thing is made aside, and put in place at once.
make_home() {
  local name=$1 uid=$2 home=$CW_ROOT$3 key fresh
  key=$home/.ssh/id_ed25519
  mkdir -p "$home/.ssh"
  if [[ ! -f $key ]]; then
    fresh=$(mktemp -d "$home/.ssh/.new.XXXXXX")
    ssh-keygen -q -t ed25519 -N '' -C "$name@$CW_CLUSTER" -f "$fresh/key"
    # Of two nodes that get here, one makes the link, and the other's key is thrown away.
    ln "$fresh/key" "$key" 2>/dev/null || [[ -f $key ]] || fail "cannot write ${key#"$CW_ROOT"}"
    rm -rf "$fresh"
  fi
  [[ -f $key.pub ]] || ssh-keygen -y -f "$key" >"$key.pub"
  grep -qsxF "$(<"$key.pub")" "$home/.ssh/authorized_keys" || cat "$key.pub" >>"$home/.ssh/authorized_keys"
  chmod 0700 "$home" "$home/.ssh"
  chmod 0600 "$key" "$home/.ssh/authorized_keys"
  chown -R "$uid:$uid" "$home/.ssh"
  chown "$uid:$uid" "$home"
}

home_base
base=$REPLY
while IFS='|' read -r name uid; do
  [[ $name ]] || continue
  make_user "$name" "$uid" "$base/$name"
  make_home "$name" "$uid" "$base/$name"
done <<<"$CW_USERS"

#!/usr/bin/env bash
# Runs before each start of the kubelet: fetches this node's scripts once, checks them, and runs what is due.
# While it fails the kubelet does not start, and the node takes no pods.
#
# Usage: prepare.sh URL SHA256 REGION
set -Eeuo pipefail
umask 022
url=$1 sha256=$2 region=$3
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
archive=$here/scripts-$sha256.tar
target=${CW_ROOT:-}/opt/clusterwright
console=${CW_CONSOLE:-/dev/console}

# give_up REASON: ends, with the reason where people look first: EC2's console output and the journal.
give_up() {
  local line="clusterwright: this node does not join the cluster: $1"
  { printf '%s\n' "$line" >"$console"; } 2>/dev/null || true
  printf '%s\n' "$line" >&2 || true
  exit 1
}

on_error() {
  ((BASH_SUBSHELL == 0)) || exit "$1"
  give_up "'${2%%$'\n'*}' failed with status $1; $(df --output=avail --block-size=1M "$here" | tail -n 1) MiB are free"
}
trap 'on_error "$?" "$BASH_COMMAND"' ERR

is_whole() {
  printf '%s  %s\n' "$sha256" "$archive" | sha256sum --check --status 2>/dev/null
}

fetch() {
  local attempt words
  for attempt in 1 2 3 4 5; do
    if words=$(aws s3 cp --region "$region" --only-show-errors "$url" "$archive" 2>&1); then
      if is_whole; then return; fi
      give_up "$url is not the archive that this node was made for: its SHA-256 is not $sha256"
    fi
    sleep "${CW_FETCH_SECONDS:-$((attempt * 5))}"
  done
  give_up "cannot fetch $url: ${words##*$'\n'}; has the node's role s3:GetObject on it, and the subnet a way to S3?"
}

# is_installed: whether these very scripts are in place, so that nothing has to be written.
is_installed() {
  local file
  [[ -f $target/.archive && $(<"$target/.archive") == "$sha256" ]] || return 1
  for file in "$here"/own/*; do
    cmp -s "$file" "$target/${file##*/}" || return 1
  done
}

stage=
trap 'rm -rf "$stage"' EXIT
install_scripts() {
  is_whole || fetch
  stage=$(mktemp -d)
  tar --extract --no-same-owner --file "$archive" --directory "$stage"
  cp "$here"/own/* "$stage/"
  printf '%s\n' "$sha256" >"$stage/.archive"
  # shellcheck source=../lib/install.sh
  source "$stage/lib/install.sh"
  install_bundle "$stage"
}

# run_scripts: passes on what the run says, with no file in between, and puts its last line into REPLY.
run_scripts() {
  local line
  REPLY=
  while IFS= read -r line || [[ $line ]]; do
    REPLY=$line
    printf '%s\n' "$line" >&2 || true
  done < <(exec bash "$target/run.sh" 2>&1)
  wait "$!"
}

if ! is_installed; then install_scripts; fi
run_scripts || give_up "$REPLY"

#!/usr/bin/env bash
# Runs before each start of the kubelet: fetches this node's scripts once, checks them, and runs what is due.
# While it fails the kubelet does not start, and the node takes no pods.
#
# Usage: prepare.sh URL SHA256 REGION
set -euo pipefail
url=$1 sha256=$2 region=$3
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
archive=$here/scripts-$sha256.tar
console=${CW_CONSOLE:-/dev/console}

# give_up REASON: ends, with the reason where people look first: the journal and EC2's console output.
give_up() {
  printf 'clusterwright: this node does not join the cluster: %s\n' "$1" | tee "$console" >&2
  exit 1
}

is_whole() {
  printf '%s  %s\n' "$sha256" "$archive" | sha256sum --check --status 2>/dev/null
}

fetch() {
  local attempt
  for attempt in 1 2 3 4 5; do
    if aws s3 cp --region "$region" --only-show-errors "$url" "$archive"; then
      is_whole && return
      give_up "$url is not the archive that this node was made for: its SHA-256 is not $sha256"
    fi
    sleep "${CW_FETCH_SECONDS:-$((attempt * 5))}"
  done
  give_up "cannot fetch $url; has the node's role s3:GetObject on it, and the subnet a way to S3?"
}

is_whole || fetch
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tar --extract --no-same-owner --file "$archive" --directory "$stage"
cp "$here"/own/* "$stage/"
# shellcheck source=../lib/install.sh
source "$stage/lib/install.sh"
install_bundle "$stage"
if ! bash "$REPLY/run.sh" 2>&1 | tee "$here/run.log" >&2; then
  give_up "$(tail -n 1 "$here/run.log")"
fi

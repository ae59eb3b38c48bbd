#!/usr/bin/env bash
# What the node was brought to: the set, its content hash and the versions, for people, tags and inventories.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

record() {
  local name versions='' component
  for name in $(compgen -v CW_VERSION_ | sort); do
    component=${name#CW_VERSION_}
    component=${component,,}
    json_string "${component//_/-}"
    versions+="${versions:+, }$REPLY: "
    json_string "${!name}"
    versions+=$REPLY
  done
  json_object set "$CW_SOFTWARE_SET" content_hash "$CW_SOFTWARE_HASH" cluster "$CW_CLUSTER" pool "$CW_POOL" \
    versions: "{$versions}"
  printf '%s\n' "$REPLY"
}

record | write_file /etc/clusterwright/software.json

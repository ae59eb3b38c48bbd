#!/usr/bin/env bash
# What jobs and shells on this node find in their environment: the pool's settings for NCCL and EFA, from the set.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

for_shells() {
  local name value
  printf '# Written by clusterwright for the set %s.\n' "$CW_SOFTWARE_SET"
  while IFS='=' read -r name value; do
    [[ $name ]] || continue
    printf "export %s='%s'\n" "$name" "${value//\'/\'\\\'\'}"
  done <<<"$CW_ENVIRONMENT"
}

# For systemd's EnvironmentFile, and for prologs, which read no shell.
for_services() {
  local name value
  while IFS='=' read -r name value; do
    [[ $name ]] || continue
    value=${value//\\/\\\\}
    printf '%s="%s"\n' "$name" "${value//\"/\\\"}"
  done <<<"$CW_ENVIRONMENT"
}

for_shells | write_file /etc/profile.d/clusterwright.sh
for_services | write_file /etc/clusterwright/environment

#!/usr/bin/env bash
# Before each task: gives it the environment that fits this node's hardware. Slurm reads "export NAME=value".
# What a user has set stays.
set -euo pipefail
file=${CW_ROOT:-}/etc/clusterwright/node.env
# shellcheck source=/dev/null
[[ ! -r $file ]] || source "$file"

while IFS='=' read -r name value; do
  [[ -z $name || -n ${!name+set} ]] || printf 'export %s=%s\n' "$name" "$value"
done <<<"${CW_ENVIRONMENT:-}"

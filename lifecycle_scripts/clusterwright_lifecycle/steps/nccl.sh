#!/usr/bin/env bash
# NCCL of the set is the one that the loader finds first.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# loaded_nccl: puts the version of the loader's libnccl.so.2 into REPLY; empty if it finds none.
loaded_nccl() {
  local path
  path=$(ldconfig -p | awk '$1 == "libnccl.so.2" { print $NF; exit }')
  REPLY=
  [[ $path ]] || return 0
  path=$(readlink -f "$CW_ROOT$path")
  REPLY=${path##*libnccl.so.}
}

loaded_nccl
ensure_component nccl "$REPLY" || {
  install_component nccl
  ldconfig
  loaded_nccl
  check_version nccl "${REPLY:-nothing}"
}

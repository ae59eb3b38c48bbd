#!/usr/bin/env bash
# CUDA of the set, at /usr/local/cuda. Images hold several side by side.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

pinned cuda
wanted=${REPLY/U/.}

# find_cuda: puts the folder and the version of the wanted release into FOLDER and REPLY; empty if it is not there.
find_cuda() {
  local file
  FOLDER=
  REPLY=
  for file in "$CW_ROOT"/usr/local/cuda/version.json "$CW_ROOT"/usr/local/cuda-*/version.json; do
    [[ -f $file ]] || continue
    version_of '"name"[^"]*"CUDA SDK"[^}]*"version"[^"]*"([0-9.]+)"' <"$file"
    FOLDER=${file%/version.json}
    is_version "$wanted" "$REPLY" && return
  done
  FOLDER=
  REPLY=
}

[[ $wanted ]] || exit 0
find_cuda
[[ $FOLDER ]] || {
  install_component cuda
  find_cuda
  [[ $FOLDER ]] || fail "CUDA $wanted is installed and not below /usr/local"
}
log "CUDA $REPLY is in ${FOLDER#"$CW_ROOT"}"
[[ $FOLDER -ef $CW_ROOT/usr/local/cuda ]] || ln -sfn "$(basename -- "$FOLDER")" "$CW_ROOT/usr/local/cuda"

#!/usr/bin/env bash
# Pyxis, the plugin that gives srun its --container-image.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# Where images and packages put Slurm's plugins: HyperPod's and PCS's Slurm, our build, Debian's.
find_plugin() {
  local file
  REPLY=
  for file in "$CW_ROOT"/usr/local/lib/slurm/spank_pyxis.so "$CW_ROOT"/opt/slurm/lib/slurm/spank_pyxis.so \
    "$CW_ROOT"/opt/aws/pcs/scheduler/slurm-*/lib/slurm/spank_pyxis.so "$CW_ROOT"/usr/lib*/slurm*/spank_pyxis.so \
    "$CW_ROOT"/usr/lib/*-linux-gnu/slurm*/spank_pyxis.so; do
    [[ -f $file ]] && REPLY=${file#"$CW_ROOT"} && return
  done
  return 0
}

# find_headers: puts the folder with slurm/spank.h into REPLY.
find_headers() {
  local file
  for file in "$CW_ROOT"/opt/slurm/include "$CW_ROOT"/opt/aws/pcs/scheduler/slurm-*/include "$CW_ROOT"/usr/include; do
    [[ -f $file/slurm/spank.h ]] && REPLY=$file && return
  done
  fail "the image has no slurm/spank.h, which pyxis is built against"
}

build_pyxis() {
  local folder=$CW_CACHE/pyxis
  find_headers
  local headers=$REPLY
  download_component pyxis
  unpack "${DOWNLOADED[0]}" "$folder"
  CPPFLAGS="-I$headers" make -C "$folder" prefix=/usr/local install >&2 || fail "pyxis does not build"
  rm -rf "$folder"
}

pinned pyxis
[[ $REPLY ]] || exit 0
find_plugin
if [[ -z $REPLY ]]; then
  build_pyxis
  find_plugin
  [[ $REPLY ]] || fail "pyxis was built, and spank_pyxis.so is nowhere"
fi
# The folder that plugstack.conf includes.
write_file /etc/slurm/plugstack.conf.d/pyxis.conf <<<"required $REPLY"
log "pyxis is $REPLY"

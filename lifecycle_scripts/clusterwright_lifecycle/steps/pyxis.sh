#!/usr/bin/env bash
# Pyxis, the plugin that gives srun its --container-image, for each Slurm that the image holds.
# Folders of PCS as in its user guide, "Install" and "Configure SPANK plugins", November 2026.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

# find_slurms: puts the folders of the installed Slurms into the array SLURMS.
find_slurms() {
  local folder
  SLURMS=()
  for folder in "$CW_ROOT"/opt/slurm "$CW_ROOT"/opt/aws/pcs/scheduler/slurm-*; do
    [[ ! -d $folder/include/slurm ]] || SLURMS+=("${folder#"$CW_ROOT"}")
  done
  ((${#SLURMS[@]})) || fail "the image has no Slurm with slurm/spank.h, which pyxis is built against"
}

# find_plugin SLURM: puts the plugin into REPLY: the image's, or the one that we built; empty without one.
find_plugin() {
  local file
  for file in "$1/lib/slurm/spank_pyxis.so" "/usr/local/lib/clusterwright/${1##*/}/lib/slurm/spank_pyxis.so"; do
    REPLY=$file
    [[ ! -f $CW_ROOT$file ]] || return 0
  done
  REPLY=
}

build_plugin() {
  local folder=$CW_CACHE/pyxis prefix=/usr/local/lib/clusterwright/${1##*/}
  download_component pyxis
  unpack "${DOWNLOADED[0]}" "$folder"
  CPPFLAGS="-I$CW_ROOT$1/include" make -C "$folder" "prefix=$CW_ROOT$prefix" install >&2 || fail "pyxis does not build"
  rm -rf "$folder"
}

# configure_plugin SLURM PLUGIN: PCS reads all files of a folder; elsewhere plugstack.conf has to include it.
configure_plugin() {
  local etc=$1/etc
  if [[ $1 == /opt/aws/pcs/* ]]; then
    etc=/etc${1#/opt}
  elif ! grep -qs 'plugstack\.conf\.d' "$CW_ROOT$etc/plugstack.conf"; then
    mkdir -p "$CW_ROOT$etc"
    printf 'include %s/plugstack.conf.d/*.conf\n' "$etc" >>"$CW_ROOT$etc/plugstack.conf"
  fi
  write_file "$etc/plugstack.conf.d/clusterwright-pyxis.conf" <<<"required $2"
}

pinned pyxis
[[ $REPLY ]] || exit 0
find_slurms
for slurm in "${SLURMS[@]}"; do
  find_plugin "$slurm"
  if [[ -z $REPLY ]]; then
    build_plugin "$slurm"
    find_plugin "$slurm"
    [[ $REPLY ]] || fail "pyxis was built for $slurm, and spank_pyxis.so is nowhere"
  fi
  configure_plugin "$slurm" "$REPLY"
  log "pyxis of $slurm is $REPLY"
done

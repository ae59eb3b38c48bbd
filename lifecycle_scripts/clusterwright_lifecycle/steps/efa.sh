#!/usr/bin/env bash
# EFA's kernel module, libfabric, rdma-core and the NCCL plugin, from one installer at the pin.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

installed_efa() {
  local file=$CW_ROOT/opt/amazon/efa_installed_packages
  REPLY=
  [[ ! -f $file ]] || version_of 'EFA installer version: ([0-9.]+)' <"$file"
}

# is_at_least VERSION MINIMUM
is_at_least() {
  [[ $(printf '%s\n' "$2" "$1" | sort --version-sort | head -n 1) == "$2" ]]
}

# choose_flags VERSION: puts the flags of the installer into FLAGS.
choose_flags() {
  FLAGS=(-y)
  # From 1.48 on it takes a machine with NVIDIA's entry point for an NGC container, and leaves the plugin out.
  # Source: aws/deep-learning-containers, install_efa_amzn2023.sh, August 2026.
  if is_at_least "$1" 1.48.0; then FLAGS+=(--disable-ngc); fi
  local module
  module=$(modinfo --field version efa 2>/dev/null) || module=
  pinned efa-driver
  # The image owns a module that is right already; to build it again takes minutes.
  if [[ $REPLY && $module ]] && is_version "$REPLY" "${module%g}"; then FLAGS+=(--skip-kmod); fi
}

install_efa() {
  local folder=$CW_CACHE/efa
  download_component efa-installer
  unpack "${DOWNLOADED[0]}" "$folder"
  pinned efa-installer
  choose_flags "$REPLY"
  log "running efa_installer.sh ${FLAGS[*]}"
  _lock_packages
  (cd "$folder" && DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 ./efa_installer.sh "${FLAGS[@]}") >&2 \
    || fail "efa_installer.sh ${FLAGS[*]} failed: $(tail -n 1 "$CW_LOGS/steps/$CW_STEP.log" 2>/dev/null)"
  exec 8>&-
  rm -rf "$folder"
}

installed_efa
pinned efa-installer
wanted=$REPLY
installed_efa
if [[ $REPLY != "$wanted" ]]; then
  # An EKS image holds the kernel module and rdma-core alone, and need not keep the installer's list.
  if is_eks; then
    module=$(modinfo --field version efa 2>/dev/null) || fail "the image lacks the kernel module efa"
    check_version efa-driver "${module%g}"
  else
    install_efa
    installed_efa
    [[ $REPLY == "$wanted" ]] || fail "EFA's installer ran, and ${REPLY:-nothing} is installed instead of $wanted"
  fi
fi
modprobe efa || fail "the kernel module efa does not load: was it built for $(uname -r)?"
log "EFA $wanted is there"

#!/usr/bin/env bash
# The Lustre client for the kernel that runs. A package for another kernel leaves the node without file systems.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

kernel=$(uname -r)

has_module() {
  modinfo --set-version "$kernel" --field version lustre >/dev/null 2>&1
}

# The meta package lustre-client-modules-aws pulls in another kernel, and with it breaks the driver and EFA.
install_for_ubuntu() {
  local package=lustre-client-modules-$kernel
  if [[ $'\n'$CW_ARTIFACTS == *$'\n'lustre-client'|'* ]]; then
    install_component lustre-client
    return
  fi
  _lock_packages
  _refresh_apt
  exec 8>&-
  apt-cache show "$package" >/dev/null 2>&1 \
    || fail "there is no $package: FSx has no Lustre client for this kernel (yet), or its repository is not configured; \
take an image with the client"
  if apt-get install --simulate --quiet "$package" 2>/dev/null | grep -q '^Inst linux-image'; then
    fail "$package would install another kernel than the running $kernel: take an image with the client"
  fi
  install_packages "$package" lustre-client-utils
}

if ! has_module; then
  if is_ubuntu; then install_for_ubuntu; else install_packages lustre-client; fi
  has_module || fail "the Lustre client is installed, and not for the running kernel $kernel"
fi
log "the Lustre client is there for $kernel"

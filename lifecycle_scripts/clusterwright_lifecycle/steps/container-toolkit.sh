#!/usr/bin/env bash
# NVIDIA's container toolkit at the pin, and Docker told of it where there is one.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

installed_toolkit() {
  REPLY=
  has_command nvidia-ctk || return 0
  version_of 'version ([0-9.]+)' < <(nvidia-ctk --version)
}

installed_toolkit
ensure_component container-toolkit "$REPLY" || {
  install_component container-toolkit
  installed_toolkit
  check_version container-toolkit "${REPLY:-nothing}"
}
if ! is_eks && has_command docker && ! grep -qs nvidia-container-runtime "$CW_ROOT/etc/docker/daemon.json"; then
  mkdir -p "$CW_ROOT/etc/docker"
  nvidia-ctk runtime configure --runtime=docker --config="$CW_ROOT/etc/docker/daemon.json" >&2
  if systemctl is-active --quiet docker.service; then restart_service docker.service; fi
fi

#!/usr/bin/env bash
# The NVIDIA driver of the set is loaded. An image's own driver is never replaced: what is built against it would break.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

has_nvidia_unit() { systemctl cat "$1" >/dev/null 2>&1; }

# Grace and Blackwell share memory coherently; the driver has to manage the GPU's part of it itself, or the kernel
# hands it out as ordinary memory. Source: NVIDIA's notes on CDMM, driver 580, August 2025.
manage_coherent_memory() {
  [[ $CW_HAS_IMEX && $CW_ARCH == arm64 ]] || return 0
  write_file /etc/modprobe.d/clusterwright-nvidia.conf <<<'options nvidia NVreg_CoherentGPUMemoryMode=driver'
}

install_driver() {
  local file
  download_component nvidia-driver
  for file in "${DOWNLOADED[@]}"; do
    if [[ $file == *.run ]]; then
      sh "$file" --silent --dkms >&2 || fail "${file##*/} ended with status $?; see /var/log/nvidia-installer.log"
    else
      install_files "$file"
    fi
  done
  modprobe nvidia || fail "the driver is installed and its kernel module does not load: $(uname -r) may lack headers"
}

manage_coherent_memory
nvidia_driver_version
ensure_component nvidia-driver "$REPLY" || {
  install_driver
  nvidia_driver_version
  [[ $REPLY ]] || fail "the driver is installed, and nvidia-smi sees no GPU"
  check_version nvidia-driver "$REPLY"
}
# Without persistence each first use of a GPU takes seconds, and health checks time out.
if has_nvidia_unit nvidia-persistenced.service; then
  start_service nvidia-persistenced.service
else
  nvidia-smi --persistence-mode=1 >&2
fi

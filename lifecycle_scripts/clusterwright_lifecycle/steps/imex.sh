#!/usr/bin/env bash
# IMEX, through which GPUs of several nodes share memory over NVLink: exactly the driver's version.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

CHANNEL=/dev/nvidia-caps-imex-channels/channel0

# The channel that all users share: CUDA refuses to share memory without one, and it does not outlast a boot.
# Source: NVIDIA's guide to IMEX, "IMEX Channels", July 2025.
make_channel() {
  local major
  [[ ! -e $CW_ROOT$CHANNEL ]] || return 0
  major=$(awk '$2 == "nvidia-caps-imex-channels" { print $1 }' "$CW_ROOT/proc/devices")
  [[ $major ]] || fail "the driver has no nvidia-caps-imex-channels in /proc/devices: is it loaded, and one for this GPU?"
  mkdir -p "$CW_ROOT${CHANNEL%/*}"
  mknod --mode 0666 "$CW_ROOT$CHANNEL" c "$major" 0 || fail "cannot make $CHANNEL"
  log "made $CHANNEL"
}

check_companion imex 'nvidia-imex*'
if is_eks; then
  # NVIDIA's DRA driver runs IMEX of its own for each job; a second one would hold the channels.
  stop_service nvidia-imex.service
  exit 0
fi
make_channel
# slurm/imex.sh, in the job's prolog, writes the list of nodes and starts it. At boot it would find no list, or an old one.
if systemctl is-enabled --quiet nvidia-imex.service 2>/dev/null; then
  systemctl disable --now --quiet nvidia-imex.service >&2
  log "IMEX starts with jobs, and not at boot"
fi

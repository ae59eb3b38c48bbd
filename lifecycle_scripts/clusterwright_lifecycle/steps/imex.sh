#!/usr/bin/env bash
# IMEX, through which GPUs of several nodes share memory over NVLink: exactly the driver's version.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"

check_companion imex 'nvidia-imex*'
if is_eks; then
  # NVIDIA's DRA driver runs IMEX of its own for each job; a second one would hold the channels.
  stop_service nvidia-imex.service
elif [[ -s $CW_ROOT/etc/nvidia-imex/nodes_config.cfg ]]; then
  start_service nvidia-imex.service
else
  log "IMEX waits for the list of its nodes, which the job's prolog writes"
fi

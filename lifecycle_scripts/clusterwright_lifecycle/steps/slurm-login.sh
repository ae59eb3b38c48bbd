#!/usr/bin/env bash
# A node that people log in to: Slurm's commands, with the controller's configuration, and no jobs.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"
# shellcheck source=../lib/slurm.sh
source "$CW_BUNDLE/lib/slurm.sh"

start_munge
make_slurm_folders
stop_service slurmctld
# sackd, from 23.11 on, keeps the configuration of a node without jobs. Before it, slurmd fetched the configuration
# and ended, as it still does on HyperPod's own login nodes.
if systemctl cat sackd >/dev/null 2>&1; then
  start_client sackd SACKD_OPTIONS
else
  start_client slurmd SLURMD_OPTIONS
fi

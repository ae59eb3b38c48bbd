#!/usr/bin/env bash
# A node that runs jobs: slurmd, which gets its configuration from the controller, and the checks before and after a job.
# slurmd waits for the plan to end (lib/boot_service.sh), so that this step only asks for it.
set -euo pipefail
# shellcheck source=../lib/step.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib/step.sh"
# shellcheck source=../lib/slurm.sh
source "$CW_BUNDLE/lib/slurm.sh"

# A node that would drain itself at its first job is better told of now.
check_node() {
  local reason
  reason=$("$SLURM_FILES/check_node.sh") || log "this node will take no job: $reason"
}

start_munge
make_slurm_folders
stop_service slurmctld
check_node
start_client slurmd SLURMD_OPTIONS

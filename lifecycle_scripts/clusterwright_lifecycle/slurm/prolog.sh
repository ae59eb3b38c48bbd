#!/usr/bin/env bash
# Before a job: a node that cannot run it is drained with the reason, and the job goes back to the queue.
# slurmd runs this as root on each node of the job.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=imex.sh
source "$here/imex.sh"

if look_at_node && start_imex; then exit 0; fi
# Slurm drains a node whose prolog fails, and says "Prolog error", unless the node is drained already. So ours goes
# first. Where it does not, Slurm's stands.
drain "$REPLY" || true
# The status sends the job back: it is queued again, since SchedulerParameters has nohold_on_prolog_fail.
exit 1

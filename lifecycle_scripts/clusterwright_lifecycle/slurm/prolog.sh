#!/usr/bin/env bash
# Before a job: a node that cannot run it is drained with the reason, and the job goes back to the queue.
# slurmd runs this as root on each node of the job.
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Slurm's commands: HyperPod has one version of them, PCS one a version.
for folder in /opt/slurm/bin /opt/aws/pcs/scheduler/slurm-*/bin; do PATH+=:$folder; done
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

reason=$("$here/check_node.sh") && exit 0
# Slurm drains a node whose prolog fails, and says "Prolog error", unless the node is drained already. So
# ours goes first.
scontrol update "NodeName=${SLURMD_NODENAME:-$(hostname -s)}" State=DRAIN \
  "Reason=clusterwright: ${reason:-check_node.sh failed}" || true
# The status sends the job back: it is queued again, since SchedulerParameters has nohold_on_prolog_fail.
exit 1

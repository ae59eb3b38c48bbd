#!/usr/bin/env bash
# After a job: what it left running is ended, and a node that it left broken is drained with the reason.
# slurmd runs this as root on each node of the job. It ends with 0, for Slurm would put its own reason else.
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Slurm's commands: HyperPod has one version of them, PCS one a version.
for folder in /opt/slurm/bin /opt/aws/pcs/scheduler/slurm-*/bin; do PATH+=:$folder; done
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
node=${SLURMD_NODENAME:-$(hostname -s)}

# other_jobs [OPTION...]: prints the jobs that are on this node beside the one that has just ended.
other_jobs() {
  squeue --noheader --nodelist "$node" --states RUNNING,SUSPENDED --format %A "$@" 2>/dev/null \
    | grep --invert-match --line-regexp --fixed-strings -- "${SLURM_JOB_ID:-}" || true
}

# The cgroup ends what a job started through Slurm; this is for what came by ssh, or got out of it.
# System users have numbers below 1000, and root's processes are no job's.
end_strays() {
  local uid=${SLURM_JOB_UID:-0} pid
  ((uid >= 1000)) || return 0
  [[ -n $(other_jobs --user "$uid") ]] || pkill -KILL -U "$uid" || true
  [[ -z $(other_jobs) ]] || return 0
  command -v nvidia-smi >/dev/null || return 0
  for pid in $(timeout 30 nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null || true); do
    [[ $pid =~ ^[0-9]+$ ]] || continue
    [[ $(stat --format %u "/proc/$pid" 2>/dev/null || printf 0) -lt 1000 ]] || kill -KILL "$pid" || true
  done
}

end_strays
if ! reason=$("$here/check_node.sh"); then
  scontrol update "NodeName=$node" State=DRAIN "Reason=clusterwright: ${reason:-check_node.sh failed}" || true
fi
exit 0

#!/usr/bin/env bash
# After a job: what it left running is ended, and a node that it left broken is drained with the reason.
# slurmd runs this as root on each node of the job. It fails only where it could not drain a broken node: Slurm drains
# it then, and says "Epilog error".
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=imex.sh
source "$here/imex.sh"

# is_stray PID: whether a process is in no job of Slurm's, which ends what it started itself.
is_stray() {
  [[ -r /proc/$1/cgroup ]] && ! grep --quiet --extended-regexp '/job_[0-9]+(/|$)' "/proc/$1/cgroup"
}

# end_process PID: a process that has gone by itself is no error.
end_process() {
  ! is_stray "$1" || kill -KILL "$1" 2>/dev/null || return 0
}

# What came by ssh, or got out of its job. System users have numbers below 1000, and root's processes are no job's.
# Nothing is ended unless Slurm says that nobody else's job can be meant.
end_strays() {
  local uid=${SLURM_JOB_UID:-0} pid owner
  ((uid >= 1000)) || return 0
  other_jobs "$uid" || return 0
  if [[ -z $REPLY ]]; then
    for pid in $(pgrep -U "$uid" || true); do end_process "$pid"; done
  fi
  command -v nvidia-smi >/dev/null || return 0
  other_jobs || return 0
  [[ -z $REPLY ]] || return 0
  for pid in $(timeout 30 nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null || true); do
    owner=$(stat --format %u "/proc/$pid" 2>/dev/null) || owner=0
    ((owner < 1000)) || end_process "$pid"
  done
}

end_strays
reason=
stop_imex || reason=$REPLY
look_at_node || reason=$REPLY
[[ -z $reason ]] || drain "$reason"

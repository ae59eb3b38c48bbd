#!/usr/bin/env bash
# Says whether this node can run jobs: ends with 0, or with 1 and the reason on stdout.
# Prolog, epilog and health check ask it. It changes nothing.
#
# Usage: check_node.sh [--last-xid], which prints when the newest fatal error of the driver was, in seconds.
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
CW_ROOT=${CW_ROOT:-}
node=${SLURMD_NODENAME:-$(hostname -s)}

# Errors of the driver (Xid) after which a GPU needs a reset, the node a reboot, or AWS a new node.
# Source: NVIDIA's Xid catalogue of October 2025, and the codes that eks-node-monitoring-agent 1.7.0 (August 2026)
# repairs nodes for. 63 is left out: its remapped row is told by nvidia-smi until the reset.
FATAL_XIDS='46|48|54|62|64|74|79|95|109|110|119|120|136|140|142|143|151|155|156|158'
CHANNEL=/dev/nvidia-caps-imex-channels/channel0

# shellcheck source=/dev/null
[[ ! -r $CW_ROOT/etc/clusterwright/node.env ]] || source "$CW_ROOT/etc/clusterwright/node.env"

# bad REASON: ends with it.
bad() {
  printf '%s\n' "$1"
  exit 1
}

# ask COMMAND...: puts what a command prints into REPLY; a driver that hangs must not hang the node.
ask() {
  REPLY=$(timeout --kill-after=5 "${CW_CHECK_SECONDS:-30}" "$@" 2>/dev/null)
}

check_gpus() {
  local wanted=$1 found
  ask nvidia-smi --query-gpu=uuid --format=csv,noheader || bad "nvidia-smi does not answer"
  found=$(grep --count '^GPU-' <<<"$REPLY" || true)
  ((found == wanted)) || bad "$found of $wanted GPUs answer"
  # Not every GPU can remap rows, and those that cannot answer [N/A].
  if ask nvidia-smi --query-remapped-rows=remapped_rows.pending,remapped_rows.failure --format=csv,noheader; then
    ! grep --quiet --ignore-case --extended-regexp '(yes|[1-9])' <<<"$REPLY" \
      || bad "a GPU waits for a reset to remap a row of its memory, or failed to"
  fi
}

# find_xid: puts the newest fatal Xid into XID, and when it was into XID_TIME; both empty without one.
find_xid() {
  local line
  XID='' XID_TIME=''
  line=$(dmesg 2>/dev/null | grep --extended-regexp "NVRM: Xid \([^)]*\): ($FATAL_XIDS)," | tail -n 1 || true)
  [[ $line ]] || return 0
  XID=${line##*Xid (}
  XID=${XID#*): }
  XID=${XID%%,*}
  # A kernel that prints no times makes every Xid a new one.
  [[ ! $line =~ ^\[\ *([0-9]+\.[0-9]+)\] ]] || XID_TIME=${BASH_REMATCH[1]}
}

# check_kernel_log: what the node was drained for before, and resumed after, does not count again.
check_kernel_log() {
  local seen=''
  find_xid
  [[ $XID ]] || return 0
  [[ ! -r $CW_ROOT/run/clusterwright/last-xid.$node ]] || read -r seen <"$CW_ROOT/run/clusterwright/last-xid.$node"
  [[ -z $XID_TIME || $XID_TIME != "$seen" ]] || return 0
  bad "the driver told of Xid $XID since the node started"
}

check_neuron() {
  local wanted=$1 found=0 device
  for device in "$CW_ROOT"/dev/neuron[0-9]*; do
    [[ ! -e $device ]] || found=$((found + 1))
  done
  ((found == wanted)) || bad "$found of $wanted Neuron devices are there"
}

# check_mounts: jobs would write into the folder below, onto the root disk. The kernel's list is read, as to ask a file
# system whose server is gone would hang.
check_mounts() {
  local kind path type
  while IFS='|' read -r kind _ _ path _; do
    [[ $path ]] || continue
    [[ $kind == lustre ]] && type=lustre || type='nfs4?'
    grep --quiet --extended-regexp "^[^ ]+ $path $type " "$CW_ROOT/proc/mounts" || bad "$path is not mounted"
  done <<<"${CW_MOUNTS:-}"
}

if [[ ${1:-} == --last-xid ]]; then
  find_xid
  printf '%s\n' "$XID_TIME"
  exit 0
fi
case ${CW_ACCELERATOR:-} in
  nvidia)
    check_gpus "$CW_ACCELERATOR_COUNT"
    [[ -z ${CW_HAS_IMEX:-} || -e $CW_ROOT$CHANNEL ]] || bad "$CHANNEL is not there, without which CUDA shares no memory"
    check_kernel_log
    ;;
  neuron) check_neuron "$CW_ACCELERATOR_COUNT" ;;
esac
check_mounts

#!/usr/bin/env bash
# Says whether this node can run jobs: ends with 0, or with 1 and the reason on stdout.
# Prolog, epilog and health check ask it. It changes nothing.
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
CW_ROOT=${CW_ROOT:-}

# Errors of the driver (Xid) after which a GPU needs a reset, the node a reboot, or AWS a new node.
# Source: NVIDIA's Xid catalogue of October 2025, and the codes that eks-node-monitoring-agent 1.7.0 (August 2026)
# repairs nodes for. 63 is left out: its remapped row is told by nvidia-smi until the reset.
FATAL_XIDS='46|48|54|62|64|74|79|95|109|110|119|120|136|140|142|143|151|155|156|158'

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

check_kernel_log() {
  local line code
  line=$(dmesg 2>/dev/null | grep --extended-regexp "NVRM: Xid \([^)]*\): ($FATAL_XIDS)," | tail -n 1 || true)
  [[ $line ]] || return 0
  code=${line##*Xid (}
  code=${code#*): }
  bad "the driver told of Xid ${code%%,*} since the node started"
}

check_neuron() {
  local wanted=$1 found=0 device
  for device in "$CW_ROOT"/dev/neuron[0-9]*; do
    [[ ! -e $device ]] || found=$((found + 1))
  done
  ((found == wanted)) || bad "$found of $wanted Neuron devices are there"
}

case ${CW_ACCELERATOR:-} in
  nvidia)
    check_gpus "$CW_ACCELERATOR_COUNT"
    check_kernel_log
    ;;
  neuron) check_neuron "$CW_ACCELERATOR_COUNT" ;;
esac

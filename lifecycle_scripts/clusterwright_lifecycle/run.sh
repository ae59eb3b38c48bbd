#!/usr/bin/env bash
# Brings this node to what its plan says. Safe to run again: what is done is not done twice.
set -euo pipefail
export LC_ALL=C
CW_BUNDLE=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
export CW_BUNDLE

# shellcheck source=lib/paths.sh
source "$CW_BUNDLE/lib/paths.sh"
# shellcheck source=lib/json.sh
source "$CW_BUNDLE/lib/json.sh"
# shellcheck source=lib/log.sh
source "$CW_BUNDLE/lib/log.sh"
# shellcheck source=lib/lock.sh
source "$CW_BUNDLE/lib/lock.sh"
# shellcheck source=lib/status.sh
source "$CW_BUNDLE/lib/status.sh"
# shellcheck source=lib/plan.sh
source "$CW_BUNDLE/lib/plan.sh"
# shellcheck source=lib/schedule.sh
source "$CW_BUNDLE/lib/schedule.sh"

CW_LOCK_SECONDS=${CW_LOCK_SECONDS:-1800}
CW_PARALLEL_STEPS=${CW_PARALLEL_STEPS:-8}
CW_BOOT_ID=${CW_BOOT_ID:-$(</proc/sys/kernel/random/boot_id)}
FORCED=
ONLY=
ACTION=run

usage() {
  cat <<'TEXT'
Usage: run.sh [--only STEP | --list | --dry-run | --help]

Runs the steps of this node's plan that are not done yet, independent ones in parallel.

  --only STEP  run this step alone, even if it is done
  --list       show every step: done or due, once or at each boot, and what it waits for
  --dry-run    name the steps that would run, and change nothing

Logs: /var/log/clusterwright. How it stands: /var/lib/clusterwright/status.json.
Exit status: 0 done, 1 a step failed (the last line says why), 2 wrong usage.
TEXT
}

# misuse TEXT: ends for a mistake in the call.
misuse() {
  printf 'run.sh: %s\n' "$1" >&2
  exit 2
}

# die REASON: ends the run for what is no step's fault.
die() {
  if [[ $ACTION == run ]]; then
    write_status failed "$FAILED_STEP" "$1"
    log_event failed reason "$1"
  fi
  printf '%s\n' "$1" >&2
  exit 1
}

read_arguments() {
  while (($#)); do
    case $1 in
      --only)
        [[ ${2:-} ]] || misuse "--only wants the name of a step"
        ONLY=$2
        FORCED=1
        shift
        ;;
      --list) ACTION=list ;;
      --dry-run) ACTION=preview ;;
      --help | -h) usage && exit 0 ;;
      *) misuse "unknown argument $1; see run.sh --help" ;;
    esac
    shift
  done
}

# keep_only STEP: makes it the whole plan.
keep_only() {
  [[ ${step_when[$1]:-} ]] || misuse "no step $1 in this plan; there are: ${STEP_NAMES[*]}"
  STEP_NAMES=("$1")
  step_after[$1]=
}

preview() {
  local name
  for name in "${STEP_NAMES[@]}"; do
    if [[ $FORCED ]] || ! is_done "$name"; then printf '%s\n' "$name"; fi
  done
}

run() {
  take_lock "$CW_LOCK_FILE" "$CW_LOCK_SECONDS" 9 \
    || die "waited $CW_LOCK_SECONDS s for another run to end: $REPLY holds $CW_LOCK_FILE"
  trap stop_steps INT TERM
  mkdir -p "$CW_ETC"
  cp -f "$CW_BUNDLE/node.env" "$CW_ETC/node.env"
  log_event run
  if run_steps; then
    tell_critical_path
    write_status "done" '' ''
    log_event "done" seconds: "$(seconds_of $(($(now_ms) - RUN_STARTED_MS)))"
    say "all ${#STEP_NAMES[@]} steps are done"
  else
    [[ -z $STOPPED ]] || die "stopped by a signal while $STOPPED ran"
    tell_critical_path
    die "$FAILED_STEP: ${step_reason[$FAILED_STEP]}"
  fi
}

RUN_STARTED_MS=$(now_ms)
read_arguments "$@"
read_plan
read_digests
[[ -z $ONLY ]] || keep_only "$ONLY"
case $ACTION in
  list) list_plan ;;
  preview) preview ;;
  run) run ;;
esac

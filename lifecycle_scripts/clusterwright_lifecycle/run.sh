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
HAS_LOCK=
SCRIPT_NUMBER=$(stat -c %i "$CW_BUNDLE/run.sh")

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

# die REASON: ends the run, with the reason as the last line. The status file is that of the run that holds the lock.
die() {
  [[ -z $HAS_LOCK ]] || write_status failed "$FAILED_STEP" "$1"
  [[ $ACTION != run ]] || log_event failed reason "$1"
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

# begin: nothing of the bundle is read before the lock is ours: another run, or an installation, may be at it.
begin() {
  take_lock "$CW_LOCK_FILE" "$CW_LOCK_SECONDS" 9 \
    || die "waited $CW_LOCK_SECONDS s for another run to end: $REPLY holds $CW_LOCK_FILE"
  # What was waited for may have been an installation: then this is no longer the script to run.
  [[ $(stat -c %i "$CW_BUNDLE/run.sh") == "$SCRIPT_NUMBER" ]] || exec bash "$CW_BUNDLE/run.sh" "$@"
  HAS_LOCK=1
  trap stop_steps INT TERM HUP
  # What reads our lines may go away before we do.
  trap : PIPE
}

load_plan() {
  read_plan
  read_digests
  [[ -z $ONLY ]] || keep_only "$ONLY"
}

copy_if_new() {
  cmp -s "$1" "$2" || cp -f "$1" "$2"
}

run() {
  local words
  words=$(mkdir -p "$CW_ETC" && copy_if_new "$CW_BUNDLE/node.env" "$CW_ETC/node.env" 2>&1) \
    || die "cannot write $CW_ETC/node.env: ${words##*$'\n'}"
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
[[ $ACTION != run ]] || begin "$@"
load_plan
case $ACTION in
  list) list_plan ;;
  preview) preview ;;
  run) run ;;
esac

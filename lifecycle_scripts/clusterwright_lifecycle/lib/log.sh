# shellcheck shell=bash
# One line for people on stderr, one JSON line for machines in lifecycle.jsonl, and the reason of a failure.
# A full disk or a terminal that is gone loses the line, and ends nothing.

# now: puts the time, such as 2026-11-20T10:00:00Z, into REPLY.
now() {
  TZ=UTC printf -v REPLY '%(%Y-%m-%dT%H:%M:%SZ)T' -1
}

# log_event EVENT [NAME VALUE...]: appends a JSON line. A name that ends in ":" has a value that is JSON.
log_event() {
  local REPLY
  now
  json_object time "$REPLY" step "${CW_STEP:-}" event "$@"
  # One write a line: parallel steps append whole lines.
  printf '%s\n' "$REPLY" 2>/dev/null >>"$CW_EVENTS" || true
}

# log TEXT: tells people and machines what goes on.
log() {
  say "$1"
  log_event note text "$1"
}

# say TEXT: tells people alone.
say() {
  local REPLY
  now
  printf '%s %s: %s\n' "$REPLY" "${CW_STEP:-run}" "$1" >&2 || true
}

# fail REASON: ends this step, and the run, with the reason in words. In the $( ) of a step it ends the step as well.
fail() {
  [[ -s ${CW_REASON_FILE:-/dev/null} ]] || printf '%s\n' "$1" >"${CW_REASON_FILE:-/dev/null}" || true
  say "failed: $1"
  exit 1
}

# What `set -e` would end without a word becomes a reason with command and place.
_on_error() {
  local status=$1 command=$2 file=$3 line=$4
  [[ -s ${CW_REASON_FILE:-/dev/null} ]] && return
  fail "'${command%%$'\n'*}' failed with status $status (${file##*/}:$line)"
}

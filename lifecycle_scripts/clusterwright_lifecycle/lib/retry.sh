# shellcheck shell=bash
# Again, later, and not for ever.

# retry ATTEMPTS COMMAND...: runs a command until it succeeds; waits twice as long each time, give or take a half,
# so that a thousand nodes do not come back together. CW_RETRY_SECONDS is the first wait. Returns its last status.
retry() {
  local attempts=$1 attempt status wait_ms
  shift
  for ((attempt = 1; ; attempt++)); do
    status=0
    "$@" || status=$?
    ((status)) || return 0
    if ((attempt >= attempts)); then
      log "$1: attempt $attempt of $attempts failed with status $status; giving up"
      return "$status"
    fi
    wait_ms=$((${CW_RETRY_SECONDS:-2} * 500 * 2 ** (attempt - 1)))
    wait_ms=$((wait_ms + (wait_ms ? RANDOM % wait_ms : 0)))
    log "$1: attempt $attempt of $attempts failed with status $status; again in $((wait_ms / 1000)) s"
    sleep "$((wait_ms / 1000)).$(printf '%03d' $((wait_ms % 1000)))"
  done
}

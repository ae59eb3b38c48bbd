# shellcheck shell=bash
# status.json: how the run stands, always whole.

# What plan.sh declares and fills; to declare it again changes nothing.
declare -ga STEP_NAMES critical_path
declare -gA step_state step_ms

# write_status STATE STEP REASON: writes the file from what the scheduler knows. It cannot fail: on a full disk the file stays
# as it was, and the run goes on.
write_status() {
  local steps='' name path='' total
  for name in "${STEP_NAMES[@]}"; do
    json_object state "${step_state["$name"]}" seconds: "$(seconds_of "${step_ms["$name"]:-0}")"
    local entry=$REPLY
    json_string "$name"
    steps+="${steps:+, }$REPLY: $entry"
  done
  for name in "${critical_path[@]}"; do
    json_string "$name"
    path+="${path:+, }$REPLY"
  done
  total=$(seconds_of $(($(now_ms) - RUN_STARTED_MS)))
  now
  json_object state "$1" step "$2" reason "$3" steps: "{$steps}" critical_path: "[$path]" seconds: "$total" \
    time "$REPLY"
  { printf '%s\n' "$REPLY" >"$CW_STATUS_FILE.new" && mv -fT "$CW_STATUS_FILE.new" "$CW_STATUS_FILE"; } 2>/dev/null \
    || say "cannot write $CW_STATUS_FILE"
}

# now_ms: prints the milliseconds since 1970.
now_ms() {
  local time=${EPOCHREALTIME/./}
  printf '%s' "$((time / 1000))"
}

# seconds_of MILLISECONDS: prints them as seconds with three digits, which is a JSON number.
seconds_of() {
  printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000))
}

# shellcheck shell=bash
# Runs the steps of a plan: each as soon as what it waits for has ended, none after a failure.

# What plan.sh declares and fills; to declare it again changes nothing.
declare -ga STEP_NAMES critical_path
declare -gA step_after step_state step_ms step_ended step_reason
declare -gA running=() started_ms=()
FAILED_STEP=
LAST_STARTED=
# What ran when this process was told to end.
STOPPED=

# run_steps: runs all that are due. Returns 1 when one failed, which FAILED_STEP then names.
run_steps() {
  while :; do
    [[ $FAILED_STEP || $STOPPED ]] || start_ready_steps
    ((${#running[@]})) || break
    wait_for_step
  done
  find_critical_path
  [[ -z $FAILED_STEP && -z $STOPPED ]]
}

start_ready_steps() {
  local name
  # The plan's order is one in which what a step waits for stands before it, so one round sees all.
  for name in "${STEP_NAMES[@]}"; do
    [[ ${step_state["$name"]} == pending ]] || continue
    is_ready "$name" || continue
    if [[ -z $FORCED ]] && is_done "$name"; then
      step_state["$name"]=current
    elif ((${#running[@]} < CW_PARALLEL_STEPS)); then
      start_step "$name"
    fi
  done
}

is_ready() {
  local each
  for each in ${step_after["$1"]}; do
    [[ ${step_state["$each"]} == "done" || ${step_state["$each"]} == current ]] || return 1
  done
}

start_step() {
  local name=$1 pid
  rm -f "$CW_REASONS/$name"
  started_ms["$name"]=$(now_ms)
  step_state["$name"]=running
  LAST_STARTED=$name
  CW_STEP=$name log_event start
  # Job control gives it a process group of its own, so that all of it can be ended at once.
  set -m
  # The step keeps the lock's descriptor: should this process be killed, the next run waits for the step's end.
  CW_STEP=$name CW_REASON_FILE=$CW_REASONS/$name \
    bash "$CW_BUNDLE/steps/$name.sh" >"$CW_LOGS/steps/$name.log" 2>&1 </dev/null &
  pid=$!
  set +m
  running[$pid]=$name
  write_status running "$name" ''
}

wait_for_step() {
  local pid='' status=0
  wait -n -p pid "${!running[@]}" || status=$?
  if [[ ${pid:-} ]]; then
    end_process "$pid" "$status"
  else
    end_missed_processes
  fi
}

# bash tells of a process once. One whose end it saw while it did something else, `wait -n` passes over, and so does a
# signal end it: what is no longer there is asked for by its number.
end_missed_processes() {
  local pid status
  for pid in "${!running[@]}"; do
    kill -0 "$pid" 2>/dev/null && continue
    status=0
    wait "$pid" 2>/dev/null || status=$?
    end_process "$pid" "$status"
  done
  sleep 0.05
}

end_process() {
  local name=${running["$1"]}
  unset "running[$1]"
  end_step "$name" "$2"
}

end_step() {
  local name=$1 status=$2 seconds
  step_ended["$name"]=$(now_ms)
  step_ms["$name"]=$((${step_ended["$name"]} - ${started_ms["$name"]}))
  seconds=$(seconds_of "${step_ms["$name"]}")
  if ((status == 0)); then
    mark_done "$name"
    step_state["$name"]="done"
    CW_STEP=$name log_event end state "done" seconds: "$seconds"
    CW_STEP=$name say "done in $seconds s"
  else
    step_state["$name"]=failed
    read_reason "$name" "$status"
    FAILED_STEP=${FAILED_STEP:-$name}
    CW_STEP=$name log_event end state failed seconds: "$seconds" reason "${step_reason["$name"]}"
    CW_STEP=$name say "failed after $seconds s: ${step_reason["$name"]}"
  fi
  write_status running "$LAST_STARTED" ''
}

# read_reason STEP STATUS: what the step said, or else how it ended and its last line.
read_reason() {
  local name=$1 status=$2 reason='' log=$CW_LOGS/steps/$1.log
  [[ -f $CW_REASONS/$name ]] && reason=$(<"$CW_REASONS/$name")
  if [[ -z $reason ]]; then
    reason="ended with status $status"
    ((status > 128)) && reason="was killed by signal $((status - 128))"
    [[ -s $log ]] && reason+=", its last line: $(tail -n 1 "$log")"
  fi
  reason=${reason//$'\n'/ }
  step_reason["$name"]=${reason:0:2000}
}

# find_critical_path: the chain of steps that the run's length came from, from the last to end back to the first.
find_critical_path() {
  local name='' each
  critical_path=()
  for each in "${!step_ended[@]}"; do
    if [[ -z $name ]] || ((${step_ended["$each"]} > ${step_ended["$name"]})); then name=$each; fi
  done
  while [[ $name ]]; do
    critical_path=("$name" "${critical_path[@]}")
    find_last_of "${step_after["$name"]}"
    name=$REPLY
  done
}

find_last_of() {
  local each
  REPLY=
  for each in $1; do
    [[ ${step_ended["$each"]:-} ]] || continue
    if [[ -z $REPLY ]] || ((${step_ended["$each"]} > ${step_ended["$REPLY"]})); then REPLY=$each; fi
  done
}

# tell_critical_path: one line for people.
tell_critical_path() {
  local name text=''
  for name in "${critical_path[@]}"; do
    text+="${text:+ -> }$name $(seconds_of "${step_ms["$name"]}") s"
  done
  [[ -z $text ]] || say "critical path: $text"
}

# stop_steps: ends what runs, when this process is told to end. It is a trap, in which little is safe: the loop does the rest.
stop_steps() {
  local pid
  STOPPED=${running[*]:-nothing}
  for pid in "${!running[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
}

# shellcheck shell=bash
# shellcheck disable=SC2034  # schedule.sh and status.sh use what is declared here
# The plan: which steps there are, what each waits for, and which are done.

declare -ga STEP_NAMES=() critical_path=()
declare -gA step_after step_when step_digest
declare -gA step_state step_ms step_ended step_reason

# read_plan: reads the bundle's plan, and refuses one that could not run.
read_plan() {
  local name after when each
  while IFS='|' read -r name after when; do
    [[ $name && $name != \#* ]] || continue
    [[ -f $CW_BUNDLE/steps/$name.sh ]] || die "the plan names the step $name, which the bundle lacks"
    for each in ${after//,/ }; do
      [[ ${step_when[$each]:-} ]] || die "the plan has $name after $each, which is not before it"
    done
    STEP_NAMES+=("$name")
    step_after[$name]=${after//,/ }
    step_when[$name]=$when
    step_state[$name]=pending
  done <"$CW_BUNDLE/plan"
  ((${#STEP_NAMES[@]})) || die "the plan is empty"
}

# read_digests: what each step would run from: its file, everything beside the steps, and the boot if it wants so.
read_digests() {
  local inputs digest file name
  inputs=$(cd "$CW_BUNDLE" && find . -type f ! -path './steps/*' ! -name '.*' ! -name '*.pyc' -print0 |
    sort -z | xargs -0 sha256sum | sha256sum)
  while read -r digest file; do
    name=${file##*/}
    step_digest[${name%.sh}]="${inputs%% *}-$digest"
  done < <(cd "$CW_BUNDLE/steps" && sha256sum -- *.sh)
  for name in "${STEP_NAMES[@]}"; do
    [[ ${step_when[$name]} != boot ]] || step_digest[$name]+="-$CW_BOOT_ID"
  done
}

# is_done STEP: whether the step has ended well with these very inputs.
is_done() {
  local found=''
  [[ -f $CW_STEP_STATE/$1.done ]] && read -r found <"$CW_STEP_STATE/$1.done"
  [[ $found == "${step_digest[$1]}" ]]
}

# mark_done STEP: remembers that. What cannot be remembered is done again by the next run, which is safe.
mark_done() {
  local mark=$CW_STEP_STATE/$1.done
  [[ ! -d $mark ]] || rm -rf "$mark"
  { printf '%s\n' "${step_digest[$1]}" >"$mark.new" && mv -fT "$mark.new" "$mark"; } 2>/dev/null \
    || CW_STEP=$1 say "cannot write $mark: the next run does this step again"
}

# list_plan: one line a step, for people.
list_plan() {
  local name state
  for name in "${STEP_NAMES[@]}"; do
    state=due
    is_done "$name" && state="done"
    printf '%-18s %-5s %-5s %s\n' "$name" "$state" "${step_when[$name]}" "${step_after[$name]:+after ${step_after[$name]}}"
  done
}
